#include <stdlib.h>

#include "run.h"

/* A sweep in the order of begins, with the ends of what is running in a heap: few operations run at a time. */

static void shared_add(struct overlap *s, int64_t end_ns)
{
    struct run *run = s->run;
    if (end_ns <= s->shared_since)
        return;
    if (run->shared_count == s->shared_room) {
        s->shared_room = s->shared_room * 2 + 256;
        run->shared = realloc(run->shared, s->shared_room * sizeof *run->shared);
        if (run->shared == NULL)
            abort();
    }
    run->shared[run->shared_count++] = (struct shared){s->shared_since, end_ns, run->out->overlap_ns};
    run->out->overlap_ns += end_ns - s->shared_since;
}

/* The earliest end among the running. */
static void end_one(struct overlap *s)
{
    int64_t end_ns = s->ends[0], moving = s->ends[--s->running];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < s->running; i = child) {
        if (child + 1 < s->running && s->ends[child + 1] < s->ends[child])
            child++;
        if (s->ends[child] >= moving)
            break;
        s->ends[i] = s->ends[child];
    }
    s->ends[i] = moving;
    if (s->running == 1)
        shared_add(s, end_ns);
    if (s->running == 0)
        s->run->out->busy_ns += end_ns - s->busy_since;
}

static void begin_one(struct overlap *s, const struct span *op)
{
    if (s->running == s->room) {
        s->room = s->room * 2 + 64;
        s->ends = realloc(s->ends, s->room * sizeof *s->ends);
        if (s->ends == NULL)
            abort();
    }
    uint32_t i = s->running++;
    for (; i > 0 && s->ends[(i - 1) / 2] > op->end_ns; i = (i - 1) / 2)
        s->ends[i] = s->ends[(i - 1) / 2];
    s->ends[i] = op->end_ns;
    if (s->running == 1)
        s->busy_since = op->begin_ns;
    if (s->running == 2)
        s->shared_since = op->begin_ns;
}

void overlap_init(struct overlap *s, struct run *run)
{
    *s = (struct overlap){.run = run};
}

void overlap_see(struct overlap *s, const struct span *op)
{
    if (op->end_ns == op->begin_ns)
        return;
    /* an end before a begin at the same time: touching operations do not overlap */
    while (s->running > 0 && s->ends[0] <= op->begin_ns)
        end_one(s);
    begin_one(s, op);
}

void overlap_finish(struct overlap *s)
{
    while (s->running > 0)
        end_one(s);
    free(s->ends);
}

/* Shared time before `time_ns`. */
static int64_t shared_until(const struct run *run, int64_t time_ns)
{
    uint32_t low = 0, high = run->shared_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run->shared[middle].begin_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const struct shared *last = &run->shared[low - 1];
    int64_t end_ns = last->end_ns < time_ns ? last->end_ns : time_ns;
    return last->before_ns + end_ns - last->begin_ns;
}

int64_t overlap_shared_ns(const struct run *run, int64_t begin_ns, int64_t end_ns)
{
    return shared_until(run, end_ns) - shared_until(run, begin_ns);
}
