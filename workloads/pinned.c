/* Copies from and to page-locked memory: cudaMallocHost.
 *
 * You should see: copies at the speed of the link, and calls of cudaMemcpyAsync that return after a few microseconds,
 * long before the copy is done.
 */
#include "copies.h"

void workload_pinned(const struct workload_options *options)
{
    copies_run(options, setup_pinned(options->bytes));
}
