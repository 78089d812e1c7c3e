#include "collect.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "activities.h"
#include "convert.h"
#include "cupti_library.h"
#include "held.h"
#include "loss.h"
#include "output.h"
#include "pool.h"

static atomic_bool started, stopped;
static pthread_t flush_thread;
static bool flushing;
static pthread_mutex_t flush_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t flush_stop;

static void CUPTIAPI buffer_requested(uint8_t **ret_buffer, size_t *ret_size, size_t *ret_max_records)
{
    *ret_buffer = atomic_load(&stopped) ? NULL : pool_take();
    *ret_size = *ret_buffer != NULL ? POOL_BUFFER_BYTES : 0;
    *ret_max_records = 0; /* as many as fit */
    if (*ret_buffer == NULL)
        loss_count(CGT_LOSS_REFUSED, 1);
}

enum { BATCH = 256 };

/* The next records of a buffer, from *position on. */
static size_t batch_read(const struct held_buffer *buffer, CUpti_Activity **position, const CUpti_Activity **ret_batch)
{
    size_t count = 0;
    while (count < BATCH && cupti.ActivityGetNextRecord(buffer->bytes, buffer->valid, position) == CUPTI_SUCCESS)
        ret_batch[count++] = *position;
    return count;
}

static bool has_work(const struct held_buffer *buffer)
{
    CUpti_Activity *record = NULL;
    while (cupti.ActivityGetNextRecord(buffer->bytes, buffer->valid, &record) == CUPTI_SUCCESS)
        if (convert_is_work(record))
            return true;
    return false;
}

static void batch_convert(const CUpti_Activity *const *batch, size_t count)
{
    for (size_t i = 0; i < count; i++)
        convert_prepare(batch[i]);
    struct writer *writer = output_lock();
    if (writer == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        convert_record(writer, batch[i]);
    output_unlock();
}

static void buffer_convert(const struct held_buffer *buffer)
{
    const CUpti_Activity *batch[BATCH];
    CUpti_Activity *position = NULL;
    size_t count;
    while ((count = batch_read(buffer, &position, batch)) > 0)
        batch_convert(batch, count);
    pool_give(buffer->bytes, buffer->valid);
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *bytes, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)size; /* the first two are unused since CUDA 6 */
    struct held_buffer buffer = {bytes, valid}, ready[HELD_LIMIT + 1];
    if (bytes == NULL || atomic_load(&stopped) || valid == 0) {
        pool_give(bytes, valid);
        return;
    }
    size_t count = held_pass(buffer, held_passing() || has_work(&buffer), ready);
    for (size_t i = 0; i < count; i++)
        buffer_convert(&ready[i]);
}

/* Not in buffer_completed(): CUPTI holds a lock there that this call wants. */
static void count_dropped(void)
{
    size_t dropped = 0;
    if (cupti.ActivityGetNumDroppedRecords(NULL, 0, &dropped) == CUPTI_SUCCESS && dropped > 0)
        loss_count(CGT_LOSS_DROPPED, dropped);
}

static void flush(void)
{
    cupti.ActivityFlushAll(0); /* complete records only; does not wait for the GPU */
    count_dropped();
    pool_refill();
    struct writer *writer = output_lock_existing();
    if (writer == NULL)
        return;
    loss_write(writer);
    writer_flush(writer, NULL); /* what it could not write it counts, and output_finish() reports */
    output_unlock();
}

static struct timespec deadline_after(uint32_t ms)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / 1000;
    at.tv_nsec += (long)(ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_nsec -= 1000000000;
        at.tv_sec++;
    }
    return at;
}

/* True when it is time to flush, false when it is time to stop. */
static bool flush_wait(uint32_t ms)
{
    struct timespec until = deadline_after(ms);
    int reason = 0;
    pthread_mutex_lock(&flush_lock);
    while (!atomic_load(&stopped) && flushing && reason != ETIMEDOUT)
        reason = pthread_cond_timedwait(&flush_stop, &flush_lock, &until);
    bool go_on = flushing && !atomic_load(&stopped);
    pthread_mutex_unlock(&flush_lock);
    return go_on;
}

static void *flush_main(void *argument)
{
    uint32_t ms = *(const uint32_t *)argument;
    pool_refill();
    while (flush_wait(ms))
        flush();
    return NULL;
}

static bool flush_start(uint32_t ms)
{
    static uint32_t period_ms;
    sigset_t all, old;
    pthread_condattr_t attributes;
    period_ms = ms;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&flush_stop, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all); /* the program's signals are for the program's threads */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    flushing = true;
    flushing = pthread_create(&flush_thread, NULL, flush_main, &period_ms) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (flushing)
        pthread_setname_np(flush_thread, "cugantt-flush");
    return flushing;
}

static void flush_join(void)
{
    struct timespec until;
    pthread_mutex_lock(&flush_lock);
    bool running = flushing;
    flushing = false;
    pthread_mutex_unlock(&flush_lock);
    if (!running)
        return;
    pthread_cond_signal(&flush_stop);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5; /* it may be inside CUPTI; the program must be able to exit all the same */
    pthread_timedjoin_np(flush_thread, NULL, &until);
}

bool collect_start(uint32_t flush_ms, struct error *err)
{
    activities_configure(); /* before the first context, and before the first buffer */
    CUptiResult result = cupti.ActivityRegisterCallbacks(buffer_requested, buffer_completed);
    if (result != CUPTI_SUCCESS)
        return error_set(err, NULL, -1, "CUPTI cannot be used: %s", cupti_library_result_text(result));
    if (!activities_enable(err))
        return false;
    if (flush_ms > 0)
        flush_start(flush_ms);
    atomic_store(&started, true);
    return true;
}

/* A profiler inside the program (PyTorch's, say) that registers its own callbacks gets our buffers, and all records
 * from then on. CUPTI does not tell: what shows it are buffers that a forced flush does not bring back. */
static void check_taken_over(uint64_t taken_before_flush)
{
    uint32_t missing = pool_outstanding(taken_before_flush);
    if (missing == 0)
        return;
    loss_count(CGT_LOSS_DROPPED, missing); /* at least one record each */
    output_remark("another profiler in the program took CUPTI over: what came after that is missing");
}

void collect_finish(void)
{
    if (!atomic_exchange(&started, false))
        return;
    flush_join();
    uint64_t taken = pool_taken();
    cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    count_dropped();
    check_taken_over(taken);
    atomic_store(&stopped, true);
    output_finish();
}

void collect_abandon(void)
{
    atomic_store(&started, false);
    atomic_store(&stopped, true);
}
