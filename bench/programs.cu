/* programs NAME [COUNT] - the programs whose slow-down bench/overhead.py measures. Each prints the nanoseconds that one of its
 * operations took, set-up not counted. */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        cudaError_t status_ = (call);                                                           \
        if (status_ != cudaSuccess) {                                                           \
            fprintf(stderr, "programs: %s: %s\n", #call, cudaGetErrorString(status_));          \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

__global__ void empty() {}

static void launch(cudaStream_t stream, long count)
{
    for (long i = 0; i < count; i++)
        empty<<<1, 1, 0, stream>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
}

static void launches(long count)
{
    launch(0, count);
}

static void threads(long count)
{
    std::vector<std::thread> all;
    for (int i = 0; i < 8; i++)
        all.emplace_back([=] {
            cudaStream_t stream;
            CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            launch(stream, count / 8);
            CHECK(cudaStreamDestroy(stream));
        });
    for (auto &thread : all)
        thread.join();
}

static char *host_memory, *device_memory;
enum { SMALL = 4096, LARGE = 16 << 20 };

static void pinned_copies(long count)
{
    for (long i = 0; i < count; i++)
        CHECK(cudaMemcpyAsync(device_memory, host_memory, SMALL, cudaMemcpyHostToDevice, 0));
    CHECK(cudaStreamSynchronize(0));
}

static void pageable_copies(long count)
{
    for (long i = 0; i < count; i++)
        CHECK(cudaMemcpy(device_memory, host_memory, LARGE, cudaMemcpyHostToDevice));
}

static cudaGraphExec_t graph;
enum { NODES = 1000 };

static void graph_create()
{
    cudaStream_t stream;
    cudaGraph_t captured;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < NODES; i++)
        empty<<<1, 1, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &captured));
    CHECK(cudaGraphInstantiate(&graph, captured, 0));
}

static void graph_launches(long count)
{
    for (long i = 0; i < count / NODES; i++)
        CHECK(cudaGraphLaunch(graph, 0));
    CHECK(cudaStreamSynchronize(0));
}

static const struct {
    const char *name;
    void (*run)(long count);
    long count, warm_up;
} programs[] = {
    {"launches", launches, 500000, 1000},           {"threads", threads, 800000, 8000},
    {"pinned-copies", pinned_copies, 10000, 100},   {"pageable-copies", pageable_copies, 100, 3},
    {"graph", graph_launches, 1000 * NODES, NODES},
};

int main(int argc, char **argv)
{
    for (const auto &program : programs) {
        if (argc < 2 || strcmp(program.name, argv[1]) != 0)
            continue;
        long count = argc > 2 ? atol(argv[2]) : program.count;
        if (strcmp(program.name, "pageable-copies") == 0)
            host_memory = (char *)malloc(LARGE);
        else
            CHECK(cudaMallocHost(&host_memory, LARGE));
        memset(host_memory, 1, LARGE);
        CHECK(cudaMalloc(&device_memory, LARGE));
        graph_create();
        program.run(program.warm_up);
        CHECK(cudaDeviceSynchronize());
        auto begin = std::chrono::steady_clock::now();
        program.run(count);
        CHECK(cudaDeviceSynchronize());
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        printf("%.1f\n", took.count() / (double)count);
        return 0;
    }
    fprintf(stderr, "usage: programs launches|threads|pinned-copies|pageable-copies|graph [COUNT]\n");
    return 2;
}
