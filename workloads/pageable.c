/* Copies from and to memory that the operating system may move: malloc.
 *
 * You should see: the driver copies through a pinned buffer of its own ("staging"), so every copy takes several times
 * as long as in `pinned`. cudaMemcpyAsync is no better than cudaMemcpy: the call returns only when nearly all is
 * copied, the host thread is held for all of it. With --fixed the memory is pinned.
 */
#include "copies.h"

void workload_pageable(const struct workload_options *options)
{
    CHECK(cudaFree(NULL)); /* creates the context */
    copies_run(options, options->fixed ? setup_pinned(options->bytes) : setup_pageable(options->bytes));
}
