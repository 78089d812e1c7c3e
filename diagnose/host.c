#include <string.h>

#include "run.h"

/* What the issuing thread did while a stream was idle, from its own calls. */

enum {
    LONG_NS = 10 * 1000, /* a call that issues work and takes longer was held by something */
    LOAD_NS = 50 * 1000, /* a kernel's first launch that takes longer loaded its code */
    FULL = 500,          /* operations pending in a stream; an H200 holds the thread from about 1024 on */
};

/* First of the spans low .. high that ends behind `time_ns`; `high` if none does. They must end in their order. */
static uint32_t first_ending_after(const struct model *m, uint32_t low, uint32_t high, int64_t time_ns)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->spans[middle].end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many operations of its stream were issued before this one and had not ended at `time_ns`. */
static uint32_t pending_at(const struct model *m, uint32_t op, int64_t time_ns)
{
    return op - first_ending_after(m, m->lanes[m->spans[op].lane].first, op, time_ns);
}

static bool launches_block(const struct model *m, uint32_t process)
{
    const char *value = model_property(m, process, "env.CUDA_LAUNCH_BLOCKING");
    return value[0] != '\0' && strcmp(value, "0") != 0;
}

/* What held a call that issued an operation for so long. */
static struct call_cause issue_cause(const struct model *m, const struct span *call)
{
    const struct span *op = &m->spans[call->peer];
    if (op->end_ns <= call->end_ns && launches_block(m, m->lanes[call->lane].process))
        return (struct call_cause){CAUSE_LAUNCH_BLOCKING, CONFIDENCE_PROVEN};
    if (pending_at(m, call->peer, call->begin_ns) >= FULL)
        return (struct call_cause){CAUSE_LAUNCH_QUEUE_FULL, CONFIDENCE_PROBABLE};
    if (op->flags & SPAN_FIRST && call->end_ns - call->begin_ns >= LOAD_NS)
        return (struct call_cause){CAUSE_HOST_MODULE_LOAD, CONFIDENCE_PROBABLE};
    return (struct call_cause){CAUSE_HOST_BUSY, CONFIDENCE_PROVEN};
}

struct call_cause host_cause(const struct model *m, const struct span *call)
{
    static const uint8_t causes[CALL_CLASS_COUNT] = {
        [CALL_OTHER] = CAUSE_HOST_BUSY,       [CALL_LAUNCH] = CAUSE_HOST_BUSY, [CALL_COPY] = CAUSE_HOST_BUSY,
        [CALL_MEMSET] = CAUSE_HOST_BUSY,      [CALL_SYNC] = CAUSE_HOST_SYNC,   [CALL_ALLOC] = CAUSE_HOST_ALLOC,
        [CALL_MODULE] = CAUSE_HOST_MODULE_LOAD, [CALL_EVENT] = CAUSE_HOST_BUSY,  [CALL_HOST_FUNC] = CAUSE_HOST_BUSY,
        [CALL_CONTEXT] = CAUSE_HOST_MODULE_LOAD,
    };
    if (call->flags & SPAN_STAGED)
        return (struct call_cause){CAUSE_HOST_STAGING, CONFIDENCE_PROVEN};
    if (call->flags & SPAN_BLOCKING)
        return (struct call_cause){CAUSE_HOST_SYNC, CONFIDENCE_PROVEN};
    if (call->peer != MODEL_NONE && call->end_ns - call->begin_ns >= LONG_NS)
        return issue_cause(m, call);
    return (struct call_cause){causes[call->call_class], CONFIDENCE_PROVEN};
}

static enum cause overhead_cause(uint32_t kind)
{
    if (kind == CGT_OVERHEAD_MODULE_LOAD || kind == CGT_OVERHEAD_FUNCTION_LOAD || kind == CGT_OVERHEAD_COMPILER)
        return CAUSE_HOST_MODULE_LOAD;
    return kind == CGT_OVERHEAD_COMMAND_BUFFER_FULL ? CAUSE_LAUNCH_QUEUE_FULL : CAUSE_PROFILER;
}

/* First overhead that may reach behind `time_ns`. */
static uint32_t overhead_after(const struct model *m, int64_t time_ns)
{
    uint32_t low = 0, high = m->overhead_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->overheads[middle].begin_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0 && m->overheads[low - 1].reach_ns > time_ns)
        low--;
    return low;
}

/* A piece, and in it what the driver or the tracer did in the thread of a call. */
static void overhead_cut(struct run *run, struct piece piece, uint32_t call)
{
    const struct model *m = run->model;
    uint32_t process = m->lanes[run_span(run, piece.operation)->lane].process;
    uint32_t thread = call == MODEL_NONE ? CGT_NONE : m->lanes[m->spans[call].lane].id;
    int64_t end_ns = piece.end_ns;
    for (uint32_t i = overhead_after(m, piece.begin_ns); i < m->overhead_count && m->overheads[i].begin_ns < end_ns; i++) {
        const struct overhead *o = &m->overheads[i];
        if (o->thread != thread || o->process != process || o->end_ns <= piece.begin_ns)
            continue;
        int64_t from = o->begin_ns > piece.begin_ns ? o->begin_ns : piece.begin_ns, to = o->end_ns < end_ns ? o->end_ns : end_ns;
        piece.end_ns = from;
        gap_piece_add(run, piece);
        gap_piece_add(run, (struct piece){from, to, piece.operation, call, (uint8_t)overhead_cause(o->kind), CONFIDENCE_PROVEN});
        piece.begin_ns = to;
    }
    piece.end_ns = end_ns;
    gap_piece_add(run, piece);
}

void host_pieces(struct run *run, uint32_t op, int64_t begin_ns, int64_t end_ns)
{
    const struct model *m = run->model;
    uint32_t own = run_span(run, op)->peer;
    const struct lane *thread = &m->lanes[m->spans[own].lane];
    struct piece piece = {begin_ns, begin_ns, op, MODEL_NONE, CAUSE_HOST_BUSY, CONFIDENCE_PROVEN};
    /* calls of one thread follow one another */
    for (uint32_t i = first_ending_after(m, thread->first, thread->first + thread->count, begin_ns); i < own; i++) {
        const struct span *call = &m->spans[i];
        if (call->begin_ns >= end_ns)
            break;
        piece.begin_ns = piece.end_ns;
        piece.end_ns = call->begin_ns > piece.begin_ns ? call->begin_ns : piece.begin_ns;
        piece.cause = CAUSE_HOST_BUSY;
        piece.confidence = CONFIDENCE_PROVEN;
        piece.blocker = MODEL_NONE;
        gap_piece_add(run, piece); /* outside CUDA */
        struct call_cause why = host_cause(m, call);
        piece.begin_ns = piece.end_ns;
        piece.end_ns = call->end_ns < end_ns ? call->end_ns : end_ns;
        piece.cause = (uint8_t)why.cause;
        piece.confidence = (uint8_t)why.confidence;
        piece.blocker = i;
        piece.end_ns = piece.end_ns > piece.begin_ns ? piece.end_ns : piece.begin_ns;
        if (why.cause == CAUSE_HOST_BUSY && call->end_ns - call->begin_ns >= LONG_NS)
            overhead_cut(run, piece, i);
        else
            gap_piece_add(run, piece);
    }
    gap_piece_add(run, (struct piece){piece.end_ns, end_ns, op, MODEL_NONE, CAUSE_HOST_BUSY, CONFIDENCE_PROVEN});
}

void tail_pieces(struct run *run, uint32_t op, int64_t begin_ns, int64_t end_ns, enum latency_anchor anchor)
{
    const struct model *m = run->model;
    const struct span *span = run_span(run, op);
    const struct span *call = span->peer == MODEL_NONE ? NULL : &m->spans[span->peer];
    /* latency_split() tells the anchors apart by this: after a dependency nothing is waited for any more */
    uint32_t waited = anchor == ANCHOR_HOST ? span->peer : MODEL_NONE;
    if (span->flags & SPAN_STAGED && call != NULL && call->end_ns > begin_ns) {
        /* the driver sets up staging before the copy's record begins: about 170 us on an H200 */
        gap_piece_add(run,
                  (struct piece){begin_ns, end_ns, op, span->peer, CAUSE_HOST_STAGING, CONFIDENCE_PROVEN});
        return;
    }
    overhead_cut(run, (struct piece){begin_ns, end_ns, op, waited, CAUSE_LAUNCH_LATENCY, CONFIDENCE_PROBABLE}, span->peer);
}
