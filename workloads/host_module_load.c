/* Kernels that run for the first time, with lazy loading (the default since CUDA 12.2).
 *
 * You should see: gaps under the launch calls, in which the driver loads each kernel's code: host-module-load. With --fixed all
 * code is loaded at the start (CUDA_MODULE_LOADING=EAGER), before the first operation.
 */
#include "workloads.h"

enum { KERNEL_NS = 50 * 1000 };

void workload_host_module_load(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t stream = setup_stream();
    CHECK(spin_launch(KERNEL_NS, stream));
    for (uint32_t round = 0; round < options->rounds; round++)
        for (unsigned nth = 0; nth < HEAVY_KERNELS; nth++) {
            CHECK(heavy_launch(nth, stream));
            CHECK(spin_launch(KERNEL_NS, stream));
        }
    CHECK(cudaStreamSynchronize(stream));
}
