/* programs NAME[:COUNT]... - the programs whose slow-down bench/overhead.py measures, one after the other. Of each is printed
 * how many nanoseconds one of its operations took, set-up not counted. */
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

static char *pageable, *pinned, *host_memory, *device_memory;
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

/* Prints the nanoseconds that one operation took. */
static void measure(const char *name, void (*run)(long count), long count, long warm_up)
{
    host_memory = strcmp(name, "pageable-copies") == 0 ? pageable : pinned;
    run(warm_up);
    CHECK(cudaDeviceSynchronize());
    auto begin = std::chrono::steady_clock::now();
    run(count);
    CHECK(cudaDeviceSynchronize());
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    printf("%s %.1f\n", name, took.count() / (double)count);
}

/* A program of the name, COUNT behind a colon: "launches:30000000". */
static bool run_named(const char *argument)
{
    for (const auto &program : programs) {
        size_t length = strlen(program.name);
        if (strncmp(program.name, argument, length) != 0 || (argument[length] != ':' && argument[length] != '\0'))
            continue;
        measure(program.name, program.run, argument[length] == ':' ? atol(argument + length + 1) : program.count,
                program.warm_up);
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    pageable = (char *)malloc(LARGE);
    CHECK(cudaMallocHost(&pinned, LARGE));
    memset(pageable, 1, LARGE);
    memset(pinned, 1, LARGE);
    CHECK(cudaMalloc(&device_memory, LARGE));
    graph_create();
    for (int i = 1; i < argc; i++)
        if (!run_named(argv[i])) {
            fprintf(stderr, "usage: programs launches|threads|pinned-copies|pageable-copies|graph[:COUNT]...\n");
            return 2;
        }
    return 0;
}
