#include "pipeline.h"

/* As long as a pinned copy on PCIe 5 x16 takes, so that copies and kernels can hide each other: 55 GB/s, measured. */
static uint64_t kernel_ns(size_t bytes)
{
    return bytes / 55;
}

void pipeline_run(const struct workload_options *options, void *const host[PIPELINE_STREAMS])
{
    cudaStream_t streams[PIPELINE_STREAMS];
    void *device[PIPELINE_STREAMS];
    for (int i = 0; i < PIPELINE_STREAMS; i++) {
        streams[i] = setup_stream();
        device[i] = setup_device(options->bytes);
    }
    for (uint32_t chunk = 0; chunk < options->rounds; chunk++) {
        uint32_t i = chunk % PIPELINE_STREAMS;
        CHECK(cudaMemcpyAsync(device[i], host[i], options->bytes, cudaMemcpyHostToDevice, streams[i]));
        CHECK(spin_launch(kernel_ns(options->bytes), streams[i]));
        CHECK(cudaMemcpyAsync(host[i], device[i], options->bytes, cudaMemcpyDeviceToHost, streams[i]));
    }
    CHECK(cudaDeviceSynchronize());
}
