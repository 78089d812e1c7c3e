/* A pipeline in chunks on two streams, written as every tutorial has it, but with memory from malloc.
 *
 * You should see: no overlap. Each cudaMemcpyAsync holds the host thread until its copy is staged, so the next chunk is
 * not issued in time, and copies in both directions are slow as well.
 */
#include "pipeline.h"

void workload_pipeline_pageable(const struct workload_options *options)
{
    setup_kernel();
    void *const host[PIPELINE_STREAMS] = {setup_pageable(options->bytes), setup_pageable(options->bytes)};
    pipeline_run(options, host);
}
