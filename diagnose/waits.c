#include "waits.h"

#include <stdlib.h>

enum { NEAR = 256 }; /* how far a search looks back among operations of other processes */

static int end_compare(const void *a, const void *b, void *spans)
{
    int64_t x = ((const struct span *)spans)[*(const uint32_t *)a].end_ns;
    int64_t y = ((const struct span *)spans)[*(const uint32_t *)b].end_ns;
    return x < y ? -1 : x > y;
}

void waits_init(struct waits *waits, const struct model *model)
{
    *waits = (struct waits){.model = model};
}

void waits_finish(struct waits *waits)
{
    free(waits->by_end);
}

static void ends_sort(struct waits *waits)
{
    const struct model *m = waits->model;
    uint32_t count = (uint32_t)m->operation_count, first = m->span_count - count;
    waits->by_end = malloc((count + 1) * sizeof *waits->by_end);
    if (waits->by_end == NULL)
        abort();
    for (uint32_t i = 0; i < count; i++)
        waits->by_end[i] = first + i;
    qsort_r(waits->by_end, count, sizeof *waits->by_end, end_compare, m->spans);
}

/* The operation of the process that was the last to end, at `time_ns` at the latest; MODEL_NONE. */
static uint32_t ended_last(struct waits *waits, uint32_t process, int64_t time_ns)
{
    const struct model *m = waits->model;
    uint32_t low = 0, high = (uint32_t)m->operation_count;
    if (waits->by_end == NULL)
        ends_sort(waits);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->spans[waits->by_end[middle]].end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i > 0 && low - i < NEAR; i--) {
        const struct span *op = &m->spans[waits->by_end[i - 1]];
        if (m->lanes[op->lane].process == process && op->begin_ns < time_ns)
            return waits->by_end[i - 1];
    }
    return MODEL_NONE;
}

/* A staged copy or a blocking launch waits for itself, a free or a launch into a full queue for what ended only if it returned
 * soon after, other calls for what ended in them. */
uint32_t waits_find(struct waits *waits, uint32_t call, enum cause cause, int64_t time_ns)
{
    const struct model *m = waits->model;
    const struct span *c = &m->spans[call];
    if (cause == CAUSE_HOST_STAGING || cause == CAUSE_LAUNCH_BLOCKING)
        return c->peer != MODEL_NONE && m->spans[c->peer].begin_ns < time_ns ? c->peer : MODEL_NONE;
    if (cause != CAUSE_HOST_SYNC && cause != CAUSE_HOST_ALLOC && cause != CAUSE_LAUNCH_QUEUE_FULL)
        return MODEL_NONE;
    uint32_t op = ended_last(waits, m->lanes[c->lane].process, time_ns);
    if (op == MODEL_NONE || m->spans[op].end_ns <= c->begin_ns)
        return MODEL_NONE;
    bool soon = (time_ns - m->spans[op].end_ns) * 4 < time_ns - c->begin_ns;
    return cause == CAUSE_HOST_SYNC || soon ? op : MODEL_NONE;
}
