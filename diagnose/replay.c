#include <stdlib.h>

#include "pass.h"
#include "timeline/parallel.h"
#include "waits.h"

/* What the wall time would be with a cause removed: the trace is played again as a schedule. Every operation begins when all
 * that holds it has let go, plus the time that it took from there in the recording; every thread works as it did,
 * and waits for what it waited for. With nothing removed that is the recording, to the nanosecond. Removing a cause drops its
 * constraint, or shortens what it had made long. */

enum {
    MOST = 2 * 1000 * 1000,   /* operations; beyond, playing would take longer than all the rest */
    QUICK_NS = 3 * 1000,      /* a call that need not wait */
    ISSUE_NS = 10 * 1000,     /* from a call to a pinned copy's begin */
    GRAPH_NS = 500,           /* between nodes of a graph: 0.1 to 0.5 us on an H200 */
    ENGINE_NS = 1000,         /* between two copies of an engine */
    ENGINES = DIRECTION_COUNT + 1, /* the last: all multiprocessors, for kernels that fill them */
    SLOTS = 64,               /* stretches in which an engine is taken, the last ones */
};

struct engine_time {
    uint32_t process, device;
    int64_t begin_ns[ENGINES][SLOTS], end_ns[ENGINES][SLOTS];
    uint32_t count[ENGINES];
};

struct thread_time {
    uint32_t next;         /* call */
    int64_t shift_ns;      /* of its time against the recorded */
    int64_t removed_until_ns; /* of what it did outside CUDA, the recorded time up to which that is removed */
};

/* What all plays share. The first, with nothing removed, fills it; those after it only read, several at once. */
struct recording {
    struct run *run;
    int64_t *rest_ns; /* of each operation: from when all had let go to its begin */
    struct waits waits;
};

struct play {
    struct run *run;
    struct recording *recording;
    enum cause removed; /* CAUSE_COUNT: none, and rest_ns is filled */
    struct pass pass;
    int64_t *ends_ns;
    int64_t *shorter_ns; /* of each operation: the part of its rest that the cause took */
    uint32_t *pieces;    /* of each operation: its first piece that is the cause's, in its lane's list; MODEL_NONE */
    struct thread_time *threads; /* by lane */
    struct engine_time *engines;
    uint32_t engine_count;
    int64_t begin_ns, end_ns;
};

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static bool removes_staging(const struct play *p)
{
    return p->removed == CAUSE_PAGEABLE_STAGING || p->removed == CAUSE_HOST_STAGING;
}

/* The call would return at once. A synchronous copy of pageable memory would still be synchronous. */
static bool call_is_quick(const struct play *p, const struct span *call, enum cause cause)
{
    if (removes_staging(p))
        return cause == CAUSE_HOST_STAGING && !(call->flags & SPAN_BLOCKING);
    return cause == p->removed && cause != CAUSE_HOST_BUSY;
}

/* Plays the thread's calls up to (not including) `call`. */
static void thread_reach(struct play *p, uint32_t lane, uint32_t call)
{
    const struct model *m = p->run->model;
    struct thread_time *thread = &p->threads[lane];
    for (; thread->next < call; thread->next++) {
        const struct span *c = &m->spans[thread->next];
        int64_t length = c->end_ns - c->begin_ns, begin = c->begin_ns + thread->shift_ns, end = begin + length;
        int64_t quick = begin + (length < QUICK_NS ? length : QUICK_NS);
        enum cause cause = host_cause(m, c).cause;
        uint32_t waited = waits_find(&p->recording->waits, thread->next, cause, c->end_ns);
        if (call_is_quick(p, c, cause)) {
            end = quick;
        } else if (waited != MODEL_NONE) {
            end = pass_end_ns(&p->pass, waited) + c->end_ns - m->spans[waited].end_ns;
            end = end > quick ? end : quick;
        }
        thread->shift_ns = end - c->end_ns;
    }
}

/* What the thread did outside CUDA while the operation's stream was idle does not count any more. */
static void host_cut(struct play *p, struct thread_time *thread, uint32_t index)
{
    const struct piece_list *list = &p->run->pieces[run_span(p->run, index)->lane];
    for (uint32_t i = p->pieces[index - p->run->first_op]; i < list->count && list->items[i].operation == index; i++) {
        struct piece piece = piece_at(list, i);
        int64_t begin = piece.begin_ns > thread->removed_until_ns ? piece.begin_ns : thread->removed_until_ns;
        if (piece.cause != CAUSE_HOST_BUSY || piece.end_ns <= begin)
            continue;
        thread->shift_ns -= piece.end_ns - begin;
        thread->removed_until_ns = piece.end_ns;
    }
}

static int64_t issued_ns(struct play *p, uint32_t index)
{
    const struct span *op = run_span(p->run, index);
    if (op->peer == MODEL_NONE)
        return op->begin_ns;
    uint32_t lane = run_span(p->run, op->peer)->lane;
    thread_reach(p, lane, op->peer);
    if (p->removed == CAUSE_HOST_BUSY)
        host_cut(p, &p->threads[lane], index);
    return run_span(p->run, op->peer)->begin_ns + p->threads[lane].shift_ns;
}

/* When all that holds the operation has let go. */
static int64_t ready_ns(struct play *p, uint32_t index)
{
    struct hold holds[PASS_HOLDS];
    int64_t ready = issued_ns(p, index);
    struct stream_state *stream = &p->pass.streams[run_span(p->run, index)->lane];
    if (p->removed == CAUSE_STREAM_ORDER && pass_is_chain(&p->pass, index))
        stream->done.time_ns = INT64_MIN;
    ready = ready > stream->done.time_ns ? ready : stream->done.time_ns;
    pass_holds(&p->pass, index, holds);
    for (int i = 0; i < PASS_HOLDS; i++)
        if (holds[i].cause != p->removed && holds[i].release.time_ns > ready)
            ready = holds[i].release.time_ns;
    return ready;
}

static int64_t rest_of(const struct play *p, uint32_t index)
{
    const struct span *op = run_span(p->run, index);
    uint32_t at = index - p->run->first_op;
    int64_t rest = p->recording->rest_ns[at] - p->shorter_ns[at], most = rest;
    if (removes_staging(p) && op->flags & SPAN_STAGED)
        most = ISSUE_NS;
    if (op->kind == SPAN_KERNEL && (p->removed == CAUSE_LAUNCH_LATENCY ||
                                    (p->removed == CAUSE_HOST_BUSY && p->pieces[at] != MODEL_NONE)))
        most = GRAPH_NS;
    return rest < most ? rest : most;
}

static int64_t length_of(const struct play *p, const struct span *op)
{
    int64_t length = op->end_ns - op->begin_ns;
    int direction = copy_direction(op);
    if (!removes_staging(p) || !(op->flags & SPAN_STAGED) || direction == DIRECTION_NONE)
        return length;
    int64_t pinned = staging_pinned_ns(p->run, direction, model_copy(p->run->model, op)->bytes);
    return pinned < length ? pinned : length;
}

static struct engine_time *engines_of(struct play *p, const struct lane *lane)
{
    for (uint32_t i = 0; i < p->engine_count; i++)
        if (p->engines[i].process == lane->process && p->engines[i].device == lane->device)
            return &p->engines[i];
    struct engine_time *engines = &p->engines[p->engine_count++];
    engines->process = lane->process;
    engines->device = lane->device;
    return engines;
}

static int engine_of(const struct play *p, const struct span *op)
{
    if (op->flags & SPAN_ENGINE && copy_direction(op) != DIRECTION_NONE)
        return copy_direction(op);
    return op->kind == SPAN_KERNEL && likely_share(p->run, op) >= 1 ? DIRECTION_COUNT : -1;
}

/* Moves an operation back until its engine is free for it. */
static int64_t engine_begin_ns(struct play *p, const struct span *op, int64_t begin_ns, int64_t length_ns)
{
    int engine = engine_of(p, op);
    if (engine < 0)
        return begin_ns;
    struct engine_time *e = engines_of(p, &p->run->model->lanes[op->lane]);
    uint32_t count = e->count[engine] < SLOTS ? e->count[engine] : SLOTS;
    for (uint32_t i = 0; i < count; i++)
        if (e->begin_ns[engine][i] < begin_ns + length_ns && begin_ns < e->end_ns[engine][i]) {
            begin_ns = e->end_ns[engine][i] + ENGINE_NS;
            i = UINT32_MAX; /* from the start */
        }
    uint32_t slot = e->count[engine]++ % SLOTS;
    e->begin_ns[engine][slot] = begin_ns;
    e->end_ns[engine][slot] = begin_ns + length_ns;
    return begin_ns;
}

static void operation_play(struct play *p, uint32_t index)
{
    const struct span *op = run_span(p->run, index);
    uint32_t at = index - p->run->first_op;
    pass_reach(&p->pass, op);
    int64_t ready = ready_ns(p, index), length = length_of(p, op);
    if (p->removed == CAUSE_COUNT)
        p->recording->rest_ns[at] = op->begin_ns - ready;
    int64_t begin = ready + rest_of(p, index);
    if (p->removed != CAUSE_COUNT)
        begin = engine_begin_ns(p, op, begin, length);
    p->ends_ns[at] = begin + length;
    p->begin_ns = begin < p->begin_ns ? begin : p->begin_ns;
    p->end_ns = begin + length > p->end_ns ? begin + length : p->end_ns;
    pass_issue(&p->pass, index);
}

/* The parts of waits that the cause took, from the pieces. */
static void pieces_take(struct play *p)
{
    const struct run *run = p->run;
    enum cause cause = p->removed == CAUSE_PAGEABLE_STAGING ? CAUSE_HOST_STAGING : p->removed;
    for (uint32_t lane = 0; lane < run->model->lane_count; lane++)
        for (uint32_t i = 0; i < run->pieces[lane].count; i++) {
            struct piece piece = piece_at(&run->pieces[lane], i);
            const struct span *op = run_span(run, piece.operation);
            uint32_t at = piece.operation - run->first_op;
            if (piece.cause != cause)
                continue;
            if (p->pieces[at] == MODEL_NONE)
                p->pieces[at] = i;
            /* not those that constraints explain, which are dropped as such */
            if (piece.begin_ns >= issue_ns(run, op) && cause != CAUSE_EVENT_WAIT && cause != CAUSE_LEGACY_DEFAULT_STREAM &&
                cause != CAUSE_LAUNCH_LATENCY)
                p->shorter_ns[at] += piece.end_ns - piece.begin_ns;
        }
}

/* Wall time without `removed`. */
static int64_t play(struct recording *recording, enum cause removed)
{
    struct run *run = recording->run;
    const struct model *m = run->model;
    struct play p = {
        .run = run, .recording = recording, .removed = removed, .begin_ns = INT64_MAX, .end_ns = INT64_MIN,
        .ends_ns = zeroed(run->op_count, sizeof *p.ends_ns),
        .shorter_ns = zeroed(run->op_count, sizeof *p.shorter_ns),
        .pieces = zeroed(run->op_count, sizeof *p.pieces),
        .threads = zeroed(m->lane_count, sizeof *p.threads),
        .engines = zeroed(m->lane_count, sizeof *p.engines),
    };
    pass_init(&p.pass, run);
    p.pass.ends_ns = p.ends_ns;
    for (uint32_t i = 0; i < run->op_count; i++) {
        p.ends_ns[i] = run_span(run, run->first_op + i)->end_ns;
        p.pieces[i] = MODEL_NONE;
    }
    for (uint32_t lane = 0; lane < m->lane_count; lane++)
        p.threads[lane] = (struct thread_time){m->lanes[lane].first, 0, INT64_MIN};
    if (removed != CAUSE_COUNT)
        pieces_take(&p);
    for (uint32_t i = 0; i < run->op_count; i++)
        operation_play(&p, run->order[i]);
    pass_finish(&p.pass);
    free(p.ends_ns);
    free(p.shorter_ns);
    free(p.pieces);
    free(p.threads);
    free(p.engines);
    return p.end_ns - p.begin_ns;
}

/* Nothing that a program could change would free the device, the engine, or a graph's node. */
static bool can_be_removed(enum cause cause)
{
    return cause != CAUSE_COPY_ENGINE_BUSY && cause != CAUSE_DEVICE_FULL && cause != CAUSE_GRAPH_ORDER && cause != CAUSE_UNEXPLAINED;
}

/* The calls of all operations must be known, and all in one program. */
static bool can_be_played(const struct run *run)
{
    const struct model *m = run->model;
    return m->process_count == 1 && m->pause_count == 0 && m->loss.unmatched + m->loss.unasked == 0 && run->op_count <= MOST;
}

static void finding_play(void *recording, uint32_t index)
{
    struct recording *r = recording;
    struct finding *finding = &r->run->out->findings[index];
    if (!can_be_removed(finding->cause))
        return;
    int64_t without = play(r, finding->cause), replayed = r->run->out->replayed_ns;
    finding->predicted_wall_ns = without < replayed ? without : replayed;
}

void replay_findings(struct run *run)
{
    struct diagnosis *d = run->out;
    d->replayed_ns = -1;
    if (!can_be_played(run))
        return;
    struct recording recording = {.run = run, .rest_ns = zeroed(run->op_count, sizeof *recording.rest_ns)};
    waits_init(&recording.waits, run->model);
    d->replayed_ns = play(&recording, CAUSE_COUNT);
    parallel_for(d->finding_count, finding_play, &recording);
    waits_finish(&recording.waits);
    free(recording.rest_ns);
}
