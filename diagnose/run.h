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

struct piece_list {
    struct piece *items;
    uint32_t count, capacity;
};

/* What a staged copy would take from pinned memory, and how we know. */
struct reference_rate {
    double bytes_per_ns;
    enum confidence confidence;
    char source[64]; /* "pinned copies in this trace", "PCIe 5 x16" */
};

enum { DIRECTION_HTOD, DIRECTION_DTOH, DIRECTION_COUNT, DIRECTION_NONE = DIRECTION_COUNT };

struct run {
    const struct model *model;
    struct arena *arena;
    struct diagnosis *out;
    uint32_t first_op, op_count; /* GPU operations are spans first_op .. first_op + op_count */
    uint32_t *order;             /* their indices in the order of issue */
    uint32_t *engine_blocker;    /* by operation - first_op: copy that held the engine until it could start; MODEL_NONE */
    struct piece_list pieces;
    struct piece_list chains;    /* waits of one chain for another in its own stream: not gaps */
    struct piece_list staged;    /* staged copies, cut to the time that pinned memory would save */
    int64_t *shared_begin, *shared_end, *shared_before; /* intervals with two or more operations; shared time before */
    uint32_t shared_count;
    struct reference_rate rates[DIRECTION_COUNT];
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

/* order.c: fills run->order. */
void order_build(struct run *run);

/* overlap.c: busy and overlap time, and the shared intervals. */
void overlap_build(struct run *run);
int64_t overlap_shared_ns(const struct run *run, int64_t begin_ns, int64_t end_ns);

/* engine.c: fills run->engine_blocker. */
void engine_build(struct run *run);
int copy_direction(const struct model *model, const struct span *op); /* DIRECTION_* */

/* constraints.c: visits operations in the order of issue and cuts the gap in front of each. */
void constraints_apply(struct run *run);

/* host.c: pieces of [begin, end) in which the thread of `op`'s call had not issued it yet. */
void host_pieces(struct run *run, uint32_t op, int64_t begin_ns, int64_t end_ns);
/* Pieces of [begin, end) after the last release: set-up of staging, code loading, tracing, then launch latency. */
void tail_pieces(struct run *run, uint32_t op, int64_t begin_ns, int64_t end_ns, enum latency_anchor anchor);

/* latency.c: learns the normal latencies, and turns what exceeds them into unexplained pieces. */
void latency_split(struct run *run);

/* staging.c: reference rates, run->staged. */
void staging_build(struct run *run);

/* findings.c: sums, findings, cannot-tell. */
void findings_build(struct run *run);

/* pieces.c */
void piece_add(struct run *run, struct piece_list *list, struct piece piece); /* drops empty ones, joins equal neighbours */
void pieces_sort(struct piece_list *list);
int64_t pieces_union_ns(struct run *run, const struct piece_list *list, enum cause cause);

#endif
