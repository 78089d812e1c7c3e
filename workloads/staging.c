/* Uploads and downloads of three sizes, each from pageable and from pinned memory. Record it with --pcie.
 *
 * You should see: a copy of pageable memory is one bar, but the bus carries it in bursts with holes between them, in
 * which a CPU thread fills the driver's pinned buffer. A pinned copy is one block at the bus's own rate.
 */
#include "workloads.h"

enum { SIZES = 3, SMALLER = 4 };

void workload_staging(const struct workload_options *options)
{
    void *device = setup_device(options->bytes);
    void *const host[] = {setup_pageable(options->bytes), setup_pinned(options->bytes)};
    for (uint32_t round = 0; round < options->rounds; round++) {
        size_t bytes = options->bytes;
        for (int size = 0; size < SIZES; size++, bytes /= SMALLER) {
            for (int memory = 0; memory < 2; memory++)
                CHECK(cudaMemcpy(device, host[memory], bytes, cudaMemcpyHostToDevice));
            for (int memory = 0; memory < 2; memory++)
                CHECK(cudaMemcpy(host[memory], device, bytes, cudaMemcpyDeviceToHost));
        }
    }
}
