/* summary.h - counts and busy times of a model, by device. */
#ifndef CUGANTT_SUMMARY_H
#define CUGANTT_SUMMARY_H

#include "model.h"

struct copy_sum {
    uint64_t count, bytes;
    int64_t ns; /* summed durations: bytes / ns is the rate of a copy */
};

/* Busy times are unions. */
struct device_summary {
    uint32_t process, id;
    const char *name; /* "" if the trace does not say */
    uint64_t kernels, copies, memsets;
    uint64_t graphs;         /* launches of graphs recorded as one operation each: they count as kernel time */
    uint32_t streams;        /* that ran something */
    int64_t kernel_busy_ns, copy_busy_ns;
    int64_t copy_hidden_ns;  /* copies while a kernel runs */
    int64_t busy_ns;         /* anything */
    int64_t multi_stream_ns; /* two or more streams at once */
    int64_t span_ns;         /* first begin to last end */
    struct copy_sum pageable, pinned; /* copies between the host's memory of that kind and the device */
};

/* Devices that ran something, by process and id. The array lives in `arena`; its length goes to ret_count. */
struct device_summary *summary_build(const struct model *model, struct arena *arena, uint32_t *ret_count);

#endif
