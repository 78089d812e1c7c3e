/* Kernels on two streams with CUDA_LAUNCH_BLOCKING=1 in the environment, as left over from looking for a fault.
 *
 * You should see: each launch call lasts as long as its kernel, so the other stream has nothing to do: launch-blocking.
 * With --fixed the variable is 0, and the streams overlap.
 */
#include "workloads.h"

enum { KERNEL_NS = 500 * 1000 };

void workload_launch_blocking(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t streams[2] = {setup_stream(), setup_stream()};
    for (uint32_t round = 0; round < options->rounds; round++)
        for (int i = 0; i < 2; i++)
            CHECK(spin_launch(KERNEL_NS, streams[i]));
    CHECK(cudaDeviceSynchronize());
}
