/* diagnose.h - says what every idle stretch of every stream waited for, and what it cost.
 *
 * For each GPU operation the model gives constraints, each with a release time: the host had called, the stream's earlier
 * work was done, the event had happened, the default stream had let go, the copy engine was free. The gap in front of the
 * operation is cut into pieces, each given to the constraint that was still pending. docs/diagnosis.md has the rules.
 */
#ifndef CUGANTT_DIAGNOSE_H
#define CUGANTT_DIAGNOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "bus.h"
#include "timeline/model.h"

/* X(enumerator, "stable id", "Title", "what it means") - the ids appear in text, JSON, figures and tests. */
#define CAUSES(X)                                                                                                      \
    X(PAGEABLE_STAGING, "pageable-staging", "Staged copy",                                                             \
      "the copy itself is slow because pageable memory goes through the driver's staging buffer")                      \
    X(HOST_STAGING, "host-staging", "Serialised by a staged copy",                                                     \
      "the stream is idle because the issuing thread was inside a staged copy and had not issued the next work")       \
    X(HOST_SYNC, "host-sync", "Host synchronises",                                                                     \
      "the stream is idle because the issuing thread was waiting in a synchronise call or a synchronous copy")         \
    X(HOST_ALLOC, "host-alloc", "Host allocates",                                                                      \
      "the stream is idle because the issuing thread was in an allocation, free, pin or unpin call")                   \
    X(HOST_MODULE_LOAD, "host-module-load", "Module load",                                                             \
      "the stream is idle because a module or function was being loaded or compiled")                                  \
    X(HOST_BUSY, "host-busy", "Host busy",                                                                             \
      "the stream is idle because the issuing thread was outside CUDA or issuing other work")                          \
    X(LAUNCH_LATENCY, "launch-latency", "Launch latency",                                                              \
      "the normal time from call or dependency to start, learned from this trace")                                     \
    X(LAUNCH_QUEUE_FULL, "launch-queue-full", "Launch queue full",                                                     \
      "the launch call itself blocked because too much work was pending")                                              \
    X(LAUNCH_BLOCKING, "launch-blocking", "Blocking launches", "CUDA_LAUNCH_BLOCKING makes every launch wait")         \
    X(STREAM_ORDER, "stream-order", "Stream order",                                                                    \
      "waited for the previous work of its own stream although nothing else held it")                                  \
    X(LEGACY_DEFAULT_STREAM, "legacy-default-stream", "Legacy default stream",                                         \
      "waited for, or because of, work on the legacy default (NULL) stream")                                           \
    X(COPY_ENGINE_BUSY, "copy-engine-busy", "Copy engine busy",                                                        \
      "a copy of another stream in the same direction held the copy engine")                                           \
    X(EVENT_WAIT, "event-wait", "Event wait", "waited for an event of another stream, as the program asked")           \
    X(DEVICE_FULL, "device-full", "Device full", "kernels of other streams held the multiprocessors")                  \
    X(HARDWARE_QUEUE_SHARED, "hardware-queue-shared", "Hardware queue shared",                                         \
      "two streams were mapped to one hardware queue")                                                                 \
    X(GRAPH_ORDER, "graph-order", "Graph order", "waited for an earlier node of its graph")                            \
    X(HOST_CALLBACK, "host-callback", "Host callback", "a host function in the stream had not returned")               \
    X(PROFILER, "profiler", "Tracing overhead", "the tracer's own work covered it")                                    \
    X(UNEXPLAINED, "unexplained", "Unexplained", "none of the known causes fits")

enum cause {
#define X(id, name, title, meaning) CAUSE_##id,
    CAUSES(X)
#undef X
        CAUSE_COUNT
};

enum confidence {
    CONFIDENCE_PROVEN,   /* records say so */
    CONFIDENCE_PROBABLE, /* timing says so */
    CONFIDENCE_POSSIBLE,
};

/* A part of the gap in front of an operation. The pieces of one gap lie end to end. */
struct piece {
    int64_t begin_ns, end_ns;
    uint32_t operation; /* span that started late */
    uint32_t blocker;   /* span that it waited for: GPU operation or host call; MODEL_NONE */
    uint8_t cause, confidence;
};

/* As it is kept: of a trace of ten million operations there are twelve million. */
struct kept_piece {
    int64_t begin_ns;
    uint64_t length_ns : 56, cause : 5, confidence : 3;
    uint32_t operation, blocker;
};
_Static_assert(sizeof(struct kept_piece) == 24 && CAUSE_COUNT <= 32, "ten millions of these must fit");

struct piece_list {
    struct kept_piece *items;
    uint32_t count, capacity;
};

static inline struct piece piece_at(const struct piece_list *list, uint32_t index)
{
    const struct kept_piece *p = &list->items[index];
    return (struct piece){p->begin_ns, p->begin_ns + (int64_t)p->length_ns, p->operation, p->blocker, p->cause, p->confidence};
}

/* Its length must be below 2^56 ns. */
static inline struct kept_piece piece_keep(struct piece p)
{
    return (struct kept_piece){p.begin_ns, (uint64_t)(p.end_ns - p.begin_ns), p.cause, p.confidence, p.operation, p.blocker};
}

/* One place of a finding, the costliest first. */
struct place {
    int64_t begin_ns, end_ns;
    uint32_t operation, blocker; /* as in struct piece; for staged copies operation is the copy itself */
    uint32_t lane;               /* stream that waited */
};

struct finding {
    enum cause cause;
    enum confidence confidence;
    uint32_t count;       /* places altogether */
    int64_t cost_ns;      /* union over all streams of the time waited (pageable-staging: of the excess) */
    const char *text;     /* one or two plain sentences with numbers */
    const char *advice;   /* what to change; "" if nothing */
    int64_t predicted_wall_ns; /* wall time with the fix; -1: not computed */
    const struct place *places; /* at most DIAGNOSE_PLACES, by duration */
    uint32_t place_count;
};

enum { DIAGNOSE_PLACES = 32 };

/* A question that the trace cannot answer, and which records would. */
struct cannot_tell {
    enum cause cause;
    const char *needs;
};

struct diagnosis {
    int64_t begin_ns, end_ns; /* the window: first to last GPU operation */
    int64_t paused_ns;        /* of it, not recorded on purpose; 0 for several processes */
    int64_t busy_ns;          /* one or more operations running */
    int64_t overlap_ns;       /* two or more */
    int64_t gap_ns;           /* all gaps of all streams, summed */
    int64_t replayed_ns;      /* wall time when the trace is played as a schedule with nothing removed; -1: not played */
    int64_t lost_ns[CAUSE_COUNT]; /* the gaps by cause, summed over streams; pageable-staging: summed excess */
    struct piece_list *pieces; /* for each lane of the model (streams have some), in order of time */
    uint32_t lane_count;
    struct finding *findings; /* costliest first */
    uint32_t finding_count;
    struct cannot_tell *cannot_tell;
    uint32_t cannot_tell_count;
    struct bus_report bus;
};

/* Everything in the result lives in `arena`. A model without GPU operations gives an empty diagnosis. */
void diagnose(const struct model *model, struct arena *arena, struct diagnosis *ret_diagnosis);

/* The same, with what pinned copies take from `probe`; NULL: from the model's own properties, else from the copies in it. */
struct probe;
void diagnose_with_probe(const struct model *model, const struct probe *probe, struct arena *arena, struct diagnosis *ret_diagnosis);

const char *cause_id(enum cause cause);      /* "pageable-staging" */
const char *cause_title(enum cause cause);   /* "Staged copy" */
const char *cause_meaning(enum cause cause); /* one line */
const char *confidence_name(enum confidence confidence);

/* A duration or time for people: "300 ns", "12.5 us", "2.12 ms", "1.3 s". */
const char *time_text(int64_t ns, char *buf, int size);
const char *bytes_text(uint64_t bytes, char *buf, int size);     /* "32 MiB" */
const char *rate_text(double bytes_per_ns, char *buf, int size); /* "8.5 GB/s" */

#endif
