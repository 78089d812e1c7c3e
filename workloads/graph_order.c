/* One launch of a graph with two branches that wait for each other at every step.
 *
 * You should see: the branches take turns, since the graph's edges say so: graph-order. There is no event and no stream of the
 * program's to blame. Whether the edges are needed only its author knows.
 */
#include "workloads.h"

enum { KERNEL_NS = 300 * 1000 };

void workload_graph_order(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t streams[2] = {setup_stream(), setup_stream()};
    const cudaEvent_t events[2] = {setup_event(), setup_event()};
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
    for (uint32_t round = 0; round < options->rounds; round++)
        for (int i = 0; i < 2; i++) {
            if (round > 0 || i > 0)
                CHECK(cudaStreamWaitEvent(streams[i], events[1 - i], 0));
            CHECK(spin_launch(KERNEL_NS, streams[i]));
            CHECK(spin_launch(KERNEL_NS / (i + 2), streams[i]));
            CHECK(cudaEventRecord(events[i], streams[i]));
        }
    CHECK(cudaStreamWaitEvent(streams[0], events[1], 0));
    cudaGraphExec_t graph = setup_graph(streams[0]);
    CHECK(cudaGraphLaunch(graph, streams[0]));
    CHECK(cudaDeviceSynchronize());
}
