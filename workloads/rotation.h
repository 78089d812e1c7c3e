/* rotation.h - the measured part of `default-stream` and `explicit-stream`, which differ in one stream. */
#ifndef CUGANTT_ROTATION_H
#define CUGANTT_ROTATION_H

#include "workloads.h"

/* Each round: one kernel of 0.3 ms on each stream, in order. Waits for all at the end. */
void rotation_run(const struct workload_options *options, const cudaStream_t streams[3]);

#endif
