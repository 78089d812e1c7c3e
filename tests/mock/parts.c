/* mock-parts SCENARIO: a program that marks its parts, by NVTX and by cudaProfilerStart(). It loads the tracer as CUDA
 * does, and a fake libcupti stands in for the GPU. NVTX is NVIDIA's own header. */
#include <cupti.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void (*fake_record)(const void *, size_t);
static void (*fake_profiler)(bool);

static void *symbol(const char *variable, const char *name)
{
    void *library = dlopen(getenv(variable), RTLD_NOW);
    void *found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL)
        exit(90);
    return found;
}

static void cuda_initialise(void)
{
    int (*initialize_injection)(void);
    *(void **)&fake_record = symbol("CUGANTT_CUPTI", "fake_record");
    *(void **)&fake_profiler = symbol("CUGANTT_CUPTI", "fake_profiler");
    *(void **)&initialize_injection = symbol("CUDA_INJECTION64_PATH", "InitializeInjection");
    if (initialize_injection() != 1)
        exit(91);
    CUpti_ActivityContext context = {.kind = CUPTI_ACTIVITY_KIND_CONTEXT, .contextId = 1, .nullStreamId = 7};
    fake_record(&context, sizeof context);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void call(uint32_t cbid, uint32_t correlation)
{
    CUpti_ActivityAPI record = {.kind = CUPTI_ACTIVITY_KIND_RUNTIME, .cbid = cbid, .start = now_ns(), .end = now_ns(),
                                .threadId = (uint32_t)gettid(), .correlationId = correlation};
    fake_record(&record, sizeof record);
}

/* A launch; its grid says which it is. */
static void launch(uint32_t number)
{
    CUpti_ActivityKernel7 record = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .start = now_ns(), .contextId = 1,
                                    .streamId = 13, .correlationId = number, .gridX = (int32_t)number, .name = "k"};
    call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, number);
    record.end = now_ns();
    fake_record(&record, sizeof record);
}

static void *other_thread(void *id)
{
    nvtxRangePushA("in the other thread");
    nvtxRangeEnd(*(nvtxRangeId_t *)id);
    nvtxRangePop();
    return NULL;
}

static int scenario_nvtx(void)
{
    nvtxDomainHandle_t library = nvtxDomainCreateA("library");
    nvtxStringHandle_t text = nvtxDomainRegisterStringA(library, "registered");
    nvtxEventAttributes_t attributes = {.version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                        .colorType = NVTX_COLOR_ARGB, .color = 0xff112233,
                                        .messageType = NVTX_MESSAGE_TYPE_REGISTERED, .message.registered = text};
    if (nvtxRangePushA("before CUDA") != 0)
        return 92;
    cuda_initialise();
    if (nvtxRangePushW(L"wide ä€😀") != 1)
        return 93;
    nvtxDomainRangePushEx(library, &attributes);
    nvtxRangeId_t id = nvtxRangeStartA("across threads");
    launch(1);
    if (nvtxRangePop() != 1 || nvtxDomainRangePop(library) != 0)
        return 94;
    nvtxMarkA("here");
    pthread_t thread;
    if (pthread_create(&thread, NULL, other_thread, &id) != 0 || pthread_join(thread, NULL) != 0)
        return 95;
    nvtxRangePop();
    if (nvtxRangePop() >= 0)
        return 96;
    nvtxRangePushA("never popped");
    nvtxRangeStartA("never ended");
    return 0;
}

enum { THREADS = 5, ROUNDS = 2, PUSHES = 10000 };

static void *push_many(void *unused)
{
    (void)unused;
    for (int i = 0; i < PUSHES; i++) {
        nvtxRangePushA("many");
        nvtxRangePop();
    }
    nvtxRangePushA("left open");
    return NULL;
}

/* Threads at once, and threads after them. */
static int scenario_many(void)
{
    pthread_t threads[THREADS];
    cuda_initialise();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < THREADS; i++)
            if (pthread_create(&threads[i], NULL, push_many, NULL) != 0)
                return 98;
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    launch(1); /* not in the range that all of them have left */
    return 0;
}

static int scenario_fork(void)
{
    int status;
    cuda_initialise();
    nvtxRangePushA("parent");
    launch(1);
    pid_t child = fork();
    if (child == 0) {
        nvtxRangePushA("child");
        nvtxRangePop();
        exit(5);
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
        return 97;
    nvtxRangePop();
    return 0;
}

static int scenario_profiler(void)
{
    cuda_initialise();
    launch(1);
    fake_profiler(true);
    launch(2);
    fake_profiler(true); /* twice is as good as once */
    fake_profiler(false);
    launch(3);
    fake_profiler(true);
    launch(4);
    fake_profiler(false);
    return 0;
}

/* Three steps; the second is entered twice, nested. */
static int scenario_steps(void)
{
    cuda_initialise();
    nvtxRangePushA("all");
    for (uint32_t step = 1; step <= 3; step++) {
        char name[16];
        snprintf(name, sizeof name, "step %u", step);
        launch(10 * step);
        nvtxRangePushA(name);
        launch(10 * step + 1);
        nvtxRangePushA(name);
        nvtxRangePop();
        launch(10 * step + 2);
        nvtxRangePop();
    }
    nvtxRangePop();
    return 0;
}

static int scenario_slow(void)
{
    cuda_initialise();
    for (uint32_t i = 1; i <= 8; i++) {
        launch(i);
        sleep_ms(50);
    }
    return 0;
}

/* Writes without end as far as the tracer is concerned. */
static int scenario_large(void)
{
    cuda_initialise();
    for (uint32_t i = 1; i <= 400; i++) {
        for (int k = 0; k < 100; k++)
            launch(i);
        sleep_ms(1);
    }
    return 0;
}

static int scenario_graph(void)
{
    cuda_initialise();
    CUpti_ActivityGraphTrace record = {.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE, .correlationId = 9, .start = 1000,
                                       .end = 3000, .deviceId = 0, .graphId = 4, .contextId = 1, .streamId = 13};
    fake_record(&record, sizeof record);
    return 0;
}

/* What a program notes that knows that it is recorded: found in the tracer as `cugantt run probe` finds it. */
static int scenario_property(void)
{
    int (*property)(const char *, const char *) = NULL;
    void *tracer = dlopen(getenv("CUDA_INJECTION64_PATH"), RTLD_NOW | RTLD_NOLOAD);
    if (tracer != NULL)
        return 98; /* loaded before CUDA is? */
    cuda_initialise();
    tracer = dlopen(getenv("CUDA_INJECTION64_PATH"), RTLD_NOW | RTLD_NOLOAD);
    if (tracer != NULL)
        *(void **)&property = dlsym(tracer, "cugantt_property");
    if (property == NULL || property("probe.copy_engines", "3") != 1 || property("text", "ä, \"b\"") != 1)
        return 99;
    launch(1);
    return 0;
}

static int scenario_calls(void)
{
    cuda_initialise();
    launch(1);
    call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020, 2);
    call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, 3);
    return 0;
}

static const struct scenario {
    const char *name;
    int (*run)(void);
} scenarios[] = {
    {"nvtx", scenario_nvtx},   {"many", scenario_many},   {"fork", scenario_fork},   {"profiler", scenario_profiler},
    {"steps", scenario_steps}, {"slow", scenario_slow},   {"large", scenario_large}, {"graph", scenario_graph},
    {"calls", scenario_calls}, {"property", scenario_property},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof scenarios / sizeof *scenarios; i++)
        if (strcmp(argv[1], scenarios[i].name) == 0)
            return scenarios[i].run();
    fprintf(stderr, "mock-parts: no such scenario\n");
    return 2;
}
