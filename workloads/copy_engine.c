/* Pinned uploads on two streams, issued in turn.
 *
 * You should see: they never overlap. All uploads of a device go through one copy engine, so a copy of one stream waits for
 * the other's: copy-engine-busy. Two streams do not make two links; only a download could go on meanwhile.
 */
#include "workloads.h"

void workload_copy_engine(const struct workload_options *options)
{
    setup_kernel();
    void *const host[2] = {setup_pinned(options->bytes), setup_pinned(options->bytes)};
    void *const device[2] = {setup_device(options->bytes), setup_device(options->bytes)};
    const cudaStream_t streams[2] = {setup_stream(), setup_stream()};
    for (uint32_t round = 0; round < options->rounds; round++)
        for (int i = 0; i < 2; i++)
            CHECK(cudaMemcpyAsync(device[i], host[i], options->bytes, cudaMemcpyHostToDevice, streams[i]));
    CHECK(cudaDeviceSynchronize());
}
