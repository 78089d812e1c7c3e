#include <stdlib.h>

#include "quantile.h"
#include "run.h"

/* Normal launch latency differs by card, driver and machine, so it is learned from the trace: for each kind of operation,
 * after the host's call (the stream was idle) and after a dependency (work was queued). */

enum { ENOUGH = 5 }; /* samples below which a class says nothing about what is normal */

/* Where the trace holds too few samples: above what was seen on one H200 (1-8 us queued, tens of us after idle). */
static const int64_t fallback_ns[ANCHOR_COUNT] = {[ANCHOR_HOST] = 100000, [ANCHOR_DEPENDENCY] = 20000};

static int class_of(const struct run *run, const struct piece *piece)
{
    int anchor = piece->blocker == MODEL_NONE ? ANCHOR_DEPENDENCY : ANCHOR_HOST;
    return run_span(run, piece->operation)->kind * ANCHOR_COUNT + anchor;
}

/* The longest latency that still counts as normal. */
static int64_t limit_of(const struct quantiles *samples, int anchor)
{
    if (samples->count < ENOUGH)
        return fallback_ns[anchor];
    int64_t median = quantile_at(samples, 0.5), high = quantile_at(samples, 0.9);
    /* where more than a tenth is late, late is not normal */
    high = high < 8 * median ? high : 8 * median;
    return 4 * median > high ? 4 * median : high;
}

static void limits_learn(const struct run *run, int64_t limits[LATENCY_CLASSES])
{
    struct quantiles *samples = calloc(LATENCY_CLASSES, sizeof *samples);
    if (samples == NULL)
        abort();
    for (uint32_t lane = 0; lane < run->model->lane_count; lane++)
        for (uint32_t i = 0; i < run->pieces[lane].count; i++) {
            struct piece p = piece_at(&run->pieces[lane], i);
            if (p.cause == CAUSE_LAUNCH_LATENCY)
                quantile_add(&samples[class_of(run, &p)], p.end_ns - p.begin_ns);
        }
    for (int class = 0; class < LATENCY_CLASSES; class++)
        limits[class] = limit_of(&samples[class], class % ANCHOR_COUNT);
    free(samples);
}

static bool is_too_long(const struct run *run, const struct piece *p, const int64_t limits[LATENCY_CLASSES])
{
    return p->cause == CAUSE_LAUNCH_LATENCY && p->end_ns - p->begin_ns > limits[class_of(run, p)];
}

/* What exceeds the limit. A kernel's first launch that stays inside its call loads code, whether or not CUPTI says so. */
static struct piece excess_of(const struct run *run, struct piece rest)
{
    const struct span *op = run_span(run, rest.operation);
    bool inside = op->peer != MODEL_NONE && run_span(run, op->peer)->end_ns >= rest.end_ns - (rest.end_ns - rest.begin_ns) / 4;
    bool loads = inside && op->flags & SPAN_FIRST;
    rest.cause = loads ? CAUSE_HOST_MODULE_LOAD : CAUSE_UNEXPLAINED;
    rest.confidence = loads ? CONFIDENCE_PROBABLE : CONFIDENCE_POSSIBLE;
    rest.blocker = loads ? op->peer : MODEL_NONE;
    return rest;
}

static void list_split(const struct run *run, struct piece_list *list, const int64_t limits[LATENCY_CLASSES])
{
    uint32_t extra = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        struct piece piece = piece_at(list, i);
        extra += is_too_long(run, &piece, limits);
    }
    if (extra == 0)
        return;
    list->capacity = list->count + extra;
    list->items = realloc(list->items, list->capacity * sizeof *list->items);
    if (list->items == NULL)
        abort();
    /* from the last on, each to where it will lie */
    uint32_t to = list->capacity;
    for (uint32_t i = list->count; i-- > 0;) {
        struct piece normal = piece_at(list, i), rest = normal;
        if (is_too_long(run, &normal, limits)) {
            rest.begin_ns = normal.end_ns = normal.begin_ns + limits[class_of(run, &normal)];
            list->items[--to] = piece_keep(excess_of(run, rest));
        }
        list->items[--to] = piece_keep(normal);
    }
    list->count = list->capacity;
}

void latency_split(struct run *run)
{
    int64_t limits[LATENCY_CLASSES];
    limits_learn(run, limits);
    for (uint32_t lane = 0; lane < run->model->lane_count; lane++)
        list_split(run, &run->pieces[lane], limits);
}
