/* Kernels that take less time than their launch, one after another in one stream, behind one that lets them queue up.
 *
 * You should see: between two kernels a gap of the time that the device needs to start the next: launch-latency. With
 * --fixed the same kernels are a graph, and the gaps shrink.
 */
#include "workloads.h"

enum { HEAD_NS = 2000 * 1000, KERNEL_NS = 1000 };

static void kernels(const struct workload_options *options, cudaStream_t stream)
{
    for (uint32_t round = 0; round < options->rounds; round++)
        CHECK(spin_launch(KERNEL_NS, stream));
}

void workload_launch_latency(const struct workload_options *options)
{
    cudaGraphExec_t graph = NULL;
    setup_kernel();
    const cudaStream_t stream = setup_stream();
    if (options->fixed) {
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        kernels(options, stream);
        graph = setup_graph(stream);
    }
    CHECK(spin_launch(HEAD_NS, stream));
    if (options->fixed)
        CHECK(cudaGraphLaunch(graph, stream));
    else
        kernels(options, stream);
    CHECK(cudaStreamSynchronize(stream));
}
