#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "run.h"

/* A staged copy is slow against what the same bytes would take from pinned memory. That is what `cugantt run probe` measured,
 * else the rate of pinned copies in the trace, else that of the PCIe link, else it is assumed. */

enum { RATE_MIN_BYTES = 1 << 20 }; /* smaller copies measure latency, not bandwidth */

static const double link_share = 0.87;       /* of the raw link rate that pinned copies reach (54.9 of 63 GB/s on an H200) */
static const double assumed_bytes_per_ns = 12; /* PCIe 3 x16, the slowest link that data-centre cards still have */

static uint32_t hosts_memory(const struct cgt_copy *copy, int direction)
{
    return direction == DIRECTION_HTOD ? copy->source_kind : copy->target_kind;
}

static int rate_compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

struct rates {
    double *items; /* bytes/ns */
    uint32_t count, room;
};

static void rate_add(struct rates *rates, double rate)
{
    if (rates->count == rates->room) {
        rates->room = rates->room * 2 + 256;
        rates->items = realloc(rates->items, rates->room * sizeof *rates->items);
        if (rates->items == NULL)
            abort();
    }
    rates->items[rates->count++] = rate;
}

/* Median rates of the pinned copies of each direction, 0 where there are none; whether any copy's memory is unknown. */
static void copies_see(struct run *run, double ret_medians[DIRECTION_COUNT])
{
    struct rates rates[DIRECTION_COUNT] = {0};
    for (uint32_t i = 0; i < run->op_count; i++) {
        const struct span *op = run_span(run, run->first_op + i);
        int direction = copy_direction(op);
        if (direction == DIRECTION_NONE)
            continue;
        const struct cgt_copy *copy = model_copy(run->model, op);
        run->memory_unknown = run->memory_unknown || hosts_memory(copy, direction) == CGT_MEMORY_UNKNOWN;
        if (copy->bytes >= RATE_MIN_BYTES && hosts_memory(copy, direction) == CGT_MEMORY_PINNED && op->end_ns > op->begin_ns)
            rate_add(&rates[direction], (double)copy->bytes / (double)(op->end_ns - op->begin_ns));
    }
    for (int direction = 0; direction < DIRECTION_COUNT; direction++) {
        struct rates *r = &rates[direction];
        if (r->count > 0)
            qsort(r->items, r->count, sizeof *r->items, rate_compare);
        ret_medians[direction] = r->count > 0 ? r->items[r->count / 2] : 0;
        free(r->items);
    }
}

/* Another machine's rates are a guess, if a good one. */
static void rate_from_probe(const struct run *run, int direction, struct reference_rate *rate)
{
    const struct model *m = run->model;
    const char *device = m->device_count > 0 ? m->devices[0].name : "";
    bool same_device = strcmp(run->probe->device, device) == 0;
    bool same_host = run->probe->host[0] != '\0' && strcmp(run->probe->host, model_property(m, 0, "host")) == 0;
    rate->curve = &run->probe->curves[direction][PROBE_PINNED];
    rate->confidence = same_device && same_host ? CONFIDENCE_PROVEN : CONFIDENCE_PROBABLE;
    if (same_device)
        snprintf(rate->source, sizeof rate->source, "pinned copies of these sizes%s reach",
                 same_host ? ", as probed here," : ", as probed on such a device,");
    else
        snprintf(rate->source, sizeof rate->source, "pinned copies of these sizes, as probed on another device (%.60s), reach",
                 run->probe->device);
}

static void rate_find(struct run *run, int direction, double pinned_rate)
{
    struct reference_rate *rate = &run->rates[direction];
    const struct device *device = run->model->device_count > 0 ? &run->model->devices[0] : NULL;
    if (run->probe != NULL) {
        rate_from_probe(run, direction, rate);
        return;
    }
    rate->bytes_per_ns = pinned_rate;
    rate->confidence = CONFIDENCE_PROVEN;
    snprintf(rate->source, sizeof rate->source, "pinned copies in this trace reach");
    if (rate->bytes_per_ns > 0)
        return;
    if (device != NULL && model_link_rate(&device->info) > 0) {
        rate->bytes_per_ns = model_link_rate(&device->info) * link_share;
        rate->confidence = CONFIDENCE_PROBABLE;
        snprintf(rate->source, sizeof rate->source, "pinned copies over this link (PCIe %u x%u) reach about",
                 device->info.pcie_generation, device->info.pcie_lanes);
        return;
    }
    rate->bytes_per_ns = assumed_bytes_per_ns;
    rate->confidence = CONFIDENCE_POSSIBLE;
    snprintf(rate->source, sizeof rate->source, "pinned copies are assumed to reach at least");
}

int64_t staging_pinned_ns(const struct run *run, int direction, uint64_t bytes)
{
    const struct reference_rate *rate = &run->rates[direction];
    double ns = rate->curve != NULL ? probe_copy_ns(rate->curve, (double)bytes) : (double)bytes / rate->bytes_per_ns;
    return (int64_t)fmin(ns, 1e18); /* damaged sizes and rates make more than fits */
}

void staging_build(struct run *run)
{
    double bytes[DIRECTION_COUNT] = {0}, pinned[DIRECTION_COUNT] = {0}, medians[DIRECTION_COUNT];
    copies_see(run, medians);
    for (int direction = 0; direction < DIRECTION_COUNT; direction++)
        rate_find(run, direction, medians[direction]);
    for (uint32_t i = 0; i < run->op_count; i++) {
        const struct span *op = run_span(run, run->first_op + i);
        int direction = copy_direction(op);
        if (!(op->flags & SPAN_STAGED) || direction == DIRECTION_NONE)
            continue;
        const struct reference_rate *rate = &run->rates[direction];
        int64_t pinned_ns = staging_pinned_ns(run, direction, model_copy(run->model, op)->bytes);
        bytes[direction] += (double)model_copy(run->model, op)->bytes;
        pinned[direction] += (double)pinned_ns;
        int64_t excess = op->end_ns - op->begin_ns - pinned_ns;
        if (excess <= 0)
            continue;
        run->out->lost_ns[CAUSE_PAGEABLE_STAGING] += excess;
        piece_add(&run->staged, (struct piece){op->begin_ns, op->end_ns, run->first_op + i, op->peer,
                                                    CAUSE_PAGEABLE_STAGING, (uint8_t)rate->confidence});
    }
    for (int direction = 0; direction < DIRECTION_COUNT; direction++)
        if (run->rates[direction].curve != NULL && pinned[direction] > 0)
            run->rates[direction].bytes_per_ns = bytes[direction] / pinned[direction];
}
