/* gpu-parts CASE [COUNT]: a CUDA program that marks its parts, by NVTX and by cudaProfilerStart().
 *
 * Each step launches KERNELS kernels of 1 ms on a stream and does not wait for them. Cases that end in a number print
 * what one of COUNT took, in nanoseconds.
 */
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KERNELS = 3, STEPS = 4, KERNEL_NS = 1000000, NODES = 20 };

cudaError_t spin_launch(uint64_t duration_ns, cudaStream_t stream);

static cudaStream_t stream;

static void check(cudaError_t result)
{
    if (result == cudaSuccess)
        return;
    fprintf(stderr, "gpu-parts: %s\n", cudaGetErrorString(result));
    exit(90);
}

static void step(int number)
{
    char name[16];
    snprintf(name, sizeof name, "step %d", number);
    nvtxRangePushA(name);
    for (int i = 0; i < KERNELS; i++)
        check(spin_launch(KERNEL_NS, stream));
    nvtxRangePop();
}

static void run_steps(int count)
{
    (void)count;
    nvtxRangePushA("all steps");
    for (int number = 1; number <= STEPS; number++) {
        if (number == 2)
            check(cudaProfilerStart());
        step(number);
        if (number == 3)
            check(cudaProfilerStop()); /* with kernels on their way */
    }
    check(cudaStreamSynchronize(stream));
    nvtxMarkA("done");
    nvtxRangePop();
}

static void run_graph(int count)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < NODES; i++)
        check(spin_launch(1000, stream));
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < count; i++)
        check(cudaGraphLaunch(exec, stream));
    check(cudaStreamSynchronize(stream));
}

/* A kernel every 10 ms. */
static void run_slow(int count)
{
    const struct timespec pause = {0, 10000000};
    for (int i = 0; i < count; i++) {
        check(spin_launch(1000, stream));
        nanosleep(&pause, NULL);
    }
    check(cudaStreamSynchronize(stream));
}

static void run_launches(int count)
{
    for (int i = 0; i < count; i++)
        check(spin_launch(0, stream));
    check(cudaStreamSynchronize(stream));
}

static void run_ranges(int count)
{
    for (int i = 0; i < count; i++) {
        nvtxRangePushA("a range");
        nvtxRangePop();
    }
}

static const struct part {
    const char *name;
    void (*run)(int count);
    int warm; /* of this many before the clock starts */
} parts[] = {
    {"steps", run_steps, 0},          {"graph", run_graph, 0},      {"slow", run_slow, 0},
    {"launches", run_launches, 1000}, {"ranges", run_ranges, 1000},
};

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void run(const struct part *part, int count)
{
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (part->warm > 0)
        part->run(part->warm);
    double begin = now_ns();
    part->run(count);
    printf("%s %.0f\n", part->name, (now_ns() - begin) / count);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc >= 2 && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(argv[1], parts[i].name) == 0) {
            run(&parts[i], argc > 2 ? atoi(argv[2]) : 1);
            return 0;
        }
    fprintf(stderr, "gpu-parts: no such case\n");
    return 2;
}
