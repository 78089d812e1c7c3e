/* What the link did, in words. */
#include <inttypes.h>
#include <stdio.h>

#include "bus_run.h"

enum { LINES = 8, COARSE_BURST = 3 };

static const char *const arrows[2] = {[BUS_TO_DEVICE] = "H→D", [BUS_FROM_DEVICE] = "D→H"};

static void line_add(struct run *run, const char *text)
{
    struct bus_report *r = &run->out->bus;
    if (r->line_count < LINES)
        r->lines[r->line_count++] = arena_strdup(run->arena, text);
}

static double rate_of(const struct bus_copies *sum)
{
    return sum->busy_ns > 0 ? (double)sum->bytes / (double)sum->busy_ns : 0;
}

/* To a hundredth of a MiB: sizes here are measured, not round. */
static const char *size_text(uint64_t bytes, char *buf, size_t size)
{
    snprintf(buf, size, "%.2f MiB", (double)bytes / (1 << 20));
    return buf;
}

static void chunks_text(const struct bus_report *r, int direction, char *buf, size_t size)
{
    char chunk[32], low[32], high[32];
    const struct bus_copies *sum = &r->sums[direction][BUS_STAGED];
    if (sum->chunk_bytes == 0)
        snprintf(buf, size, "in %" PRIu32 " %s", sum->bursts, sum->bursts == 1 ? "burst" : "bursts");
    else
        snprintf(buf, size, "in %" PRIu32 " bursts of %s, the driver's staging chunk (eight of ten: %s to %s)",
                 sum->bursts, size_text(sum->chunk_bytes, chunk, sizeof chunk), size_text(sum->chunk_low_bytes, low, sizeof low),
                 size_text(sum->chunk_high_bytes, high, sizeof high));
}

static void burst_rate_text(const struct bus_report *r, int direction, char *buf, size_t size)
{
    char rate[32], pinned[32] = "", interval[32];
    const struct bus_copies *sum = &r->sums[direction][BUS_STAGED];
    if (sum->burst_ns < COARSE_BURST * r->interval_ns) {
        snprintf(buf, size, "; samples of %s are too coarse for the rate within bursts, record with a shorter --pcie",
                 time_text(r->interval_ns, interval, sizeof interval));
        return;
    }
    int n = snprintf(buf, size, ", at %s while it is busy", rate_text(rate_of(sum), rate, sizeof rate));
    if (r->alone[direction] > 0 && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, " (pinned copies: %s)",
                 rate_text(r->alone[direction], pinned, sizeof pinned));
}

static void staged_line(struct run *run, int direction)
{
    char text[512], bytes[32], idle[32], calls[32], chunks[160], rate[160];
    const struct bus_report *r = &run->out->bus;
    const struct bus_copies *sum = &r->sums[direction][BUS_STAGED];
    if (sum->count == 0)
        return;
    chunks_text(r, direction, chunks, sizeof chunks);
    burst_rate_text(r, direction, rate, sizeof rate);
    snprintf(text, sizeof text,
             "%" PRIu32 " staged %s %s, %s: the link was idle for %.0f %% of the calls (%s of %s); "
             "it carried them %s%s.",
             sum->count, sum->count == 1 ? "copy" : "copies", arrows[direction],
             bytes_text(sum->bytes, bytes, sizeof bytes),
             100 * (double)(sum->call_ns - sum->busy_ns) / (double)sum->call_ns,
             time_text(sum->call_ns - sum->busy_ns, idle, sizeof idle), time_text(sum->call_ns, calls, sizeof calls),
             chunks, rate);
    line_add(run, text);
}

static void pinned_line(struct run *run, int direction)
{
    char text[256], bytes[32], rate[32], peak[96] = "", link[32];
    const struct bus_report *r = &run->out->bus;
    const struct bus_copies *sum = &r->sums[direction][BUS_PINNED];
    if (sum->count == 0)
        return;
    if (r->peak_bytes_per_ns > 0)
        snprintf(peak, sizeof peak, ", %.0f %% of the link's raw %s (packet headers take some of the rest)",
                 100 * rate_of(sum) / r->peak_bytes_per_ns, rate_text(r->peak_bytes_per_ns, link, sizeof link));
    snprintf(text, sizeof text, "%" PRIu32 " pinned %s %s, %s: %s while the link is busy%s.", sum->count,
             sum->count == 1 ? "copy" : "copies", arrows[direction], bytes_text(sum->bytes, bytes, sizeof bytes),
             rate_text(rate_of(sum), rate, sizeof rate), peak);
    line_add(run, text);
}

static double slower_percent(double alone, double both)
{
    return both < alone ? 100 * (1 - both / alone) : 0;
}

static void both_line(struct run *run)
{
    char text[256], time[32], to[32], from[32];
    const struct bus_report *r = &run->out->bus;
    if (r->both[0] <= 0 || r->both[1] <= 0)
        return;
    snprintf(text, sizeof text,
             "Pinned copies in both directions at once, for %s: %s H→D and %s D→H, %.0f %% and %.0f %% slower than alone.",
             time_text(r->both_ns, time, sizeof time), rate_text(r->both[0], to, sizeof to),
             rate_text(r->both[1], from, sizeof from), slower_percent(r->alone[0], r->both[0]),
             slower_percent(r->alone[1], r->both[1]));
    line_add(run, text);
}

static void left_out_line(struct run *run)
{
    char text[256], interval[32];
    const struct bus_report *r = &run->out->bus;
    if (r->coarse > 0) {
        snprintf(text, sizeof text, "%" PRIu32 " %s too short for samples of %s: not measured.", r->coarse,
                 r->coarse == 1 ? "copy is" : "copies are", time_text(r->interval_ns, interval, sizeof interval));
        line_add(run, text);
    }
    if (r->beside > 0) {
        snprintf(text, sizeof text, "%" PRIu32 " %s beside others of the other direction: not counted with those alone.",
                 r->beside, r->beside == 1 ? "copy ran" : "copies ran");
        line_add(run, text);
    }
    if (r->shared > 0) {
        snprintf(text, sizeof text, "%" PRIu32 " %s the link with others of the same direction: not measured.",
                 r->shared, r->shared == 1 ? "copy shared" : "copies shared");
        line_add(run, text);
    }
}

void bus_lines(struct run *run)
{
    run->out->bus.lines = ARENA_NEW(run->arena, const char *, LINES);
    for (int direction = 0; direction < 2; direction++)
        staged_line(run, direction);
    for (int direction = 0; direction < 2; direction++)
        pinned_line(run, direction);
    both_line(run);
    left_out_line(run);
}

const char *bus_sentence(const struct run *run, const char *text)
{
    int64_t calls_ns = 0, busy_ns = 0;
    for (int direction = 0; direction < 2; direction++) {
        calls_ns += run->out->bus.sums[direction][BUS_STAGED].call_ns;
        busy_ns += run->out->bus.sums[direction][BUS_STAGED].busy_ns;
    }
    if (calls_ns == 0)
        return text;
    return arena_printf(run->arena, "%s Sampled, the PCIe link was idle for %.0f %% of their calls.", text,
                        100 * (double)(calls_ns - busy_ns) / (double)calls_ns);
}
