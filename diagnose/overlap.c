#include <stdlib.h>

#include "run.h"

/* A sweep over begins and ends of all operations; both are sorted on their own, which is all a depth needs. */

static int time_compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void shared_add(struct run *run, int64_t begin_ns, int64_t end_ns)
{
    uint32_t n = run->shared_count;
    if (end_ns <= begin_ns)
        return;
    run->shared_begin[n] = begin_ns;
    run->shared_end[n] = end_ns;
    run->shared_before[n] = run->out->overlap_ns;
    run->out->overlap_ns += end_ns - begin_ns;
    run->shared_count++;
}

static void sweep(struct run *run, const int64_t *begins, const int64_t *ends, uint32_t count)
{
    uint32_t depth = 0, b = 0, e = 0;
    int64_t busy_since = 0, shared_since = 0;
    while (e < count) {
        /* an end before a begin at the same time: touching operations do not overlap */
        if (b < count && begins[b] < ends[e]) {
            depth++;
            if (depth == 1)
                busy_since = begins[b];
            if (depth == 2)
                shared_since = begins[b];
            b++;
            continue;
        }
        if (depth == 2)
            shared_add(run, shared_since, ends[e]);
        if (depth == 1)
            run->out->busy_ns += ends[e] - busy_since;
        depth--;
        e++;
    }
}

void overlap_build(struct run *run)
{
    uint32_t n = run->op_count;
    int64_t *begins = malloc((n + 1) * sizeof *begins), *ends = malloc((n + 1) * sizeof *ends);
    if (begins == NULL || ends == NULL)
        abort();
    uint32_t timed = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct span *s = run_span(run, run->first_op + i);
        if (s->end_ns == s->begin_ns)
            continue;
        begins[timed] = s->begin_ns;
        ends[timed++] = s->end_ns;
    }
    qsort(begins, timed, sizeof *begins, time_compare);
    qsort(ends, timed, sizeof *ends, time_compare);
    run->shared_begin = ARENA_NEW(run->arena, int64_t, n + 1);
    run->shared_end = ARENA_NEW(run->arena, int64_t, n + 1);
    run->shared_before = ARENA_NEW(run->arena, int64_t, n + 1);
    sweep(run, begins, ends, timed);
    free(begins);
    free(ends);
}

/* Shared time before `time_ns`. */
static int64_t shared_until(const struct run *run, int64_t time_ns)
{
    uint32_t low = 0, high = run->shared_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run->shared_begin[middle] < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    int64_t end = run->shared_end[low - 1] < time_ns ? run->shared_end[low - 1] : time_ns;
    return run->shared_before[low - 1] + (end - run->shared_begin[low - 1]);
}

int64_t overlap_shared_ns(const struct run *run, int64_t begin_ns, int64_t end_ns)
{
    return shared_until(run, end_ns) - shared_until(run, begin_ns);
}
