/* pipeline.h - the measured part of `pipeline-pageable` and `pipeline-pinned`, which differ only in their memory. */
#ifndef CUGANTT_PIPELINE_H
#define CUGANTT_PIPELINE_H

#include "workloads.h"

enum { PIPELINE_STREAMS = 2 };

/* Each chunk: copy in, kernel, copy out, on the two streams in turn; `host` has one buffer for each stream. */
void pipeline_run(const struct workload_options *options, void *const host[PIPELINE_STREAMS]);

#endif
