#include "critical.h"

#include <stdlib.h>

#include "run.h"
#include "waits.h"

enum { NEAR = 256 }; /* how far a search looks back among spans that overlap */

struct walk {
    const struct model *model;
    const struct diagnosis *diagnosis;
    struct critical_step *steps; /* latest first */
    uint32_t count, capacity;
    int64_t at;       /* the path is known from here on */
    struct waits waits;
    uint32_t first_op, op_count;
};

/* Where the path goes on: with an operation that had ended or was running, or with a thread of the host. */
struct place_on_path {
    uint32_t operation; /* MODEL_NONE: on the host */
    uint32_t thread;    /* lane */
};

static const struct span *span_at(const struct walk *w, uint32_t index)
{
    return &w->model->spans[index];
}

/* `lane` counts where there is no span. */
static void step_add_in(struct walk *w, int64_t begin_ns, uint32_t why, uint32_t span, uint32_t lane)
{
    begin_ns = begin_ns > w->diagnosis->begin_ns ? begin_ns : w->diagnosis->begin_ns;
    if (begin_ns >= w->at)
        return;
    if (w->count == w->capacity) {
        w->capacity = w->capacity * 2 + 256;
        w->steps = realloc(w->steps, w->capacity * sizeof *w->steps);
        if (w->steps == NULL)
            abort();
    }
    w->steps[w->count++] = (struct critical_step){begin_ns, w->at, span, span == MODEL_NONE ? lane : span_at(w, span)->lane, why};
    w->at = begin_ns;
}

static void step_add(struct walk *w, int64_t begin_ns, uint32_t why, uint32_t span)
{
    step_add_in(w, begin_ns, why, span, MODEL_NONE);
}

/* From the path's begin back to the end of an operation that it waited for. */
static void hole_fill(struct walk *w, uint32_t operation, uint32_t why)
{
    const struct span *op = span_at(w, operation);
    uint32_t process = w->model->lanes[op->lane].process;
    if (op->end_ns >= w->at)
        return;
    bool paused = model_paused_ns(w->model, process, op->end_ns, w->at) > 0;
    step_add_in(w, op->end_ns, paused ? CRITICAL_NOT_RECORDED : why, MODEL_NONE, op->lane);
}

/* The piece of the operation that ends where the path is; false if there is none. */
static bool piece_before(const struct walk *w, uint32_t operation, struct piece *ret_piece)
{
    const struct piece_list *list = &w->diagnosis->pieces[span_at(w, operation)->lane];
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->items[middle].begin_ns < w->at)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i > 0 && low - i < NEAR; i--) {
        *ret_piece = piece_at(list, i - 1);
        if (ret_piece->operation == operation && ret_piece->end_ns == w->at)
            return true;
    }
    return false;
}

static bool is_hosts(enum cause cause)
{
    return cause == CAUSE_HOST_SYNC || cause == CAUSE_HOST_STAGING || cause == CAUSE_HOST_ALLOC ||
           cause == CAUSE_HOST_MODULE_LOAD || cause == CAUSE_HOST_BUSY || cause == CAUSE_LAUNCH_QUEUE_FULL ||
           cause == CAUSE_LAUNCH_BLOCKING;
}

/* The operation of the same stream before this one; MODEL_NONE. */
static uint32_t stream_before(const struct walk *w, uint32_t operation)
{
    uint32_t first = w->model->lanes[span_at(w, operation)->lane].first;
    for (uint32_t i = operation; i > first; i--)
        if (span_at(w, i - 1)->begin_ns < w->at)
            return i - 1;
    return MODEL_NONE;
}

static struct place_on_path to_host(const struct walk *w, uint32_t operation)
{
    return (struct place_on_path){MODEL_NONE, span_at(w, span_at(w, operation)->peer)->lane};
}

/* All its pieces are behind: what it followed. */
static struct place_on_path predecessor(struct walk *w, uint32_t operation)
{
    const struct span *op = span_at(w, operation);
    uint32_t before = stream_before(w, operation);
    bool has_call = op->peer != MODEL_NONE;
    if (has_call && (before == MODEL_NONE || span_at(w, op->peer)->begin_ns >= w->at))
        return to_host(w, operation);
    if (before == MODEL_NONE)
        step_add(w, w->diagnosis->begin_ns, CAUSE_UNEXPLAINED, operation);
    else
        hole_fill(w, before, CAUSE_UNEXPLAINED);
    return (struct place_on_path){before, MODEL_NONE};
}

static struct place_on_path operation_back(struct walk *w, uint32_t operation)
{
    struct piece p;
    step_add(w, span_at(w, operation)->begin_ns, CRITICAL_RUNNING, operation);
    while (w->at > w->diagnosis->begin_ns && piece_before(w, operation, &p)) {
        bool waited = p.blocker != MODEL_NONE && span_is_operation(span_at(w, p.blocker));
        if (waited && span_at(w, p.blocker)->begin_ns < w->at) {
            hole_fill(w, p.blocker, p.cause);
            return (struct place_on_path){p.blocker, MODEL_NONE};
        }
        /* the set-up of a staged copy is in its own call, and belongs to the copy */
        if (is_hosts(p.cause) && span_at(w, operation)->peer != MODEL_NONE && p.blocker != span_at(w, operation)->peer)
            return to_host(w, operation);
        step_add(w, p.begin_ns, p.cause, operation);
    }
    return predecessor(w, operation);
}

/* The thread's last call that began before the path's begin; MODEL_NONE. */
static uint32_t call_before(const struct walk *w, uint32_t thread)
{
    const struct lane *lane = &w->model->lanes[thread];
    uint32_t low = lane->first, high = lane->first + lane->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (span_at(w, middle)->begin_ns < w->at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > lane->first ? low - 1 : MODEL_NONE;
}

static struct place_on_path host_back(struct walk *w, uint32_t thread)
{
    const struct place_on_path here = {MODEL_NONE, thread};
    uint32_t call = call_before(w, thread);
    if (call == MODEL_NONE) {
        step_add_in(w, w->diagnosis->begin_ns, CAUSE_HOST_BUSY, MODEL_NONE, thread);
        return here;
    }
    step_add_in(w, span_at(w, call)->end_ns, CAUSE_HOST_BUSY, MODEL_NONE, thread);
    enum cause cause = host_cause(w->model, span_at(w, call)).cause;
    uint32_t operation = waits_find(&w->waits, call, cause, w->at);
    if (operation == MODEL_NONE) {
        step_add(w, span_at(w, call)->begin_ns, cause, call);
        return here;
    }
    step_add(w, span_at(w, operation)->end_ns, cause, call);
    return (struct place_on_path){operation, MODEL_NONE};
}

static uint32_t last_of_all(const struct walk *w)
{
    uint32_t last = w->first_op;
    for (uint32_t i = 1; i < w->op_count; i++)
        if (span_at(w, w->first_op + i)->end_ns > span_at(w, last)->end_ns)
            last = w->first_op + i;
    return last;
}

void critical_path_find(const struct model *model, const struct diagnosis *diagnosis, struct arena *arena,
                        struct critical_path *ret_path)
{
    struct walk w = {.model = model, .diagnosis = diagnosis, .at = diagnosis->end_ns};
    *ret_path = (struct critical_path){0};
    if (model->operation_count == 0)
        return;
    w.op_count = (uint32_t)model->operation_count;
    w.first_op = model->span_count - w.op_count;
    waits_init(&w.waits, model);
    struct place_on_path place = {last_of_all(&w), MODEL_NONE};
    while (w.at > diagnosis->begin_ns && (place.operation != MODEL_NONE || place.thread != MODEL_NONE))
        place = place.operation != MODEL_NONE ? operation_back(&w, place.operation) : host_back(&w, place.thread);
    waits_finish(&w.waits);
    for (uint32_t i = 0; i < w.count / 2; i++) {
        struct critical_step early = w.steps[w.count - 1 - i];
        w.steps[w.count - 1 - i] = w.steps[i];
        w.steps[i] = early;
    }
    if (w.count > 0)
        arena_adopt(arena, w.steps);
    *ret_path = (struct critical_path){w.steps, w.count};
}

const char *critical_id(const struct model *model, const struct critical_step *step)
{
    static const char *const kinds[SPAN_OPERATION_KINDS] = {
        [SPAN_KERNEL] = "kernel", [SPAN_COPY] = "copy", [SPAN_MEMSET] = "memset", [SPAN_GRAPH] = "graph"};
    if (step->why == CRITICAL_NOT_RECORDED)
        return "not-recorded";
    if (step->why != CRITICAL_RUNNING)
        return cause_id((enum cause)step->why);
    const struct span *op = &model->spans[step->span];
    return op->flags & SPAN_STAGED ? cause_id(CAUSE_PAGEABLE_STAGING) : kinds[op->kind];
}
