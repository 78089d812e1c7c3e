#include "flusher.h"

#include <pthread.h>
#include <signal.h>

#include "bell.h"

static const struct flusher_work *work;
static int64_t period;
static struct bell finish;

static void *run(void *unused)
{
    (void)unused;
    work->begin();
    while (!bell_wait(&finish, period))
        work->flush();
    work->finish();
    return NULL;
}

bool flusher_start(uint32_t period_ms, const struct flusher_work *borrowed)
{
    sigset_t all, old;
    pthread_t thread;
    period = period_ms > 0 ? (int64_t)period_ms : BELL_FOREVER;
    work = borrowed;
    sigfillset(&all); /* the program's signals are for the program's threads */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool started = pthread_create(&thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (started) {
        pthread_setname_np(thread, "cugantt-flush");
        pthread_detach(thread);
    }
    return started;
}

void flusher_finish(void)
{
    bell_ring(&finish);
}
