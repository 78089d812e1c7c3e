#include <stdlib.h>

#include "run.h"

/* Copies in one direction share a copy engine: a copy that was ready starts when the one before it leaves. */

/* Of one device and direction: the copy that ended last, and the one of any other stream than that one's. */
struct engine {
    uint32_t process, device;
    int direction;
    uint32_t last, last_other; /* spans; MODEL_NONE */
};

static struct engine *engine_of(struct engines *engines, const struct span *op)
{
    const struct lane *lane = &engines->run->model->lanes[op->lane];
    int direction = copy_direction(op);
    for (uint32_t i = 0; i < engines->count; i++) {
        struct engine *e = &engines->items[i];
        if (e->process == lane->process && e->device == lane->device && e->direction == direction)
            return e;
    }
    engines->items[engines->count] = (struct engine){lane->process, lane->device, direction, MODEL_NONE, MODEL_NONE};
    return &engines->items[engines->count++];
}

static void wait_add(struct engines *engines, struct engine_wait wait)
{
    struct run *run = engines->run;
    if (run->engine_wait_count == engines->room) {
        engines->room = engines->room * 2 + 256;
        run->engine_waits = realloc(run->engine_waits, engines->room * sizeof *run->engine_waits);
        if (run->engine_waits == NULL)
            abort();
    }
    run->engine_waits[run->engine_wait_count++] = wait;
}

static void copy_step(struct engines *engines, uint32_t index)
{
    struct run *run = engines->run;
    const struct span *op = run_span(run, index);
    struct engine *e = engine_of(engines, op);
    const struct span *last = e->last == MODEL_NONE ? NULL : run_span(run, e->last);
    uint32_t held = last != NULL && last->lane != op->lane ? e->last : e->last_other;
    /* two at once: this device has more than one engine in the direction, so neither held the other */
    if (held != MODEL_NONE && run_span(run, held)->end_ns <= op->begin_ns)
        wait_add(engines, (struct engine_wait){index, held});
    if (last == NULL || op->end_ns >= last->end_ns) {
        if (last != NULL && last->lane != op->lane)
            e->last_other = e->last;
        e->last = index;
    } else if (last->lane != op->lane) {
        e->last_other = index;
    }
}

static int wait_compare(const void *a, const void *b)
{
    const struct engine_wait *x = a, *y = b;
    return x->operation < y->operation ? -1 : x->operation > y->operation;
}

void engines_init(struct engines *engines, struct run *run)
{
    *engines = (struct engines){.run = run, .items = malloc((run->model->lane_count * DIRECTION_COUNT + 1) * sizeof *engines->items)};
    if (engines->items == NULL)
        abort();
}

void engines_see(struct engines *engines, uint32_t index)
{
    const struct span *op = run_span(engines->run, index);
    if (op->flags & SPAN_ENGINE && copy_direction(op) != DIRECTION_NONE)
        copy_step(engines, index);
}

void engines_finish(struct engines *engines)
{
    struct run *run = engines->run;
    free(engines->items);
    if (run->engine_wait_count > 0)
        qsort(run->engine_waits, run->engine_wait_count, sizeof *run->engine_waits, wait_compare);
}

uint32_t engine_blocker(const struct run *run, uint32_t op)
{
    const struct engine_wait key = {.operation = op};
    if (run->engine_wait_count == 0 || !(run_span(run, op)->flags & SPAN_ENGINE))
        return MODEL_NONE;
    const struct engine_wait *wait =
        bsearch(&key, run->engine_waits, run->engine_wait_count, sizeof *run->engine_waits, wait_compare);
    return wait == NULL ? MODEL_NONE : wait->blocker;
}
