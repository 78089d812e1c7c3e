#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "timeline/model.h"

static const char *const directions[PROBE_DIRECTIONS] = {"to_device", "from_device"};
static const char *const memories[PROBE_MEMORIES] = {"pageable", "pinned"};
static const char *const arrows[PROBE_DIRECTIONS] = {"to the device", "from the device"};

/* "BYTES:RATE,BYTES:RATE". False if it is anything else. */
static bool curve_read(const char *text, struct probe_curve *curve)
{
    *curve = (struct probe_curve){0};
    while (curve->count < PROBE_POINTS) {
        char *end;
        double bytes = strtod(text, &end);
        if (end == text || *end != ':')
            return false;
        text = end + 1;
        double rate = strtod(text, &end);
        bool rises = curve->count == 0 || bytes > curve->bytes[curve->count - 1];
        if (end == text || !(bytes >= 1 && bytes < 1e15 && rate > 1e-9 && rate < 1e6) || !rises)
            return false;
        curve->bytes[curve->count] = bytes;
        curve->bytes_per_ns[curve->count++] = rate;
        if (*end == '\0')
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
    return false;
}

static bool curves_read(const struct model *m, uint32_t process, struct probe *p)
{
    for (int direction = 0; direction < PROBE_DIRECTIONS; direction++)
        for (int memory = 0; memory < PROBE_MEMORIES; memory++) {
            char key[64];
            snprintf(key, sizeof key, "probe.rate.%s.%s", directions[direction], memories[memory]);
            if (!curve_read(model_property(m, process, key), &p->curves[direction][memory]))
                return false;
        }
    return true;
}

/* A number that is finite and not negative; 0 if there is none. */
static double number_read(const struct model *m, uint32_t process, const char *key)
{
    double value = strtod(model_property(m, process, key), NULL);
    return value >= 0 && value < 1e15 ? value : 0;
}

bool probe_read(const struct model *m, struct probe *p)
{
    uint32_t process = 0;
    *p = (struct probe){0};
    while (process < m->process_count && !curves_read(m, process, p))
        process++;
    if (process == m->process_count)
        return false;
    p->host = model_property(m, process, "host");
    p->device = "";
    for (uint32_t i = m->device_count; i-- > 0;)
        if (m->devices[i].process == process)
            p->device = m->devices[i].name;
    for (int direction = 0; direction < PROBE_DIRECTIONS; direction++) {
        char key[64];
        snprintf(key, sizeof key, "probe.waits_from.%s", directions[direction]);
        p->waits_known[direction] = model_property(m, process, key)[0] != '\0';
        p->waits_from[direction] = number_read(m, process, key);
    }
    p->same_direction = number_read(m, process, "probe.rate.same_direction");
    p->both_directions = number_read(m, process, "probe.rate.both_directions");
    p->launch_ns = number_read(m, process, "probe.launch_ns");
    p->round_trip_ns = number_read(m, process, "probe.round_trip_ns");
    p->copy_engines = number_read(m, process, "probe.copy_engines");
    p->queue_depth = number_read(m, process, "probe.queue_depth");
    p->concurrent_kernels = number_read(m, process, "probe.concurrent_kernels");
    return true;
}

static double point_ns(const struct probe_curve *curve, uint32_t index)
{
    return curve->bytes[index] / curve->bytes_per_ns[index];
}

double probe_copy_ns(const struct probe_curve *curve, double bytes)
{
    uint32_t last = curve->count - 1, above = 0;
    if (bytes >= curve->bytes[last])
        return bytes / curve->bytes_per_ns[last];
    while (curve->bytes[above] < bytes)
        above++;
    if (above == 0)
        return point_ns(curve, 0);
    double share = (bytes - curve->bytes[above - 1]) / (curve->bytes[above] - curve->bytes[above - 1]);
    return point_ns(curve, above - 1) + share * (point_ns(curve, above) - point_ns(curve, above - 1));
}

/* "8.5 GB/s to the device (256 MiB), pinned ones 55 GB/s, 6.5 times that". */
static void rates_write(const struct probe *p, char *out)
{
    int n = snprintf(out, PROBE_TEXT_SIZE, "The largest pageable copies reach ");
    for (int direction = 0; direction < PROBE_DIRECTIONS; direction++) {
        const struct probe_curve *pageable = &p->curves[direction][PROBE_PAGEABLE], *pinned = &p->curves[direction][PROBE_PINNED];
        char slow[32], fast[32], size[32];
        double staged = pageable->bytes_per_ns[pageable->count - 1], straight = pinned->bytes_per_ns[pinned->count - 1];
        n += snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), "%s%s %s (%s), pinned ones %s, %.1f times that",
                      direction > 0 ? "; " : "", rate_text(staged, slow, sizeof slow), arrows[direction],
                      bytes_text((uint64_t)pageable->bytes[pageable->count - 1], size, sizeof size),
                      rate_text(straight, fast, sizeof fast), straight / staged);
    }
    snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), ".");
}

static void waits_write(const struct probe *p, char *out)
{
    int n = snprintf(out, PROBE_TEXT_SIZE, "The call of a pageable copy waits for the work in front of it in its stream: ");
    for (int direction = 0; direction < PROBE_DIRECTIONS; direction++) {
        char size[32];
        double from = p->waits_from[direction];
        n += snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), "%s%s ", direction > 0 ? ", " : "", arrows[direction]);
        if (from <= 0)
            n += snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), "never");
        else
            n += snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), "from %s on", bytes_text((uint64_t)from, size, sizeof size));
    }
    snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), ".");
}

static void overlap_write(const struct probe *p, char *out)
{
    const struct probe_curve *pinned = &p->curves[PROBE_TO_DEVICE][PROBE_PINNED];
    double one = pinned->bytes_per_ns[pinned->count - 1];
    int n = snprintf(out, PROBE_TEXT_SIZE,
                     "Two pinned copies at once move %.1f times the bytes of one in the same direction, %.1f times in both",
                     p->same_direction / one, p->both_directions / one);
    if (p->copy_engines > 0)
        n += snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), " (%.0f copy engines)", p->copy_engines);
    snprintf(out + n, (size_t)(PROBE_TEXT_SIZE - n), ".");
}

static void launches_write(const struct probe *p, char *out)
{
    char call[32], trip[32];
    snprintf(out, PROBE_TEXT_SIZE,
             "A launch call takes %s, %s with an empty kernel and the wait for it (traced). %.0f launches may be pending before a "
             "call is held; %.0f kernels ran at once.",
             time_text((int64_t)p->launch_ns, call, sizeof call), time_text((int64_t)p->round_trip_ns, trip, sizeof trip),
             p->queue_depth, p->concurrent_kernels);
}

uint32_t probe_texts(const struct probe *p, char texts[PROBE_TEXTS][PROBE_TEXT_SIZE])
{
    uint32_t count = 0;
    rates_write(p, texts[count++]);
    if (p->waits_known[PROBE_TO_DEVICE] && p->waits_known[PROBE_FROM_DEVICE])
        waits_write(p, texts[count++]);
    if (p->same_direction > 0 && p->both_directions > 0)
        overlap_write(p, texts[count++]);
    if (p->launch_ns > 0 && p->round_trip_ns > 0 && p->queue_depth > 0 && p->concurrent_kernels > 0)
        launches_write(p, texts[count++]);
    return count;
}
