#include "probed.h"

#include <stdio.h>

#include "cli.h"
#include "diagnose/diagnose.h"
#include "present.h"

bool probed_load(const char *path, struct model **ret_from, struct probe *ret_probe)
{
    struct error err;
    *ret_from = NULL;
    if (path == NULL)
        return true;
    *ret_from = model_load(path, &err);
    if (*ret_from == NULL) {
        fail(&err);
        return false;
    }
    if (probe_read(*ret_from, ret_probe))
        return true;
    say("%s: no rates of copies in this trace: make one with cugantt run probe", path);
    model_destroy(*ret_from);
    *ret_from = NULL;
    return false;
}

/* Sizes are those of pageable copies to the device; the probe takes the same ones for all four curves. */
static void rates_print(const struct probe *p)
{
    const struct probe_curve *sizes = &p->curves[PROBE_TO_DEVICE][PROBE_PAGEABLE];
    puts("\n  probed: rates of copies, from the call to the end of the copy, GB/s");
    printf("    %10s %22s %22s\n    %10s %11s %10s %11s %10s\n", "", "to the device", "from the device", "", "pageable", "pinned",
           "pageable", "pinned");
    for (uint32_t i = 0; i < sizes->count; i++) {
        char size[32];
        printf("    %10s", bytes_text((uint64_t)sizes->bytes[i], size, sizeof size));
        for (int direction = 0; direction < PROBE_DIRECTIONS; direction++)
            for (int memory = 0; memory < PROBE_MEMORIES; memory++)
                printf(memory == PROBE_PAGEABLE ? " %11.2f" : " %10.2f",
                       sizes->bytes[i] / probe_copy_ns(&p->curves[direction][memory], sizes->bytes[i]));
        puts("");
    }
}

void probed_print(const struct model *model)
{
    char texts[PROBE_TEXTS][PROBE_TEXT_SIZE];
    struct probe probe;
    if (!probe_read(model, &probe))
        return;
    rates_print(&probe);
    uint32_t count = probe_texts(&probe, texts);
    for (uint32_t i = 0; i < count; i++)
        present_wrapped("    ", texts[i]);
}

static json_t *curve_json(const struct probe_curve *curve)
{
    json_t *points = json_array();
    for (uint32_t i = 0; i < curve->count; i++)
        json_array_append_new(points, json_pack("{s:I, s:f}", "bytes", (json_int_t)curve->bytes[i], "bytes_per_ns",
                                                curve->bytes_per_ns[i]));
    return points;
}

static json_t *direction_json(const struct probe *p, enum probe_direction direction)
{
    return json_pack("{s:o, s:o, s:o}", "pageable", curve_json(&p->curves[direction][PROBE_PAGEABLE]), "pinned",
                     curve_json(&p->curves[direction][PROBE_PINNED]), "waits_from_bytes",
                     p->waits_known[direction] ? json_integer((json_int_t)p->waits_from[direction]) : json_null());
}

/* 0 stands for what was not measured. */
static json_t *number_json(double number)
{
    return number > 0 ? json_real(number) : json_null();
}

json_t *probed_json(const struct model *model)
{
    struct probe p;
    if (!probe_read(model, &p))
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "to_device", direction_json(&p, PROBE_TO_DEVICE),
                     "from_device", direction_json(&p, PROBE_FROM_DEVICE), "same_direction_bytes_per_ns",
                     number_json(p.same_direction), "both_directions_bytes_per_ns", number_json(p.both_directions),
                     "copy_engines", number_json(p.copy_engines), "launch_ns", number_json(p.launch_ns), "round_trip_ns",
                     number_json(p.round_trip_ns), "queue_depth", number_json(p.queue_depth), "concurrent_kernels",
                     number_json(p.concurrent_kernels));
}
