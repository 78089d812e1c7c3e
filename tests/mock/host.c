/* mock-host SCENARIO: a program that "uses CUDA". It loads the tracer as CUDA does, and a fake libcupti stands in for
 * the GPU. Ends with the scenario's exit status; 90 and above mean that the scenario itself went wrong. */
#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_cupti.h"
#include "host.h"

#define EMIT(type, ...)                     \
    do {                                    \
        type record_ = {__VA_ARGS__};       \
        record(&record_, sizeof record_);   \
    } while (0)

static struct {
    void (*record)(const void *, size_t);
    void (*complete)(void);
    void (*take_buffers)(unsigned);
    void (*drop)(size_t);
    void (*take_over)(void);
    void (*hold_lock)(void);
    int (*registrations)(void);
} fake;

static int (*initialize_injection)(void);

static void *symbol(const char *library, const char *name)
{
    void *handle = library ? dlopen(library, RTLD_NOW) : NULL;
    return handle ? dlsym(handle, name) : NULL;
}

/* As libcuda's. CUPTI records the call, as any other. */
CUresult cuDriverGetVersion(int *ret_version)
{
    CUpti_ActivityAPI call = {.kind = CUPTI_ACTIVITY_KIND_DRIVER, .start = 1, .end = 2};
    if (fake.record == NULL)
        return CUDA_ERROR_NOT_INITIALIZED;
    fake.record(&call, sizeof call);
    *ret_version = 13000;
    return CUDA_SUCCESS;
}

static void fake_find(void)
{
    const char *library = getenv("CUGANTT_CUPTI");
    *(void **)&fake.record = symbol(library, "fake_record");
    *(void **)&fake.complete = symbol(library, "fake_complete");
    *(void **)&fake.take_buffers = symbol(library, "fake_take_buffers");
    *(void **)&fake.drop = symbol(library, "fake_drop");
    *(void **)&fake.take_over = symbol(library, "fake_take_over");
    *(void **)&fake.hold_lock = symbol(library, "fake_hold_lock");
    *(void **)&fake.registrations = symbol(library, "fake_registrations");
}

void cuda_initialise(void)
{
    const char *tracer = getenv("CUDA_INJECTION64_PATH");
    fake_find();
    if (tracer == NULL)
        return;
    *(void **)&initialize_injection = symbol(tracer, "InitializeInjection");
    if (initialize_injection == NULL) {
        fprintf(stderr, "mock-host: %s\n", dlerror());
        exit(90);
    }
    if (initialize_injection() != 1)
        exit(91);
}

/* Nothing is recorded when the tracer did not start. */
static void record(const void *record, size_t size)
{
    if (fake.registrations != NULL && fake.registrations() > 0)
        fake.record(record, size);
}

void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

void emit_call(uint32_t correlation)
{
    EMIT(CUpti_ActivityAPI, .kind = CUPTI_ACTIVITY_KIND_RUNTIME, .cbid = 211, .start = 1000 + correlation,
         .end = 1500 + correlation, .processId = (uint32_t)getpid(), .threadId = (uint32_t)gettid(),
         .correlationId = correlation);
}

void emit_kernel(uint64_t start, uint64_t end)
{
    EMIT(CUpti_ActivityKernel7, .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .start = start, .end = end,
         .deviceId = 0, .contextId = 1, .streamId = 13, .correlationId = 7, .gridX = 4, .gridY = 5, .gridZ = 6,
         .blockX = 32, .blockY = 2, .blockZ = 1, .registersPerThread = 40, .staticSharedMemory = 1024,
         .dynamicSharedMemory = 2048, .localMemoryPerThread = 16, .name = "_Z4spinx", .graphId = 3,
         .graphNodeId = ((uint64_t)3 << 32) + 9, .channelID = 2, .channelType = 1, .launchType = 0);
}

void emit_context(void)
{
    EMIT(CUpti_ActivityContext, .kind = CUPTI_ACTIVITY_KIND_CONTEXT, .contextId = 1, .deviceId = 0, .nullStreamId = 7);
}

void cupti_lock(void)
{
    if (fake.hold_lock != NULL)
        fake.hold_lock();
}

static void emit_machine(void)
{
    EMIT(CUpti_ActivityDevice4, .kind = CUPTI_ACTIVITY_KIND_DEVICE, .id = 0, .name = "Mock GPU",
         .uuid = {"\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd"},
         .numMultiprocessors = 132, .numMemcpyEngines = 3, .computeCapabilityMajor = 9, .globalMemorySize = 1 << 20,
         .globalMemoryBandwidth = 4800000000, .maxWarpsPerMultiprocessor = 64, .maxBlocksPerMultiprocessor = 32,
         .maxRegistersPerMultiprocessor = 65536, .maxSharedMemoryPerMultiprocessor = 233472, .numThreadsPerWarp = 32);
    emit_context();
    EMIT(CUpti_ActivityStream, .kind = CUPTI_ACTIVITY_KIND_STREAM, .contextId = 1, .streamId = 13,
         .priority = (uint32_t)-5, .flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING, .correlationId = 2);
}

static void emit_copies(void)
{
    EMIT(CUpti_ActivityMemcpy5, .kind = CUPTI_ACTIVITY_KIND_MEMCPY, .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
         .srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE, .dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
         .flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC, .bytes = 4096, .start = 3000, .end = 4000, .contextId = 1,
         .streamId = 13, .correlationId = 8, .channelID = 5, .channelType = 2);
    EMIT(CUpti_ActivityMemcpyPtoP4, .kind = CUPTI_ACTIVITY_KIND_MEMCPY2, .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP,
         .srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, .dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, .bytes = 512,
         .start = 4000, .end = 4100, .contextId = 1, .streamId = 13, .srcDeviceId = 0, .dstDeviceId = 1,
         .correlationId = 9);
    EMIT(CUpti_ActivityMemset4, .kind = CUPTI_ACTIVITY_KIND_MEMSET, .value = 0xab, .bytes = 256, .start = 4200,
         .end = 4300, .contextId = 1, .streamId = 13, .correlationId = 10,
         .memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
}

/* The appended fields of newer versions, written by their place: the headers of older toolkits lack the structs. */
static void emit_waits(void)
{
    struct {
        CUpti_ActivitySynchronization old;
        uint64_t event_sync;
        uint32_t result, pad;
    } sync = {{.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
               .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, .start = 5000, .end = 5100,
               .correlationId = 11, .contextId = 1, .streamId = 13, .cudaEventId = 4}, 77, 0, 0};
    struct {
        CUpti_ActivityCudaEvent old;
        uint32_t device, pad;
        void *reserved;
        uint64_t time, event_sync;
    } event = {{.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT, .correlationId = 12, .contextId = 1, .streamId = 13,
                .eventId = 4}, 0, 0, NULL, 0, 77};
    struct {
        CUpti_ActivityOverhead old;
        uint32_t correlation, pad;
        void *data;
    } overhead = {{.kind = CUPTI_ACTIVITY_KIND_OVERHEAD, .overheadKind = (CUpti_ActivityOverheadKind)(6 << 16),
                   .objectKind = CUPTI_ACTIVITY_OBJECT_THREAD, .objectId.pt.threadId = 99, .start = 6000, .end = 6100},
                  13, 0, malloc(12)};
    record(&sync, sizeof sync);
    record(&event, sizeof event);
    record(&overhead, sizeof overhead);
}

/* The same from a library that does not have these fields yet. */
static void emit_waits_old(void)
{
    EMIT(CUpti_ActivitySynchronization, .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
         .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, .start = 5000, .end = 5100, .contextId = 1,
         .streamId = 13, .cudaEventId = 4);
    EMIT(CUpti_ActivityCudaEvent, .kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT, .contextId = 1, .streamId = 13, .eventId = 4);
    EMIT(CUpti_ActivityOverhead, .kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
         .overheadKind = (CUpti_ActivityOverheadKind)(6 << 16), .objectKind = CUPTI_ACTIVITY_OBJECT_PROCESS,
         .start = 6000, .end = 6100);
}

static void emit_memory(void)
{
    EMIT(CUpti_ActivityMemory2, .kind = CUPTI_ACTIVITY_KIND_MEMORY2,
         .memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION,
         .memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED, .correlationId = 14, .address = 0x7000, .bytes = 65536,
         .timestamp = 7000, .contextId = 1, .streamId = UINT32_MAX);
}

static int scenario_normal(void)
{
    EMIT(CUpti_ActivityAPI, .kind = CUPTI_ACTIVITY_KIND_DRIVER, .cbid = 1, .start = 100, .end = 200,
         .threadId = (uint32_t)gettid(), .correlationId = 1);
    emit_machine();
    emit_call(7);
    emit_kernel(2000, 2500);
    emit_copies();
    emit_waits();
    emit_memory();
    puts("output of the program");
    return 7;
}

static int scenario_old(void)
{
    emit_context();
    emit_kernel(2000, 2500);
    emit_waits_old();
    emit_memory();
    return 0;
}

static int scenario_query(void)
{
    EMIT(CUpti_ActivityAPI, .kind = CUPTI_ACTIVITY_KIND_DRIVER, .cbid = 1, .start = 100, .end = 200);
    return 0;
}

/* Buffers are held until there is work: all come out, in order. */
static int scenario_late(void)
{
    for (uint32_t i = 1; i <= 5; i++) {
        emit_call(i);
        fake.complete();
    }
    emit_context();
    emit_kernel(2000, 2500);
    return 0;
}

static int scenario_refused(void)
{
    emit_context();
    fake.complete();
    fake.take_buffers(600);
    emit_kernel(2000, 2500); /* no buffer: dropped */
    return 0;
}

static int scenario_dropped(void)
{
    emit_context();
    fake.drop(5);
    return 0;
}

static int scenario_taken_over(void)
{
    emit_context();
    emit_kernel(2000, 2500);
    fake.complete();
    emit_kernel(3000, 3500); /* in a buffer of the tracer that it never gets back: it is read there */
    fake.take_over();
    return 0;
}

/* A profiler that is linked with CUPTI: loaded before CUDA is initialised, as PyTorch's. */
static int scenario_rival(void)
{
    const char *library = getenv("RIVAL");
    void (*start)(void);
    unsigned (*stop)(void);
    *(void **)&start = symbol(library, "rival_start");
    *(void **)&stop = symbol(library, "rival_stop");
    if (start == NULL || stop == NULL)
        return 96;
    cuda_initialise();
    emit_context();
    emit_kernel(2000, 2500);
    start();
    emit_kernel(3000, 3500);
    emit_kernel(4000, 4500);
    printf("the other one got %u kernels\n", stop());
    return 0;
}

/* What CUPTI had of ours it has given back before. */
static int scenario_taken_over_silently(void)
{
    emit_context();
    emit_kernel(2000, 2500);
    fake.complete();
    fake.take_over();
    return 0;
}

static int scenario_unknown(void)
{
    emit_context();
    EMIT(CUpti_Activity, .kind = (CUpti_ActivityKind)200);
    EMIT(CUpti_Activity, .kind = CUPTI_ACTIVITY_KIND_NAME);
    emit_kernel(2000, 2500);
    return 0;
}

static int scenario_invalid(void)
{
    emit_context();
    emit_kernel(0, 0);
    emit_kernel(2500, 2000);
    emit_kernel((uint64_t)1 << 63, (uint64_t)1 << 63);
    emit_kernel(2000, 2500);
    return 0;
}

static void *complete_forever(void *argument)
{
    (void)argument;
    for (uint32_t i = 0;; i++) {
        emit_call(i);
        fake.complete();
    }
    return NULL;
}

/* A thread goes on calling CUDA while the program exits. */
static int scenario_busy_exit(void)
{
    pthread_t thread;
    emit_context();
    emit_kernel(2000, 2500);
    if (pthread_create(&thread, NULL, complete_forever, NULL) != 0)
        return 92;
    sleep_ms(50);
    return 0;
}

/* The child must exit at once, and leave CUPTI and the trace alone. */
static int scenario_fork(void)
{
    int status = 0;
    emit_context();
    emit_kernel(2000, 2500);
    fake.complete();
    pid_t child = fork();
    if (child == 0)
        exit(5);
    for (int i = 0; i < 500 && waitpid(child, &status, WNOHANG) == 0; i++)
        sleep_ms(10);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 5)
        return 93;
    emit_kernel(3000, 3500);
    return 0;
}

static int scenario_twice(void)
{
    if (initialize_injection() != 1 || fake.registrations() != 1)
        return 94;
    emit_context();
    return 0;
}

/* Some 500 KiB of records. */
static int scenario_long(void)
{
    emit_context();
    for (uint32_t i = 1; i <= 10000; i++)
        emit_call(i);
    emit_kernel(2000, 2500);
    return 0;
}

/* The file may grow to 96 KiB, and the program wants no signal about it. Blocks are 64 KiB. */
static int scenario_full(void)
{
    struct rlimit limit = {96 << 10, 96 << 10};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    return scenario_long();
}

static int scenario_killed(void)
{
    emit_context();
    emit_kernel(2000, 2500);
    emit_call(1);
    sleep_ms(500); /* several flushes */
    kill(getpid(), SIGKILL);
    return 95;
}

static int scenario_signal(void)
{
    emit_context();
    fflush(stdout);
    raise(SIGTERM);
    return 96;
}

/* Waits to be told, as a server does. */
static volatile sig_atomic_t told;
static void tell(int number)
{
    told = number;
}

static int scenario_wait(void)
{
    signal(SIGUSR1, tell);
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < 500 && told == 0; i++)
        sleep_ms(10);
    return told == SIGUSR1 ? 3 : 97;
}

static int scenario_exec(void)
{
    emit_context();
    if (fork() == 0) {
        execl("/proc/self/exe", "mock-host", "normal", (char *)NULL);
        _exit(98);
    }
    wait(NULL);
    emit_kernel(2000, 2500);
    return 0;
}

static const struct scenario scenarios[] = {
    {"normal", scenario_normal, false},   {"old", scenario_old, false},
    {"query", scenario_query, false},     {"late", scenario_late, false},
    {"refused", scenario_refused, false}, {"dropped", scenario_dropped, false},
    {"unknown", scenario_unknown, false}, {"invalid", scenario_invalid, false},
    {"busy-exit", scenario_busy_exit, false}, {"fork", scenario_fork, false},
    {"twice", scenario_twice, false},     {"full", scenario_full, false},
    {"killed", scenario_killed, false},   {"signal", scenario_signal, false},
    {"taken-over", scenario_taken_over, false},
    {"rival", scenario_rival, true}, {"taken-over-silently", scenario_taken_over_silently, false}, {"long", scenario_long, false},
    {"exec", scenario_exec, false},       {"wait", scenario_wait, true},
};

static const struct scenario *find(const struct scenario *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";
    const struct scenario *scenario = find(scenarios, sizeof scenarios / sizeof *scenarios, name);
    if (scenario == NULL)
        scenario = find(exit_scenarios, exit_scenario_count, name);
    if (scenario == NULL) {
        fprintf(stderr, "mock-host: no such scenario\n");
        return 2;
    }
    if (!scenario->no_cuda)
        cuda_initialise();
    return scenario->run();
}
