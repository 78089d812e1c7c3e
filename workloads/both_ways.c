/* Pinned copies: in, then out, then both at once on two streams. Record it with --pcie.
 *
 * You should see: the link carries both directions at once, but each somewhat slower than alone.
 */
#include "workloads.h"

void workload_both_ways(const struct workload_options *options)
{
    void *in = setup_pinned(options->bytes), *out = setup_pinned(options->bytes);
    void *to = setup_device(options->bytes), *from = setup_device(options->bytes);
    cudaStream_t up = setup_stream(), down = setup_stream();
    for (uint32_t round = 0; round < options->rounds; round++) {
        CHECK(cudaMemcpyAsync(to, in, options->bytes, cudaMemcpyHostToDevice, up));
        CHECK(cudaStreamSynchronize(up));
        CHECK(cudaMemcpyAsync(out, from, options->bytes, cudaMemcpyDeviceToHost, down));
        CHECK(cudaStreamSynchronize(down));
        CHECK(cudaMemcpyAsync(to, in, options->bytes, cudaMemcpyHostToDevice, up));
        CHECK(cudaMemcpyAsync(out, from, options->bytes, cudaMemcpyDeviceToHost, down));
        CHECK(cudaDeviceSynchronize());
    }
}
