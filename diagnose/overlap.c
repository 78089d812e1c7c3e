#include "run.h"
#include "timeline/sweep.h"

void overlap_build(struct run *run)
{
    struct sweep sweep;
    sweep_init(&sweep);
    for (uint32_t i = 0; i < run->op_count; i++) {
        const struct span *op = run_span(run, run->first_op + i);
        sweep_add(&sweep, op->begin_ns, op->end_ns);
    }
    sweep_sort(&sweep);
    run->shared_begin = ARENA_NEW(run->arena, int64_t, sweep.count + 1);
    run->shared_end = ARENA_NEW(run->arena, int64_t, sweep.count + 1);
    run->out->busy_ns = sweep_time(&sweep, 1, NULL, NULL, NULL);
    run->out->overlap_ns = sweep_time(&sweep, 2, run->shared_begin, run->shared_end, &run->shared_count);
    run->shared_before = ARENA_NEW(run->arena, int64_t, run->shared_count + 1);
    for (uint32_t i = 0; i < run->shared_count; i++)
        run->shared_before[i + 1] = run->shared_before[i] + run->shared_end[i] - run->shared_begin[i];
    sweep_finish(&sweep);
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
