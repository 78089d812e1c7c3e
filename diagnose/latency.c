#include <stdlib.h>

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

static int time_compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The longest latency that still counts as normal. */
static int64_t limit_learn(int64_t *samples, uint32_t count, int anchor)
{
    if (count < ENOUGH)
        return fallback_ns[anchor];
    qsort(samples, count, sizeof *samples, time_compare);
    int64_t median = samples[count / 2], high = samples[(uint64_t)count * 9 / 10];
    return 4 * median > high ? 4 * median : high;
}

static void limits_learn(struct run *run, int64_t limits[LATENCY_CLASSES])
{
    int64_t *samples = malloc((run->pieces.count + 1) * sizeof *samples);
    if (samples == NULL)
        abort();
    for (int class = 0; class < LATENCY_CLASSES; class++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < run->pieces.count; i++) {
            const struct piece *p = &run->pieces.items[i];
            if (p->cause == CAUSE_LAUNCH_LATENCY && class_of(run, p) == class)
                samples[count++] = p->end_ns - p->begin_ns;
        }
        limits[class] = limit_learn(samples, count, class % ANCHOR_COUNT);
    }
    free(samples);
}

void latency_split(struct run *run)
{
    int64_t limits[LATENCY_CLASSES];
    limits_learn(run, limits);
    uint32_t count = run->pieces.count;
    for (uint32_t i = 0; i < count; i++) {
        struct piece *p = &run->pieces.items[i];
        if (p->cause != CAUSE_LAUNCH_LATENCY || p->end_ns - p->begin_ns <= limits[class_of(run, p)])
            continue;
        struct piece rest = *p;
        rest.begin_ns = p->end_ns = p->begin_ns + limits[class_of(run, p)];
        rest.cause = CAUSE_UNEXPLAINED;
        rest.confidence = CONFIDENCE_POSSIBLE;
        rest.blocker = MODEL_NONE;
        piece_add(run, &run->pieces, rest);
    }
}
