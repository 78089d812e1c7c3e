#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 16 }; /* memory sets the pace long before */

struct job {
    uint32_t count;
    atomic_uint_fast64_t next;
    void (*work)(void *context, uint32_t index);
    void *context;
};

static void *job_run(void *data)
{
    struct job *job = data;
    for (uint64_t i; (i = atomic_fetch_add(&job->next, 1)) < job->count;)
        job->work(job->context, (uint32_t)i);
    return NULL;
}

void parallel_for(uint32_t count, void (*work)(void *context, uint32_t index), void *context)
{
    struct job job = {.count = count, .work = work, .context = context};
    pthread_t threads[MAX_THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t wanted = processors < MAX_THREADS ? (uint32_t)processors : MAX_THREADS, helpers = 0;
    wanted = wanted < count ? wanted : count;
    /* where no thread can be had, this one does it all */
    while (helpers + 1 < wanted && pthread_create(&threads[helpers], NULL, job_run, &job) == 0)
        helpers++;
    job_run(&job);
    while (helpers > 0)
        pthread_join(threads[--helpers], NULL);
}
