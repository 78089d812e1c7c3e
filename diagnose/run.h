/* run.h - state of one diagnosis, shared by the files of this directory; nobody else includes it. */
#ifndef CUGANTT_DIAGNOSE_RUN_H
#define CUGANTT_DIAGNOSE_RUN_H

#include "diagnose.h"

/* A moment until which something held an operation, and who held it. */
struct release {
    int64_t time_ns;
    uint32_t blocker; /* span; MODEL_NONE */
};

/* Kinds of normal latency: they differ, so each is learned on its own. */
enum latency_anchor { ANCHOR_HOST, ANCHOR_DEPENDENCY, ANCHOR_COUNT };
enum { LATENCY_CLASSES = SPAN_OPERATION_KINDS * ANCHOR_COUNT }; /* each kind of operation after either anchor */

/* A copy that could not begin before another had left the engine. */
struct engine_wait {
    uint32_t operation, blocker;
};

/* A stretch with two or more operations running. */
struct shared {
    int64_t begin_ns, end_ns;
    int64_t before_ns; /* shared time before it */
};

/* What a staged copy would take from pinned memory, and how we know. */
struct reference_rate {
    double bytes_per_ns;             /* of all staged copies together, where it depends on their sizes */
    const struct probe_curve *curve; /* by size; NULL: the same for all */
    enum confidence confidence;
    char source[160]; /* "pinned copies in this trace reach" */
};

enum { DIRECTION_HTOD, DIRECTION_DTOH, DIRECTION_COUNT, DIRECTION_NONE = DIRECTION_COUNT };

struct run {
    const struct model *model;
    const struct probe *probe; /* what was measured of the machine; NULL: nothing was */
    struct arena *arena;
    struct diagnosis *out;
    uint32_t first_op, op_count; /* GPU operations are spans first_op .. first_op + op_count */
    uint32_t *order;             /* their indices in the order of issue */
    struct engine_wait *engine_waits; /* sorted by operation */
    uint32_t engine_wait_count;
    struct piece_list *pieces;   /* by lane */
    struct piece_list chains;    /* waits of one chain for another in its own stream: not gaps */
    struct piece_list staged;    /* staged copies, cut to the time that pinned memory would save */
    struct shared *shared;       /* in order of time */
    uint32_t shared_count;
    struct reference_rate rates[DIRECTION_COUNT];
    bool memory_unknown; /* of a copy: whether it is pinned */
};

static inline const struct span *run_span(const struct run *run, uint32_t index)
{
    return &run->model->spans[index];
}

/* When the host began to issue an operation. Without its call: its own begin, which blames nothing. */
static inline int64_t issue_ns(const struct run *run, const struct span *op)
{
    return op->peer == MODEL_NONE ? op->begin_ns : run->model->spans[op->peer].begin_ns;
}

/* order.c: fills run->order; all operations by begin, to be fetched with merge_next() and ended with merge_finish(). */
struct merge;
void order_build(struct run *run);
void order_by_begin(const struct run *run, struct merge *ret_merge);

/* overlap.c: busy and overlap time, and the shared stretches. Sees all operations by begin. */
struct overlap {
    struct run *run;
    int64_t *ends; /* of what is running: heap, earliest first */
    uint32_t running, room;
    int64_t busy_since, shared_since;
    uint32_t shared_room;
};
void overlap_init(struct overlap *overlap, struct run *run);
void overlap_see(struct overlap *overlap, const struct span *op);
void overlap_finish(struct overlap *overlap);
int64_t overlap_shared_ns(const struct run *run, int64_t begin_ns, int64_t end_ns);

/* engine.c: fills run->engine_waits. Sees all operations by begin. */
struct engines {
    struct run *run;
    struct engine *items;
    uint32_t count;
    uint32_t room; /* of run->engine_waits */
};
void engines_init(struct engines *engines, struct run *run);
void engines_see(struct engines *engines, uint32_t op);
void engines_finish(struct engines *engines);
uint32_t engine_blocker(const struct run *run, uint32_t op); /* MODEL_NONE: none */

static inline int copy_direction(const struct span *op) /* DIRECTION_* */
{
    return op->flags & SPAN_HTOD ? DIRECTION_HTOD : op->flags & SPAN_DTOH ? DIRECTION_DTOH : DIRECTION_NONE;
}

/* constraints.c: visits operations in the order of issue and cuts the gap in front of each. */
void constraints_apply(struct run *run);

/* likely.c: what held the operation at `position` of the order of issue from `after_ns` on, though no record says so: its
 * resources, its hardware queue, its graph, a host function. An empty piece if nothing of that fits. */
struct piece likely_hold(const struct run *run, uint32_t position, int64_t after_ns);

/* What the operation, a kernel, takes of its device if all its blocks run, 0 to 1; 0: not known. */
double likely_share(const struct run *run, const struct span *op);

/* replay.c: predicted_wall_ns of the findings. */
void replay_findings(struct run *run);

/* host.c: what the host does in a call, as the cause of what waits for it. */
struct call_cause {
    enum cause cause;
    enum confidence confidence;
};
struct call_cause host_cause(const struct model *model, const struct span *call);
/* Pieces of [begin, end) in which the thread of `op`'s call had not issued it yet. */
void host_pieces(struct run *run, uint32_t op, int64_t begin_ns, int64_t end_ns);
/* Pieces of [begin, end) after the last release: set-up of staging, code loading, tracing, then launch latency. */
void tail_pieces(struct run *run, uint32_t op, int64_t begin_ns, int64_t end_ns, enum latency_anchor anchor);

/* latency.c: learns the normal latencies, and turns what exceeds them into unexplained pieces. */
void latency_split(struct run *run);

/* staging.c: reference rates, run->memory_unknown, run->staged; then what a copy of so many bytes takes from pinned memory. */
void staging_build(struct run *run);
int64_t staging_pinned_ns(const struct run *run, int direction, uint64_t bytes);

/* bus.c: run->out->bus. */
void bus_build(struct run *run);
const char *bus_sentence(const struct run *run, const char *text); /* adds what it means for staged copies */

/* findings.c: sums, findings, cannot-tell. */
void findings_build(struct run *run);

/* pieces.c: lists grow by realloc, and end in the arena with pieces_keep(). */
void piece_add(struct piece_list *list, struct piece piece); /* drops empty ones, joins equal neighbours */
void gap_piece_add(struct run *run, struct piece piece);     /* to the list of its operation's lane */
void pieces_sort(struct piece_list *list);                   /* by time; of one lane */
void pieces_keep(struct run *run, struct piece_list *list);
/* For every cause the time in which at least one piece of it lies. */
void pieces_unions(const struct run *run, int64_t ret_ns[CAUSE_COUNT]);

#endif
