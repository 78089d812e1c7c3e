/* mock-bus SCENARIO: a program that copies. It loads the tracer as CUDA does, and a fake libcupti stands in for the GPU
 * and its PCIe link. */
#include <cupti.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void (*fake_record)(const void *, size_t);
static void (*fake_context)(uint32_t);
static void (*fake_profiler)(bool);

static void *symbol(const char *variable, const char *name)
{
    void *library = dlopen(getenv(variable), RTLD_NOW);
    void *found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL)
        exit(90);
    return found;
}

static void sleep_ms(long ms)
{
    struct timespec time = {0, ms * 1000000};
    nanosleep(&time, NULL);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void cuda_initialise(void)
{
    int (*initialize_injection)(void);
    *(void **)&fake_record = symbol("CUGANTT_CUPTI", "fake_record");
    *(void **)&fake_context = symbol("CUGANTT_CUPTI", "fake_context");
    *(void **)&fake_profiler = symbol("CUGANTT_CUPTI", "fake_profiler");
    *(void **)&initialize_injection = symbol("CUDA_INJECTION64_PATH", "InitializeInjection");
    if (initialize_injection() != 1)
        exit(91);
}

static void context_create(uint32_t device)
{
    CUpti_ActivityContext context = {.kind = CUPTI_ACTIVITY_KIND_CONTEXT, .contextId = device + 1, .deviceId = device,
                                     .nullStreamId = 7};
    fake_context(device);
    fake_record(&context, sizeof context);
}

/* A copy that takes `ms`. */
static void copy(long ms)
{
    CUpti_ActivityMemcpy5 record = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY, .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
                                    .srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
                                    .dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, .bytes = 1 << 20, .contextId = 1,
                                    .streamId = 7, .start = now_ns()};
    sleep_ms(ms);
    record.end = now_ns();
    fake_record(&record, sizeof record);
}

static int scenario_copy(void)
{
    context_create(0);
    copy(20);
    return 3;
}

static int scenario_signal(void)
{
    context_create(0);
    copy(20);
    raise(SIGTERM);
    return 92;
}

static int scenario_devices(void)
{
    context_create(0);
    context_create(1);
    context_create(0); /* a second one changes nothing */
    copy(5);
    return 0;
}

static int scenario_range(void)
{
    context_create(0);
    copy(20);
    for (int i = 0; i < 2; i++) {
        fake_profiler(true);
        copy(10);
        fake_profiler(false);
        sleep_ms(30);
    }
    return 0;
}

/* The child makes contexts, as far as it can, and ends. */
static int scenario_fork(void)
{
    int status = 0;
    context_create(0);
    copy(5);
    pid_t child = fork();
    if (child == 0) {
        fake_context(1);
        exit(5);
    }
    for (int i = 0; i < 500 && waitpid(child, &status, WNOHANG) == 0; i++)
        sleep_ms(10);
    return WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 0 : 93;
}

static const struct scenario {
    const char *name;
    int (*run)(void);
} scenarios[] = {
    {"copy", scenario_copy},   {"signal", scenario_signal}, {"devices", scenario_devices},
    {"range", scenario_range}, {"fork", scenario_fork},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof scenarios / sizeof *scenarios; i++)
        if (strcmp(argv[1], scenarios[i].name) == 0) {
            cuda_initialise();
            return scenarios[i].run();
        }
    fprintf(stderr, "mock-bus: no such scenario\n");
    return 2;
}
