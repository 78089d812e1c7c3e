/* critical.h - the critical path: what the wall time was made of.
 *
 * Found backwards from the operation that ended last: an operation ran; before it, it waited for a time for something
 * (diagnose.h's pieces); where that was another operation, the path goes on there; where it was the host, along what the
 * issuing thread did, until it was itself waiting for the device. Whatever is not on it can take longer for free.
 */
#ifndef CUGANTT_CRITICAL_H
#define CUGANTT_CRITICAL_H

#include "diagnose.h"

enum {
    CRITICAL_RUNNING = CAUSE_COUNT, /* the operation ran */
    CRITICAL_NOT_RECORDED,          /* a stretch of which nothing was to be recorded */
    CRITICAL_COUNT,
};

struct critical_step {
    int64_t begin_ns, end_ns;
    uint32_t span; /* the operation that ran or waited, or the call that the host was in; MODEL_NONE: outside CUDA */
    uint32_t lane; /* stream or host thread */
    uint32_t why;  /* enum cause of a wait, or CRITICAL_* */
};

struct critical_path {
    struct critical_step *steps; /* in order of time, end to end, from the diagnosis's begin to its end */
    uint32_t count;
};

/* Of a model with its diagnosis; empty if that is. The steps live in `arena`. */
void critical_path_find(const struct model *model, const struct diagnosis *diagnosis, struct arena *arena,
                        struct critical_path *ret_path);

/* "launch-latency", or what ran: "kernel", "copy", "memset", "graph"; a staged copy that ran is "pageable-staging". */
const char *critical_id(const struct model *model, const struct critical_step *step);

#endif
