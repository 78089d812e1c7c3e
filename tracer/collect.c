#include "collect.h"

#include <stdatomic.h>

#include "activities.h"
#include "bell.h"
#include "convert.h"
#include "cupti_library.h"
#include "death.h"
#include "flusher.h"
#include "gate.h"
#include "held.h"
#include "loss.h"
#include "output.h"
#include "pool.h"
#include "ranges.h"

/* How long the program waits for its trace to be ended. The tracer's thread may be stuck for good: inside CUPTI, waiting
 * for a lock of a thread that a signal has stopped. Then what was flushed before is all there is. */
enum { EXIT_MS = 30000, DEATH_MS = 2000 };

static atomic_bool recording; /* false again in a forked child */
static atomic_bool stopped;   /* records are no longer taken */
static struct bell ended;

static void CUPTIAPI buffer_requested(uint8_t **ret_buffer, size_t *ret_size, size_t *ret_max_records)
{
    bool ours = !atomic_load(&stopped);
    *ret_buffer = ours ? pool_take() : NULL;
    *ret_size = *ret_buffer != NULL ? POOL_BUFFER_BYTES : 0;
    *ret_max_records = 0; /* as many as fit */
    if (ours && *ret_buffer == NULL)
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
    uint64_t bytes = writer_counts(writer).bytes;
    output_unlock();
    gate_size(bytes);
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
    ranges_write();
    struct writer *writer = output_lock_existing();
    if (writer == NULL)
        return;
    gate_write(writer);
    loss_write(writer);
    writer_flush(writer, NULL); /* what it could not write it counts, and output_finish() reports */
    output_unlock();
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

static void end(void)
{
    uint64_t taken = pool_taken();
    cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    count_dropped();
    check_taken_over(taken);
    atomic_store(&stopped, true);
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
    end_within(DEATH_MS);
}

bool collect_start(const struct settings *settings, struct error *err)
{
    static const struct flusher_work work = {pool_refill, flush, end};
    if (!cupti_library_is_free())
        return error_set(err, NULL, -1, "CUPTI cannot be used: %s",
                         cupti_library_result_text(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED));
    activities_choose(settings);
    activities_configure(); /* before the first context, and before the first buffer */
    CUptiResult result = cupti.ActivityRegisterCallbacks(buffer_requested, buffer_completed);
    if (result != CUPTI_SUCCESS)
        return error_set(err, NULL, -1, "CUPTI cannot be used: %s", cupti_library_result_text(result));
    if (!activities_enable(err) || !gate_start(settings, err))
        return false;
    if (!flusher_start(settings->flush_ms, &work))
        return error_set(err, NULL, -1, "no thread could be started");
    atomic_store(&recording, true);
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
    atomic_store(&stopped, true);
    gate_abandon();
    ranges_stop();
}
