#include "progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "timeline/import/import.h"

/* A thread of its own shows it, so that the work need not know. */
static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    const char *what;
    bool running, over;
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static atomic_int permille = -1; /* of an import; -1: how much there is to do is not known */

static void import_done(double share)
{
    atomic_store(&permille, share < 1 ? (int)(share * 1000) : -1);
}

static void show(double seconds)
{
    enum { WIDTH = 40 };
    int done = atomic_load(&permille), filled = done * WIDTH / 1000;
    if (done < 0)
        fprintf(stderr, "\r%s, %.0f s\033[K", progress.what, seconds);
    else
        fprintf(stderr, "\rreading [%.*s%*s] %3d %%\033[K", filled, "########################################", WIDTH - filled, "",
                done / 10);
}

static void *show_all(void *unused)
{
    enum { EVERY_MS = 100, PATIENCE_MS = 1000 };
    struct timespec at;
    bool shown = false;
    (void)unused;
    clock_gettime(CLOCK_REALTIME, &at);
    pthread_mutex_lock(&progress.lock);
    for (int ms = 0; !progress.over; ms += EVERY_MS) {
        if (ms >= PATIENCE_MS) {
            show(ms * 1e-3);
            shown = true;
        }
        at.tv_nsec += EVERY_MS * 1000000;
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&progress.ended, &progress.lock, &at);
    }
    pthread_mutex_unlock(&progress.lock);
    if (shown)
        fputs("\r\033[K", stderr); /* leaves no trace */
    return NULL;
}

void progress_begin(const char *what)
{
    if (!isatty(STDERR_FILENO))
        return;
    progress.what = what;
    progress.over = false;
    progress.running = pthread_create(&progress.thread, NULL, show_all, NULL) == 0;
    import_set_progress(import_done);
}

void progress_end(void)
{
    if (!progress.running)
        return;
    pthread_mutex_lock(&progress.lock);
    progress.over = true;
    pthread_cond_signal(&progress.ended);
    pthread_mutex_unlock(&progress.lock);
    pthread_join(progress.thread, NULL);
    progress.running = false;
}
