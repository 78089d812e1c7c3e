#include "copies.h"

void copies_run(const struct workload_options *options, void *host)
{
    void *device = setup_device(options->bytes);
    cudaStream_t stream = setup_stream();
    for (uint32_t round = 0; round < options->rounds; round++) {
        CHECK(cudaMemcpy(device, host, options->bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(host, device, options->bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpyAsync(device, host, options->bytes, cudaMemcpyHostToDevice, stream));
        CHECK(cudaMemcpyAsync(host, device, options->bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
}
