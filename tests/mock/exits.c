/* How a program can end. Each scenario has one kernel in the trace some time before its end, and one that came last. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

/* Long enough for several flushes of the tests that have any. */
enum { FLUSHED_MS = 120 };

static void work(void)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    emit_context();
    emit_kernel(2000, 2500);
    sleep_ms(FLUSHED_MS);
    emit_kernel(3000, 3500);
}

static int scenario_return(void)
{
    work();
    return 3;
}

static void *exit_4(void *unused)
{
    (void)unused;
    exit(4);
}

static int scenario_exit_thread(void)
{
    pthread_t thread;
    work();
    if (pthread_create(&thread, NULL, exit_4, NULL) == 0)
        pthread_join(thread, NULL);
    return 90;
}

static int scenario_quick_exit(void)
{
    work();
    quick_exit(6);
}

static int scenario_exit_now(void)
{
    work();
    _exit(8);
}

static int scenario_abort(void)
{
    work();
    abort();
}

static volatile int *volatile nowhere;

static int scenario_segv(void)
{
    work();
    return *nowhere;
}

static int end_by(int number)
{
    kill(getpid(), number);
    sleep_ms(5000);
    return 92;
}

#define SIGNAL_SCENARIO(name, number)      \
    static int scenario_##name(void)       \
    {                                      \
        work();                            \
        return end_by(number);             \
    }
SIGNAL_SCENARIO(sent_segv, SIGSEGV)
SIGNAL_SCENARIO(term, SIGTERM)
SIGNAL_SCENARIO(int, SIGINT)
SIGNAL_SCENARIO(hup, SIGHUP)
SIGNAL_SCENARIO(usr1, SIGUSR1)
SIGNAL_SCENARIO(kill, SIGKILL)

static int scenario_pipe(void)
{
    int ends[2];
    work();
    if (pipe(ends) != 0 || close(ends[0]) != 0)
        return 93;
    return write(ends[1], "x", 1) < 0 ? 94 : 95;
}

static int scenario_alarm(void)
{
    work();
    alarm(1);
    sleep_ms(5000);
    return 92;
}

/* Uses up the stack. */
static int deeper(int depth)
{
    volatile char page[4096];
    memset((char *)page, depth, sizeof page);
    return depth < 1 << 30 ? deeper(depth + 1) + page[depth % 4096] : 0;
}

static int scenario_overflow(void)
{
    work();
    return deeper(0);
}

static int scenario_overflow_caught(void)
{
    stack_t other = {.ss_sp = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                     .ss_size = 1 << 16};
    sigaltstack(&other, NULL);
    work();
    return deeper(0);
}

static void exit_9(int number)
{
    (void)number;
    _exit(9);
}

static int scenario_own_handler(void)
{
    signal(SIGTERM, exit_9);
    work();
    return end_by(SIGTERM);
}

static int scenario_earlier_handler(void)
{
    signal(SIGTERM, exit_9);
    cuda_initialise();
    work();
    return end_by(SIGTERM);
}

static struct sigaction before;

static void pass_on(int number, siginfo_t *info, void *context)
{
    if (before.sa_handler == SIG_DFL) {
        signal(number, SIG_DFL);
        raise(number);
    } else {
        before.sa_sigaction(number, info, context);
    }
}

/* A handler of the program that ends with the one that it found, as crash reporters do. */
static int scenario_chained_handler(void)
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
    sigaction(SIGABRT, &action, &before);
    return scenario_abort();
}

static int scenario_ignored(void)
{
    signal(SIGTERM, SIG_IGN);
    cuda_initialise();
    work();
    raise(SIGTERM);
    return 5;
}

/* The thread that dies holds what the end of the trace needs. */
static int scenario_stuck(void)
{
    work();
    sleep_ms(FLUSHED_MS);
    cupti_lock();
    abort();
}

static void *call_forever(void *unused)
{
    (void)unused;
    for (uint32_t i = 1;; i++)
        emit_call(i);
    return NULL;
}

/* Other threads go on calling CUDA while one dies. */
static int scenario_busy(void)
{
    pthread_t thread;
    work();
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread, NULL, call_forever, NULL) != 0)
            return 91;
    return end_by(SIGTERM);
}

/* timeout(1) signals the program and its group; the recorder passes its own on. */
static int scenario_signalled_twice(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, call_forever, NULL) != 0)
        return 91;
    work();
    kill(getpid(), SIGTERM);
    kill(getpid(), SIGTERM);
    kill(getpid(), SIGINT);
    sleep_ms(5000);
    return 92;
}

/* A child that never touches CUDA dies of a signal at once; its parent's trace goes on. */
static int scenario_forked_child(void)
{
    int status = 0;
    emit_context();
    pid_t child = fork();
    if (child == 0) {
        raise(SIGTERM);
        _exit(0);
    }
    waitpid(child, &status, 0);
    work();
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 96;
}

const struct scenario exit_scenarios[] = {
    {"return", scenario_return, false},
    {"exit-thread", scenario_exit_thread, false},
    {"quick-exit", scenario_quick_exit, false},
    {"exit-now", scenario_exit_now, false},
    {"abort", scenario_abort, false},
    {"segv", scenario_segv, false},
    {"sent-segv", scenario_sent_segv, false},
    {"term", scenario_term, false},
    {"int", scenario_int, false},
    {"hup", scenario_hup, false},
    {"usr1", scenario_usr1, false},
    {"kill", scenario_kill, false},
    {"pipe", scenario_pipe, false},
    {"alarm", scenario_alarm, false},
    {"overflow", scenario_overflow, false},
    {"overflow-caught", scenario_overflow_caught, false},
    {"own-handler", scenario_own_handler, false},
    {"earlier-handler", scenario_earlier_handler, true},
    {"chained-handler", scenario_chained_handler, false},
    {"ignored", scenario_ignored, true},
    {"stuck", scenario_stuck, false},
    {"busy", scenario_busy, false},
    {"signalled-twice", scenario_signalled_twice, false},
    {"forked-child", scenario_forked_child, false},
};
const size_t exit_scenario_count = sizeof exit_scenarios / sizeof *exit_scenarios;
