#include "rotation.h"

enum { KERNEL_NS = 300 * 1000 };

void rotation_run(const struct workload_options *options, const cudaStream_t streams[3])
{
    for (uint32_t round = 0; round < options->rounds; round++)
        for (int i = 0; i < 3; i++)
            CHECK(spin_launch(KERNEL_NS, streams[i]));
    CHECK(cudaDeviceSynchronize());
}
