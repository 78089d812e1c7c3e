#include <stdlib.h>

#include "run.h"

/* One pass over the operations in the order of issue. What holds an operation is what was issued before it, so the
 * state of the pass is: per stream the end of what was issued to it, per context the same for all blocking streams and
 * for the legacy default stream, per event what its recording stood behind.
 * Source of the rules: CUDA C++ Programming Guide, "Streams" and "Default Stream"; measured in docs/diagnosis.md. */

struct stream_state {
    struct release done;   /* latest end of what was issued to the stream */
    struct release waited; /* events the stream was told to wait for, not yet met by an operation */
    uint32_t context;      /* index into contexts */
    uint32_t last;         /* operation issued last; MODEL_NONE */
    uint8_t phase;         /* of the last operation, see phase_of() */
};

struct context_state {
    uint32_t process, context;
    struct release blocking, null; /* latest end of what was issued to blocking streams, to the default stream */
};

struct event_state {
    uint64_t event_sync;
    uint32_t process; /* event ids are each process's own */
    struct release done;
};

struct pass {
    struct run *run;
    struct stream_state *streams; /* by lane */
    struct context_state *contexts;
    uint32_t context_count;
    struct event_state *events; /* hash table by event_sync and process; event_sync UINT64_MAX: free */
    uint32_t event_slots;
    uint32_t next_mark;
};

static const struct release no_release = {INT64_MIN, MODEL_NONE};

static void release_raise(struct release *to, struct release by)
{
    if (by.time_ns > to->time_ns)
        *to = by;
}

static struct event_state *event_slot(struct pass *p, const struct event_mark *mark)
{
    uint64_t hash = (mark->event_sync + mark->process) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(hash >> 32) & (p->event_slots - 1);
    for (;; at = (at + 1) & (p->event_slots - 1)) {
        struct event_state *e = &p->events[at];
        if (e->event_sync == UINT64_MAX || (e->event_sync == mark->event_sync && e->process == mark->process))
            return e;
    }
}

static void mark_apply(struct pass *p, const struct event_mark *mark)
{
    if (mark->lane == MODEL_NONE || mark->event_sync == UINT64_MAX)
        return;
    struct stream_state *stream = &p->streams[mark->lane];
    struct event_state *event = event_slot(p, mark);
    if (mark->is_wait) {
        if (event->event_sync == mark->event_sync)
            release_raise(&stream->waited, event->done);
        return;
    }
    event->event_sync = mark->event_sync;
    event->process = mark->process;
    event->done = stream->done;
    release_raise(&event->done, stream->waited);
}

static void pass_init(struct pass *p, struct run *run)
{
    const struct model *m = run->model;
    *p = (struct pass){.run = run};
    p->streams = ARENA_NEW(run->arena, struct stream_state, m->lane_count + 1);
    p->contexts = ARENA_NEW(run->arena, struct context_state, m->lane_count + 1);
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *lane = &m->lanes[i];
        uint32_t c = 0;
        while (c < p->context_count &&
               (p->contexts[c].process != lane->process || p->contexts[c].context != lane->context))
            c++;
        if (c == p->context_count)
            p->contexts[p->context_count++] = (struct context_state){lane->process, lane->context, no_release, no_release};
        p->streams[i] = (struct stream_state){.done = no_release, .waited = no_release, .context = c, .last = MODEL_NONE};
    }
    p->event_slots = 64;
    while (p->event_slots < m->event_count * 2)
        p->event_slots *= 2;
    p->events = ARENA_NEW(run->arena, struct event_state, p->event_slots);
    for (uint32_t i = 0; i < p->event_slots; i++)
        p->events[i] = (struct event_state){UINT64_MAX, 0, no_release};
}

/* The constraint released last, of those that still held the operation at `after_ns`. */
static struct piece binding(const struct pass *p, uint32_t index, int64_t after_ns)
{
    struct run *run = p->run;
    const struct span *op = run_span(run, index);
    const struct stream_state *stream = &p->streams[op->lane];
    const struct context_state *context = &p->contexts[stream->context];
    uint32_t flag = run->model->lanes[op->lane].stream_flag;
    uint32_t engine = engine_blocker(run, index);
    const struct {
        struct release release;
        enum cause cause;
        enum confidence confidence;
    } candidates[] = {
        {stream->waited, CAUSE_EVENT_WAIT, CONFIDENCE_PROVEN},
        {flag == CGT_STREAM_NULL       ? context->blocking
         : flag == CGT_STREAM_BLOCKING ? context->null
                                       : no_release,
         CAUSE_LEGACY_DEFAULT_STREAM, CONFIDENCE_PROVEN},
        /* no record says that an engine was busy: that a copy starts where another ends does */
        {engine == MODEL_NONE ? no_release : (struct release){run_span(run, engine)->end_ns, engine},
         CAUSE_COPY_ENGINE_BUSY, CONFIDENCE_PROBABLE},
    };
    struct piece best = {after_ns, after_ns, index, MODEL_NONE, CAUSE_UNEXPLAINED, CONFIDENCE_PROVEN};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        /* a release behind the begin held nothing: an event's work may end just after its waiter began */
        int64_t time = candidates[i].release.time_ns < op->begin_ns ? candidates[i].release.time_ns : op->begin_ns;
        if (time <= best.end_ns)
            continue;
        best.end_ns = time;
        best.blocker = candidates[i].release.blocker;
        best.cause = (uint8_t)candidates[i].cause;
        best.confidence = (uint8_t)candidates[i].confidence;
    }
    return best;
}

static void gap_cut(struct pass *p, uint32_t index, int64_t begin_ns)
{
    struct run *run = p->run;
    const struct span *op = run_span(run, index);
    int64_t at = begin_ns, issued = issue_ns(run, op);
    run->out->gap_ns += op->begin_ns - begin_ns;
    if (issued > at && op->peer != MODEL_NONE) {
        at = issued < op->begin_ns ? issued : op->begin_ns;
        host_pieces(run, index, begin_ns, at);
    }
    struct piece held = binding(p, index, at);
    gap_piece_add(run, held);
    bool after_host = held.end_ns == held.begin_ns && issued >= begin_ns && op->peer != MODEL_NONE;
    tail_pieces(run, index, held.end_ns, op->begin_ns, after_host ? ANCHOR_HOST : ANCHOR_DEPENDENCY);
}

/* Copy in, compute, copy out: a step back starts a new chain of work, which may be independent of the one before. */
static uint8_t phase_of(const struct span *op)
{
    int direction = copy_direction(op);
    return direction == DIRECTION_HTOD ? 0 : direction == DIRECTION_DTOH ? 2 : 1;
}

/* A new chain that was issued while the one before it in the same stream still ran, and nothing else held it. */
static void chain_check(struct pass *p, uint32_t index)
{
    struct run *run = p->run;
    const struct span *op = run_span(run, index);
    const struct stream_state *stream = &p->streams[op->lane];
    if (stream->last == MODEL_NONE || phase_of(op) >= stream->phase || phase_of(op) != 0 || op->peer == MODEL_NONE)
        return;
    const struct span *before = run_span(run, stream->last);
    int64_t begin = issue_ns(run, op) > before->begin_ns ? issue_ns(run, op) : before->begin_ns;
    struct piece held = binding(p, index, begin);
    if (held.end_ns >= before->end_ns)
        return;
    begin = held.end_ns > begin ? held.end_ns : begin;
    /* where other streams kept the device busy meanwhile, nothing was lost */
    int64_t alone = before->end_ns - begin - overlap_shared_ns(run, begin, before->end_ns);
    piece_add(&run->chains, (struct piece){before->end_ns - alone, before->end_ns, index, stream->last,
                                                CAUSE_STREAM_ORDER, CONFIDENCE_POSSIBLE});
}

static void issue(struct pass *p, uint32_t index)
{
    const struct span *op = run_span(p->run, index);
    struct stream_state *stream = &p->streams[op->lane];
    struct context_state *context = &p->contexts[stream->context];
    uint32_t flag = p->run->model->lanes[op->lane].stream_flag;
    struct release done = {op->end_ns, index};
    release_raise(&stream->done, done);
    stream->waited = no_release;
    stream->last = index;
    stream->phase = phase_of(op);
    if (flag == CGT_STREAM_BLOCKING)
        release_raise(&context->blocking, done);
    if (flag == CGT_STREAM_NULL)
        release_raise(&context->null, done);
}

void constraints_apply(struct run *run)
{
    const struct model *m = run->model;
    struct pass pass;
    pass_init(&pass, run);
    for (uint32_t i = 0; i < run->op_count; i++) {
        uint32_t index = run->order[i];
        const struct span *op = run_span(run, index);
        int64_t issued = issue_ns(run, op);
        while (pass.next_mark < m->event_count && m->events[pass.next_mark].call_ns < issued)
            mark_apply(&pass, &m->events[pass.next_mark++]);
        const struct stream_state *stream = &pass.streams[op->lane];
        /* the wait of a stream's first operation counts from its call, but not from before the window */
        int64_t begin = stream->last == MODEL_NONE ? issued : stream->done.time_ns;
        begin = begin > m->begin_ns ? begin : m->begin_ns;
        /* nor from before a pause: what the stream did in it is not known */
        int64_t resumed = model_resumed_ns(m, m->lanes[op->lane].process, op->begin_ns);
        begin = begin > resumed ? begin : resumed;
        chain_check(&pass, index);
        if (begin < op->begin_ns)
            gap_cut(&pass, index, begin);
        issue(&pass, index);
    }
    run->out->begin_ns = m->begin_ns;
    run->out->end_ns = m->end_ns;
    if (m->process_count == 1)
        run->out->paused_ns = model_paused_ns(m, 0, m->begin_ns, m->end_ns);
}
