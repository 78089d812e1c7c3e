#include "pass.h"

#include <stdlib.h>

#include "timeline/parallel.h"

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

struct gap {
    int64_t begin_ns;
    uint32_t position;  /* of the operation behind it in the order of issue */
    struct piece held;  /* from the operation's call on */
};

static struct gap gap_find(const struct pass *p, uint32_t position, int64_t begin_ns)
{
    uint32_t index = p->run->order[position];
    const struct span *op = run_span(p->run, index);
    int64_t issued = op->peer == MODEL_NONE ? begin_ns : issue_ns(p->run, op);
    issued = issued < op->begin_ns ? issued : op->begin_ns;
    return (struct gap){begin_ns, position, binding(p, index, issued > begin_ns ? issued : begin_ns)};
}

static void gap_cut(struct run *run, const struct gap *gap)
{
    struct piece held = gap->held;
    const struct span *op = run_span(run, held.operation);
    run->out->gap_ns += op->begin_ns - gap->begin_ns;
    if (held.begin_ns > gap->begin_ns)
        host_pieces(run, held.operation, gap->begin_ns, held.begin_ns);
    gap_piece_add(run, held);
    bool after_host = held.end_ns == held.begin_ns && op->peer != MODEL_NONE && issue_ns(run, op) >= gap->begin_ns;
    struct piece likely = likely_hold(run, gap->position, held.end_ns);
    if (likely.end_ns > held.end_ns) {
        held = likely;
        gap_piece_add(run, held);
        after_host = false;
    }
    tail_pieces(run, held.operation, held.end_ns, op->begin_ns, after_host ? ANCHOR_HOST : ANCHOR_DEPENDENCY);
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

/* Gaps are found in the order of issue, a batch at a time, while those of the batch before are being cut. */
struct batch {
    struct gap *gaps;
    uint32_t count;
};

struct cutting {
    struct run *run;
    struct pass pass;
    uint32_t next; /* in the order of issue */
    struct batch found, before;
};

enum { BATCH = 32768 };
enum { STEP_FIND, STEP_CUT, STEP_COUNT };

/* Takes the pass past an operation. */
static void operation_see(struct cutting *c, uint32_t position)
{
    struct run *run = c->run;
    const struct model *m = run->model;
    uint32_t index = run->order[position];
    const struct span *op = run_span(run, index);
    pass_reach(&c->pass, op);
    const struct stream_state *stream = &c->pass.streams[op->lane];
    /* the wait of a stream's first operation counts from its call, but not from before the window */
    int64_t begin = stream->last == MODEL_NONE ? issue_ns(run, op) : stream->done.time_ns;
    begin = begin > m->begin_ns ? begin : m->begin_ns;
    /* nor from before a pause: what the stream did in it is not known */
    int64_t resumed = model_resumed_ns(m, m->lanes[op->lane].process, op->begin_ns);
    begin = begin > resumed ? begin : resumed;
    chain_check(&c->pass, index);
    if (begin < op->begin_ns)
        c->found.gaps[c->found.count++] = gap_find(&c->pass, position, begin);
    pass_issue(&c->pass, index);
}

static void step(void *cutting, uint32_t which)
{
    struct cutting *c = cutting;
    if (which == STEP_FIND)
        for (c->found.count = 0; c->next < c->run->op_count && c->found.count < BATCH; c->next++)
            operation_see(c, c->next);
    else
        for (uint32_t i = 0; i < c->before.count; i++)
            gap_cut(c->run, &c->before.gaps[i]);
}

void constraints_apply(struct run *run)
{
    const struct model *m = run->model;
    uint32_t room = run->op_count < BATCH ? run->op_count : BATCH;
    struct gap *gaps = malloc(2 * (size_t)room * sizeof *gaps);
    struct cutting c = {.run = run, .found = {gaps, 0}, .before = {gaps + room, 0}};
    if (gaps == NULL)
        abort();
    pass_init(&c.pass, run);
    do {
        parallel_for(STEP_COUNT, step, &c);
        struct batch found = c.found;
        c.found = c.before;
        c.before = found;
    } while (c.before.count > 0);
    pass_finish(&c.pass);
    free(gaps);
    run->out->begin_ns = m->begin_ns;
    run->out->end_ns = m->end_ns;
    if (m->process_count == 1)
        run->out->paused_ns = model_paused_ns(m, 0, m->begin_ns, m->end_ns);
}
