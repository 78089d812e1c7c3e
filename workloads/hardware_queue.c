/* Kernels on eight streams, issued stream by stream, with CUDA_DEVICE_MAX_CONNECTIONS=1: one queue for all streams.
 *
 * You should see: the streams run one after another. At the head of the queue stands a kernel that waits for the one
 * before it in its stream, and those of other streams cannot pass it: hardware-queue-shared. With --fixed there
 * are 32 queues, and the streams run side by side.
 */
#include "workloads.h"

enum { KERNEL_NS = 300 * 1000, STREAMS = 8 };

void workload_hardware_queue(const struct workload_options *options)
{
    cudaStream_t streams[STREAMS];
    setup_kernel();
    for (int i = 0; i < STREAMS; i++)
        streams[i] = setup_non_blocking_stream();
    for (int i = 0; i < STREAMS; i++)
        for (uint32_t round = 0; round < options->rounds; round++)
            CHECK(spin_launch(KERNEL_NS, streams[i]));
    CHECK(cudaDeviceSynchronize());
}
