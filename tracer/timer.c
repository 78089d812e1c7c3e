#include "timer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct timer {
    struct timespec until; /* CLOCK_MONOTONIC */
    void (*act)(void);
};

static void *run(void *argument)
{
    struct timer timer = *(struct timer *)argument;
    free(argument);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &timer.until, NULL) == EINTR)
        continue;
    timer.act();
    return NULL;
}

/* The program's signals are for the program's threads. */
static bool thread_start(struct timer *timer)
{
    sigset_t all, old;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool started = pthread_create(&thread, NULL, run, timer) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (started) {
        pthread_setname_np(thread, "cugantt-timer");
        pthread_detach(thread);
    }
    return started;
}

bool timer_start(int64_t delay_ns, void (*act)(void))
{
    struct timer *timer = malloc(sizeof *timer);
    if (timer == NULL)
        return false;
    timer->act = act;
    clock_gettime(CLOCK_MONOTONIC, &timer->until);
    timer->until.tv_sec += delay_ns / 1000000000;
    timer->until.tv_nsec += delay_ns % 1000000000;
    if (timer->until.tv_nsec >= 1000000000) {
        timer->until.tv_nsec -= 1000000000;
        timer->until.tv_sec++;
    }
    if (thread_start(timer))
        return true;
    free(timer);
    return false;
}
