/* Short kernels, each launched after some work on the host, as by a framework in an interpreted language.
 *
 * You should see: the stream waits for the host, which is outside CUDA: host-busy. With --fixed the kernels are
 * captured into a graph once and launched with one call.
 */
#include "workloads.h"

enum { KERNEL_NS = 5 * 1000, HOST_NS = 20 * 1000 };

void workload_host_busy(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t stream = setup_stream();
    if (options->fixed)
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (uint32_t round = 0; round < options->rounds; round++) {
        host_work(HOST_NS);
        CHECK(spin_launch(KERNEL_NS, stream));
    }
    if (options->fixed) {
        cudaGraphExec_t graph = setup_graph(stream);
        CHECK(cudaGraphLaunch(graph, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
}
