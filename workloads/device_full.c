/* Kernels on three streams, each with four times as many blocks as the device holds at once.
 *
 * You should see: three streams, next to no overlap. A kernel's blocks start when those in front of them leave the
 * multiprocessors, whatever stream they are of: device-full. No stream setting helps; less work does.
 */
#include "workloads.h"

enum { BLOCK_NS = 200 * 1000, FILLINGS = 4, BLOCKS_EACH = 2 }; /* of 1024 threads: two fill a multiprocessor */

void workload_device_full(const struct workload_options *options)
{
    int device, processors;
    setup_kernel();
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const cudaStream_t streams[3] = {setup_non_blocking_stream(), setup_non_blocking_stream(), setup_non_blocking_stream()};
    for (uint32_t round = 0; round < options->rounds; round++)
        for (int i = 0; i < 3; i++)
            CHECK(spin_launch_wide(BLOCK_NS, (unsigned)processors * BLOCKS_EACH * FILLINGS, streams[i]));
    CHECK(cudaDeviceSynchronize());
}
