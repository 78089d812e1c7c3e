/* A step that allocates pinned and device memory, uses it and frees it, again and again.
 *
 * You should see: the stream idle under cudaMallocHost and cudaFreeHost, which take longer than the work; cudaFree waits for
 * the device as well: host-alloc. With --fixed the pinned memory is allocated once and the device's comes from the
 * stream's pool.
 */
#include "workloads.h"

enum { KERNEL_NS = 200 * 1000 };

static void *device_get(const struct workload_options *options, cudaStream_t stream)
{
    void *memory;
    if (options->fixed)
        CHECK(cudaMallocAsync(&memory, options->bytes, stream));
    else
        CHECK(cudaMalloc(&memory, options->bytes));
    return memory;
}

void workload_host_alloc(const struct workload_options *options)
{
    void *kept = NULL;
    setup_kernel();
    const cudaStream_t stream = setup_stream();
    if (options->fixed) {
        kept = setup_pinned(options->bytes);
        /* the pool gets its memory before the measured part */
        CHECK(cudaFreeAsync(device_get(options, stream), stream));
    }
    for (uint32_t round = 0; round < options->rounds; round++) {
        void *host = kept;
        if (!options->fixed)
            CHECK(cudaMallocHost(&host, options->bytes));
        void *device = device_get(options, stream);
        CHECK(cudaMemcpyAsync(device, host, options->bytes, cudaMemcpyHostToDevice, stream));
        CHECK(spin_launch(KERNEL_NS, stream));
        if (options->fixed) {
            CHECK(cudaFreeAsync(device, stream));
        } else {
            CHECK(cudaFree(device));
            CHECK(cudaFreeHost(host));
        }
    }
    CHECK(cudaStreamSynchronize(stream));
}
