#include <stdio.h>
#include <stdlib.h>

#include "probe.h"

enum { LAUNCHES = 1000, TRIPS = 200, IN_A_ROW = 100, MOST_PENDING = 100 * 1000, MOST_STREAMS = 256 };

static const uint64_t blocked_ns = 5 * 1000 * 1000, block_ns = 300 * 1000 * 1000, kernel_ns = 5 * 1000 * 1000;

/* What a launch call takes while there is room in the queue. */
static double launch_call(cudaStream_t stream)
{
    double times[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++) {
        if (i % IN_A_ROW == 0)
            CHECK(cudaStreamSynchronize(stream));
        double begin = probe_now_ns();
        CHECK(spin_launch(0, stream));
        times[i] = probe_now_ns() - begin;
    }
    CHECK(cudaStreamSynchronize(stream));
    return probe_median(times, LAUNCHES);
}

static double round_trip(cudaStream_t stream)
{
    double times[TRIPS];
    for (int i = 0; i < TRIPS; i++) {
        double begin = probe_now_ns();
        CHECK(spin_launch(0, stream));
        CHECK(cudaStreamSynchronize(stream));
        times[i] = probe_now_ns() - begin;
    }
    return probe_median(times, TRIPS);
}

/* Launches behind a long kernel, until one of them is held. */
static int queue_depth(cudaStream_t stream)
{
    int pending = 0;
    CHECK(spin_launch(block_ns, stream));
    for (; pending < MOST_PENDING; pending++) {
        double begin = probe_now_ns();
        CHECK(spin_launch(0, stream));
        if (probe_now_ns() - begin > (double)blocked_ns)
            break;
    }
    CHECK(cudaStreamSynchronize(stream));
    return pending;
}

/* Kernels of one block, each on a stream of its own: how many of them ran at once. */
static int concurrent_kernels(void)
{
    cudaStream_t streams[MOST_STREAMS];
    int most = 1;
    for (int i = 0; i < MOST_STREAMS; i++)
        streams[i] = setup_non_blocking_stream();
    for (int count = 2; count <= MOST_STREAMS; count *= 2) {
        CHECK(cudaDeviceSynchronize());
        double begin = probe_now_ns();
        for (int i = 0; i < count; i++)
            CHECK(spin_launch(kernel_ns, streams[i]));
        CHECK(cudaDeviceSynchronize());
        if (probe_now_ns() - begin < 1.5 * (double)kernel_ns)
            most = count;
    }
    for (int i = 0; i < MOST_STREAMS; i++)
        CHECK(cudaStreamDestroy(streams[i]));
    return most;
}

void probe_launches(void)
{
    cudaStream_t stream = setup_non_blocking_stream();
    double call = launch_call(stream), trip = round_trip(stream);
    int depth = queue_depth(stream), kernels = concurrent_kernels();
    probe_note("probe.launch_ns", "%.0f", call);
    probe_note("probe.round_trip_ns", "%.0f", trip);
    probe_note("probe.queue_depth", "%d", depth);
    probe_note("probe.concurrent_kernels", "%d", kernels);
    printf("a launch: call %.1f us, with its kernel and the wait for it %.1f us (traced)\n", call / 1e3, trip / 1e3);
    printf("launches that may be pending before a call is held: %d%s\n", depth, depth == MOST_PENDING ? " or more" : "");
    printf("kernels at once, of powers of two: %d%s\n", kernels, kernels == MOST_STREAMS ? " or more" : "");
}
