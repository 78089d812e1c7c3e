/* copies.h - the measured part of the workloads `pageable` and `pinned`, which differ only in their memory. */
#ifndef CUGANTT_COPIES_H
#define CUGANTT_COPIES_H

#include "workloads.h"

/* Each round: cudaMemcpy in and out, then cudaMemcpyAsync in and out on a stream. */
void copies_run(const struct workload_options *options, void *host);

#endif
