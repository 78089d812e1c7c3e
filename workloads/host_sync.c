/* Two streams, one of them with longer kernels, and a cudaDeviceSynchronize after every pair.
 *
 * You should see: the stream with the short kernels waits for the thread, and the thread for the other stream: host-sync. With
 * --fixed the thread synchronises once, at the end.
 */
#include "workloads.h"

enum { LONG_NS = 600 * 1000, SHORT_NS = 100 * 1000 };

void workload_host_sync(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t streams[2] = {setup_stream(), setup_stream()};
    for (uint32_t round = 0; round < options->rounds; round++) {
        CHECK(spin_launch(LONG_NS, streams[round % 2]));
        CHECK(spin_launch(SHORT_NS, streams[1 - round % 2]));
        if (!options->fixed)
            CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaDeviceSynchronize());
}
