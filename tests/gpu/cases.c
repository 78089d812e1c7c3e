/* gpu-cases CASE: small CUDA programs that end, fork and share streams in every way a program can.
 *
 * Each works as work() does: EARLY memsets, done some time before the end, and LATE ones, done just before it. Exit
 * status 90 and above means that the case itself went wrong. gpu-cases-ptds is the same with per-thread default
 * streams.
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EARLY = 200, LATE = 100, EARLY_MS = 400, BYTES = 4096, THREADS = 4 };

/* The kernel's object was compiled once, so that its launch does not know what the default stream is here. */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define DEFAULT_STREAM cudaStreamPerThread
#else
#define DEFAULT_STREAM cudaStreamLegacy
#endif

cudaError_t spin_launch(uint64_t duration_ns, cudaStream_t stream);

static void check(cudaError_t result)
{
    if (result == cudaSuccess)
        return;
    fprintf(stderr, "gpu-cases: %s\n", cudaGetErrorString(result));
    _exit(90);
}

static void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void memsets(int count)
{
    void *memory;
    check(cudaMalloc(&memory, BYTES)); /* anew each time: a reset of the device frees all */
    for (int i = 0; i < count; i++)
        check(cudaMemsetAsync(memory, i, BYTES, 0));
    check(cudaStreamSynchronize(0));
}

static void work(void)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    memsets(EARLY);
    sleep_ms(EARLY_MS);
    memsets(LATE);
}

static int case_return(void)
{
    work();
    return 3;
}

static void *exit_4(void *unused)
{
    (void)unused;
    exit(4);
}

static int case_exit_thread(void)
{
    pthread_t thread;
    work();
    if (pthread_create(&thread, NULL, exit_4, NULL) == 0)
        pthread_join(thread, NULL);
    return 91;
}

static int case_exit_now(void)
{
    work();
    _exit(8);
}

static int case_abort(void)
{
    work();
    abort();
}

static volatile int *volatile nowhere;

static int case_segv(void)
{
    work();
    return *nowhere;
}

static int die_of(int number)
{
    work();
    kill(getpid(), number);
    sleep_ms(5000);
    return 92;
}

static int case_term(void)
{
    return die_of(SIGTERM);
}

static int case_int(void)
{
    return die_of(SIGINT);
}

static int case_kill(void)
{
    return die_of(SIGKILL);
}

/* The records of what ran before must survive the context; and the program may go on. */
static int case_reset(void)
{
    memsets(EARLY);
    check(cudaDeviceReset());
    return 5;
}

static int case_reset_kill(void)
{
    memsets(EARLY + LATE);
    check(cudaDeviceReset());
    sleep_ms(EARLY_MS);
    return die_of(SIGKILL);
}

/* Waits for the GPU for longer than any time limit. */
static int case_endless(void)
{
    work();
    for (int i = 0; i < 30; i++)
        check(spin_launch(1000000000, 0));
    check(cudaDeviceSynchronize());
    return 93;
}

/* Launches until the time limit, so that the signal comes in the middle of a call. */
static int case_launching(void)
{
    work();
    for (int i = 0; i < 1000000; i++)
        memsets(1000);
    return 93;
}

static int status_of(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Parent and child use CUDA, each on its own. */
static int case_fork(void)
{
    pid_t child = fork();
    work();
    if (child == 0)
        exit(6);
    return status_of(child);
}

/* The child of a program that uses CUDA leaves it alone, and exits at once. */
static int case_fork_idle(void)
{
    work();
    pid_t child = fork();
    if (child == 0)
        exit(7);
    int status = status_of(child);
    memsets(LATE);
    return status;
}

static int case_fork_exec(void)
{
    work();
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "gpu-cases", "return", (char *)NULL);
        _exit(94);
    }
    return status_of(child) == 3 ? 9 : 95;
}

static pthread_barrier_t together;
static void *shared;

/* In the default stream, which gpu-cases-ptds has one of for each thread, and in a stream of the thread's own. */
static void *thread_work(void *unused)
{
    cudaStream_t own;
    check(cudaSetDevice(0));
    check(cudaMemsetAsync(shared, 0, BYTES, 0));
    check(cudaStreamCreate(&own));
    pthread_barrier_wait(&together);
    for (int i = 0; i < 5; i++) {
        check(spin_launch(2000000, DEFAULT_STREAM));
        check(spin_launch(100000, own));
    }
    check(cudaStreamSynchronize(0));
    check(cudaStreamSynchronize(own));
    return unused;
}

static int case_threads(void)
{
    pthread_t threads[THREADS];
    check(cudaMalloc(&shared, BYTES));
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, thread_work, NULL) != 0)
            return 91;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static const struct row {
    const char *name;
    int (*run)(void);
} rows[] = {
    {"return", case_return},       {"exit-thread", case_exit_thread}, {"exit-now", case_exit_now},
    {"abort", case_abort},         {"segv", case_segv},               {"term", case_term},
    {"int", case_int},             {"kill", case_kill},               {"reset", case_reset},
    {"reset-kill", case_reset_kill}, {"endless", case_endless},       {"launching", case_launching},
    {"fork", case_fork},           {"fork-idle", case_fork_idle},     {"fork-exec", case_fork_exec},
    {"threads", case_threads},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(argv[1], rows[i].name) == 0)
            return rows[i].run();
    fprintf(stderr, "gpu-cases: no such case\n");
    return 2;
}
