#include <stdlib.h>

#include "run.h"

/* Copies in one direction share a copy engine: a copy that was ready starts when the one before it leaves. */

int copy_direction(const struct model *m, const struct span *op)
{
    if (op->kind != SPAN_COPY)
        return DIRECTION_NONE;
    const struct cgt_copy *copy = model_copy(m, op);
    if (copy->copy_kind == CGT_COPY_HTOD || copy->copy_kind == CGT_COPY_HTOA)
        return DIRECTION_HTOD;
    return copy->copy_kind == CGT_COPY_DTOH || copy->copy_kind == CGT_COPY_ATOH ? DIRECTION_DTOH : DIRECTION_NONE;
}

/* The last copy of a direction that ended, and the last one of any other stream than that one's. */
struct engine {
    uint32_t process, device;
    uint32_t last, last_other; /* spans; MODEL_NONE */
};

struct begin_key {
    int64_t begin_ns;
    uint32_t op;
};

static int begin_compare(const void *a, const void *b)
{
    const struct begin_key *x = a, *y = b;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static bool uses_engine(const struct run *run, const struct span *op, int direction)
{
    /* small copies go through a compute channel and never meet the engine */
    return copy_direction(run->model, op) == direction &&
           model_operation(run->model, op)->channel_type != CGT_CHANNEL_COMPUTE;
}

static struct engine *engine_of(const struct run *run, struct engine *engines, uint32_t *count, const struct span *op)
{
    const struct lane *lane = &run->model->lanes[op->lane];
    struct engine *e = engines;
    while (e < engines + *count && (e->process != lane->process || e->device != lane->device))
        e++;
    if (e == engines + *count) {
        *e = (struct engine){lane->process, lane->device, MODEL_NONE, MODEL_NONE};
        (*count)++;
    }
    return e;
}

static void engine_step(struct run *run, struct engine *e, uint32_t index)
{
    const struct span *op = run_span(run, index);
    uint32_t held = e->last != MODEL_NONE && run_span(run, e->last)->lane != op->lane ? e->last : e->last_other;
    /* two at once: this device has more than one engine in the direction, so neither held the other */
    if (held != MODEL_NONE && run_span(run, held)->end_ns <= op->begin_ns)
        run->engine_blocker[index - run->first_op] = held;
    if (e->last == MODEL_NONE || op->end_ns >= run_span(run, e->last)->end_ns) {
        if (e->last != MODEL_NONE && run_span(run, e->last)->lane != op->lane)
            e->last_other = e->last;
        e->last = index;
    } else if (run_span(run, e->last)->lane != op->lane) {
        e->last_other = index;
    }
}

void engine_build(struct run *run)
{
    struct begin_key *keys = malloc((run->op_count + 1) * sizeof *keys);
    struct engine *engines = malloc((run->model->lane_count + 1) * sizeof *engines);
    if (keys == NULL || engines == NULL)
        abort();
    run->engine_blocker = ARENA_NEW(run->arena, uint32_t, run->op_count + 1);
    for (uint32_t i = 0; i < run->op_count; i++)
        run->engine_blocker[i] = MODEL_NONE;
    for (int direction = 0; direction < DIRECTION_COUNT; direction++) {
        uint32_t count = 0, engine_count = 0;
        for (uint32_t i = 0; i < run->op_count; i++) {
            const struct span *op = run_span(run, run->first_op + i);
            if (uses_engine(run, op, direction))
                keys[count++] = (struct begin_key){op->begin_ns, run->first_op + i};
        }
        qsort(keys, count, sizeof *keys, begin_compare);
        for (uint32_t i = 0; i < count; i++)
            engine_step(run, engine_of(run, engines, &engine_count, run_span(run, keys[i].op)), keys[i].op);
    }
    free(engines);
    free(keys);
}
