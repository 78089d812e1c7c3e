/* Several independent chains of copy in, kernel, copy out, all of them in one stream.
 *
 * You should see: one operation at a time. A stream runs its work in order, so a chain waits for the one before it although
 * nothing else asks for that: stream-order. With --fixed each chain has a stream of its own, and they overlap.
 */
#include "workloads.h"

enum { KERNEL_NS = 800 * 1000, MOST = 16 };

void workload_stream_order(const struct workload_options *options)
{
    uint32_t chains = options->rounds < MOST ? options->rounds : MOST;
    void *host[MOST], *device[MOST];
    cudaStream_t streams[MOST];
    setup_kernel();
    for (uint32_t i = 0; i < chains; i++) {
        host[i] = setup_pinned(options->bytes);
        device[i] = setup_device(options->bytes);
        streams[i] = i == 0 || options->fixed ? setup_stream() : streams[0];
    }
    for (uint32_t i = 0; i < chains; i++) {
        CHECK(cudaMemcpyAsync(device[i], host[i], options->bytes, cudaMemcpyHostToDevice, streams[i]));
        CHECK(spin_launch(KERNEL_NS, streams[i]));
        CHECK(cudaMemcpyAsync(host[i], device[i], options->bytes, cudaMemcpyDeviceToHost, streams[i]));
    }
    CHECK(cudaDeviceSynchronize());
}
