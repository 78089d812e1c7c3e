/* Kernels on two streams; each stream is told to wait for the event behind the other's last kernel.
 *
 * You should see: the streams take turns, as if they were one: event-wait. With --fixed nobody waits and they overlap.
 */
#include "workloads.h"

enum { KERNEL_NS = 400 * 1000 };

void workload_event_chain(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t streams[2] = {setup_stream(), setup_stream()};
    const cudaEvent_t events[2] = {setup_event(), setup_event()};
    for (uint32_t round = 0; round < options->rounds; round++)
        for (int i = 0; i < 2; i++) {
            if (!options->fixed && (round > 0 || i > 0))
                CHECK(cudaStreamWaitEvent(streams[i], events[1 - i], 0));
            CHECK(spin_launch(KERNEL_NS, streams[i]));
            CHECK(cudaEventRecord(events[i], streams[i]));
        }
    CHECK(cudaDeviceSynchronize());
}
