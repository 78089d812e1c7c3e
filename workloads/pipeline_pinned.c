/* A pipeline in chunks on two streams, with memory from cudaMallocHost.
 *
 * You should see: the host issues everything at once and then waits; while one stream computes, the other copies, and
 * copies in and out run at the same time.
 */
#include "pipeline.h"

void workload_pipeline_pinned(const struct workload_options *options)
{
    setup_kernel();
    void *const host[PIPELINE_STREAMS] = {setup_pinned(options->bytes), setup_pinned(options->bytes)};
    pipeline_run(options, host);
}
