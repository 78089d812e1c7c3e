#include "pass.h"

/* The gap in front of each operation, cut at the moments at which what held it let go. */

/* The constraint released last, of those that still held the operation at `after_ns`. */
static struct piece binding(const struct pass *p, uint32_t index, int64_t after_ns)
{
    const struct span *op = run_span(p->run, index);
    struct hold holds[PASS_HOLDS];
    struct piece best = {after_ns, after_ns, index, MODEL_NONE, CAUSE_UNEXPLAINED, CONFIDENCE_PROVEN};
    pass_holds(p, index, holds);
    for (int i = 0; i < PASS_HOLDS; i++) {
        /* a release behind the begin held nothing: an event's work may end just after its waiter began */
        int64_t time = holds[i].release.time_ns < op->begin_ns ? holds[i].release.time_ns : op->begin_ns;
        if (time <= best.end_ns)
            continue;
        best.end_ns = time;
        best.blocker = holds[i].release.blocker;
        best.cause = (uint8_t)holds[i].cause;
        best.confidence = (uint8_t)holds[i].confidence;
    }
    return best;
}

static void gap_cut(struct pass *p, uint32_t position, int64_t begin_ns)
{
    struct run *run = p->run;
    uint32_t index = run->order[position];
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
    struct piece likely = likely_hold(run, position, held.end_ns);
    if (likely.end_ns > held.end_ns) {
        held = likely;
        gap_piece_add(run, held);
        after_host = false;
    }
    tail_pieces(run, index, held.end_ns, op->begin_ns, after_host ? ANCHOR_HOST : ANCHOR_DEPENDENCY);
}

/* A new chain that was issued while the one before it in the same stream still ran, and nothing else held it. */
static void chain_check(struct pass *p, uint32_t index)
{
    struct run *run = p->run;
    const struct span *op = run_span(run, index);
    const struct stream_state *stream = &p->streams[op->lane];
    if (!pass_is_chain(p, index) || op->peer == MODEL_NONE)
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

void constraints_apply(struct run *run)
{
    const struct model *m = run->model;
    struct pass pass;
    pass_init(&pass, run);
    for (uint32_t i = 0; i < run->op_count; i++) {
        uint32_t index = run->order[i];
        const struct span *op = run_span(run, index);
        int64_t issued = issue_ns(run, op);
        pass_reach(&pass, op);
        const struct stream_state *stream = &pass.streams[op->lane];
        /* the wait of a stream's first operation counts from its call, but not from before the window */
        int64_t begin = stream->last == MODEL_NONE ? issued : stream->done.time_ns;
        begin = begin > m->begin_ns ? begin : m->begin_ns;
        /* nor from before a pause: what the stream did in it is not known */
        int64_t resumed = model_resumed_ns(m, m->lanes[op->lane].process, op->begin_ns);
        begin = begin > resumed ? begin : resumed;
        chain_check(&pass, index);
        if (begin < op->begin_ns)
            gap_cut(&pass, i, begin);
        pass_issue(&pass, index);
    }
    run->out->begin_ns = m->begin_ns;
    run->out->end_ns = m->end_ns;
    if (m->process_count == 1)
        run->out->paused_ns = model_paused_ns(m, 0, m->begin_ns, m->end_ns);
}
