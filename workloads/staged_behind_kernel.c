/* A pageable upload and a pageable download, each behind a kernel of its own stream; another stream waits for its next kernel.
 *
 * You should see: the copy's call holds the host until the kernel in front of the copy has ended, and for the staging as well,
 * so the other stream runs dry: host-staging. With --fixed the memory is pinned, the calls return at once and the
 * other stream is fed.
 */
#include "workloads.h"

enum { KERNEL_NS = 3 * 1000 * 1000, OTHER_NS = 1000 * 1000 };

void workload_staged_behind_kernel(const struct workload_options *options)
{
    setup_kernel();
    void *host = options->fixed ? setup_pinned(options->bytes) : setup_pageable(options->bytes);
    void *device = setup_device(options->bytes);
    const cudaStream_t copies = setup_stream(), other = setup_stream();
    CHECK(spin_launch(OTHER_NS, other));
    for (uint32_t round = 0; round < options->rounds; round++) {
        CHECK(spin_launch(KERNEL_NS, copies));
        CHECK(cudaMemcpyAsync(device, host, options->bytes, cudaMemcpyHostToDevice, copies));
        CHECK(spin_launch(OTHER_NS, other));
        CHECK(spin_launch(KERNEL_NS, copies));
        CHECK(cudaMemcpyAsync(host, device, options->bytes, cudaMemcpyDeviceToHost, copies));
        CHECK(spin_launch(OTHER_NS, other));
    }
    CHECK(cudaDeviceSynchronize());
}
