/* A pipeline in chunks on two streams, written as every tutorial has it, but with memory from malloc.
 *
 * You should see: no overlap. Each cudaMemcpyAsync holds the host thread until its copy is staged, so the next chunk is
 * not issued in time, and copies in both directions are slow as well. With --fixed the memory is pinned.
 */
#include "pipeline.h"

void workload_pipeline_pageable(const struct workload_options *options)
{
    setup_kernel();
    void *host[PIPELINE_STREAMS];
    for (int i = 0; i < PIPELINE_STREAMS; i++)
        host[i] = options->fixed ? setup_pinned(options->bytes) : setup_pageable(options->bytes);
    pipeline_run(options, host);
}
