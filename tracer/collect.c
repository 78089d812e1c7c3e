#include "collect.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "activities.h"
#include "bell.h"
#include "buffers.h"
#include "cupti_library.h"
#include "death.h"
#include "flusher.h"
#include "gate.h"
#include "loss.h"
#include "output.h"
#include "pcie.h"
#include "pool.h"
#include "ranges.h"
#include "rival.h"

/* How long the program waits for its trace to be ended, and the end of the trace for CUPTI: that may be stuck for good,
 * waiting for a lock of a thread that a signal has stopped. */
enum {
    EXIT_MS = 30000,
    DEATH_MS = 2000,
    FORCED_EXIT_MS = 20000,
    FORCED_DEATH_MS = 1000,
    PCIE_EXIT_MS = 5000,
    PCIE_DEATH_MS = 500,
};

static atomic_bool recording; /* false again in a forked child */
static atomic_bool dying;     /* of a signal */
static atomic_bool given_up;  /* CUPTI is another profiler's now */
static struct bell ended, forced;
static struct {
    uint64_t taken, requests;
} before_flush; /* the last, forced one: buffers that CUPTI has had till then, and asked for */

/* Not where CUPTI calls us: it holds a lock there that this call wants. */
static void count_dropped(void)
{
    size_t dropped = 0;
    if (cupti.ActivityGetNumDroppedRecords(NULL, 0, &dropped) == CUPTI_SUCCESS && dropped > 0)
        loss_count(CGT_LOSS_DROPPED, dropped);
}

/* Before another profiler in the program registers its callbacks: what CUPTI has of ours comes back first, so that our
 * trace is whole up to here and its profile from here on. */
static void give_up(void)
{
    if (!atomic_load(&recording) || atomic_exchange(&given_up, true))
        return;
    gate_close(CGT_PAUSE_PROFILER);
    cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    count_dropped();
    output_remark("another profiler in the program took CUPTI over: what came after that is not recorded");
}

static void flush_cupti(void)
{
    rival_watch(give_up); /* libraries may have been loaded */
    cupti.ActivityFlushAll(0); /* complete buffers only; does not wait for the GPU */
    buffers_read();
    count_dropped();
}

static void flush(void)
{
    if (!atomic_load(&given_up))
        flush_cupti();
    pool_refill();
    ranges_write();
    struct writer *writer = output_lock_existing();
    if (writer == NULL)
        return;
    gate_write(writer);
    loss_write(writer);
    writer_flush(writer, NULL); /* what it could not write it counts, and output_finish() reports */
    output_unlock();
}

/* Whether a call that CUPTI records makes it ask for a buffer: a thread's first call does, and after a forced flush
 * any. What is recorded so is not kept, since no buffer is given any more. A program that dies of a signal may hold the
 * locks that the call wants. */
static bool asks_for_buffers(uint64_t requests_before_flush)
{
    int version;
    if (cupti.driver_get_version == NULL || atomic_load(&dying))
        return true;
    buffers_stop();
    cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER); /* the other one may have turned it off */
    return cupti.driver_get_version(&version) != CUDA_SUCCESS || buffers_requests() != requests_before_flush;
}

/* A profiler inside the program that registers its own callbacks unseen gets our buffers, and all records from then on.
 * CUPTI does not tell: what shows it are buffers that a forced flush does not bring back - the other one gets them, and
 * does not know what they are: its profile lacks what is in them -, or that we are asked for none. */
static void check_taken_over(void)
{
    uint32_t missing = pool_outstanding(before_flush.taken);
    if (missing == 0 && asks_for_buffers(before_flush.requests))
        return;
    loss_count(CGT_LOSS_DROPPED, missing > 0 ? missing : 1); /* at least one record each */
    output_remark("another profiler in the program took CUPTI over: what came after that is missing; "
                  "its own profile may lack its beginning");
}

/* Everything, also what is not complete. */
static void *force(void *unused)
{
    if (!atomic_load(&given_up)) {
        cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        count_dropped();
        check_taken_over();
    }
    bell_ring(&forced);
    return unused;
}

/* Forced on a thread of its own: a signal may have stopped the program while it held CUPTI's lock. What can be had
 * without CUPTI is read first. */
static void take_rest(void)
{
    const struct timespec settling = {0, 2000000};
    pthread_t thread;
    before_flush.taken = pool_taken();
    before_flush.requests = buffers_requests();
    buffers_read();
    nanosleep(&settling, NULL);
    buffers_read();
    if (pthread_create(&thread, NULL, force, NULL) == 0)
        pthread_detach(thread);
    else
        force(NULL);
    if (!bell_wait(&forced, atomic_load(&dying) ? FORCED_DEATH_MS : FORCED_EXIT_MS))
        output_remark("CUPTI was stuck at the end: what came last may be missing");
}

static void end(void)
{
    pcie_finish(atomic_load(&dying) ? PCIE_DEATH_MS : PCIE_EXIT_MS);
    take_rest();
    buffers_stop();
    ranges_finish();
    gate_finish();
    struct writer *writer = output_lock_existing();
    if (writer != NULL) {
        gate_write(writer);
        output_unlock();
    }
    output_finish();
    bell_ring(&ended);
}

/* The tracer's thread does it also when the program exits, so that a signal meanwhile does not cut it off. */
static void end_within(int64_t ms)
{
    if (!atomic_load(&recording))
        return;
    flusher_finish();
    bell_wait(&ended, ms);
}

/* In the dying thread, in a signal handler. */
static void last_words(void)
{
    atomic_store(&dying, true);
    end_within(DEATH_MS);
}

bool collect_start(const struct settings *settings, struct error *err)
{
    static const struct flusher_work work = {pool_refill, flush, end};
    if (cupti.version > CUPTI_NEWEST)
        output_remark("CUPTI is newer than this cugantt knows");
    if (!cupti_library_is_free())
        return error_set(err, NULL, -1, "CUPTI cannot be used: %s",
                         cupti_library_result_text(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED));
    activities_choose(settings);
    activities_configure(); /* before the first context, and before the first buffer */
    CUptiResult result = buffers_register();
    if (result != CUPTI_SUCCESS)
        return error_set(err, NULL, -1, "CUPTI cannot be used: %s", cupti_library_result_text(result));
    if (!activities_enable(err) || !gate_start(settings, err))
        return false;
    pcie_start(settings);
    if (!flusher_start(settings->flush_ms, &work))
        return error_set(err, NULL, -1, "no thread could be started");
    atomic_store(&recording, true);
    rival_watch(give_up);
    death_watch(last_words);
    return true;
}

void collect_finish(void)
{
    end_within(EXIT_MS);
}

void collect_abandon(void)
{
    atomic_store(&recording, false);
    buffers_stop();
    gate_abandon();
    pcie_abandon();
    ranges_stop();
}
