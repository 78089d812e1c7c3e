#include "buffers.h"

#include <stdatomic.h>

#include "convert.h"
#include "cupti_library.h"
#include "gate.h"
#include "held.h"
#include "loss.h"
#include "output.h"
#include "pool.h"

static atomic_bool stopped;
static _Atomic uint64_t requests;

static void CUPTIAPI buffer_requested(uint8_t **ret_buffer, size_t *ret_size, size_t *ret_max_records)
{
    bool ours = !atomic_load(&stopped);
    atomic_fetch_add(&requests, 1);
    *ret_buffer = ours ? pool_take() : NULL;
    *ret_size = *ret_buffer != NULL ? POOL_BUFFER_BYTES : 0;
    *ret_max_records = 0; /* as many as fit */
    if (ours && *ret_buffer == NULL)
        loss_count(CGT_LOSS_REFUSED, 1);
}

/* Records of a buffer: those behind `position` (NULL: from the first on) up to `last` (NULL: to the end). */
struct stretch {
    uint8_t *bytes;
    size_t valid;
    CUpti_Activity *position;
    const CUpti_Activity *last;
};

static bool stretch_next(struct stretch *stretch)
{
    return (stretch->last == NULL || stretch->position != stretch->last) &&
           cupti.ActivityGetNextRecord(stretch->bytes, stretch->valid, &stretch->position) == CUPTI_SUCCESS;
}

enum { BATCH = 256 };

static size_t batch_read(struct stretch *stretch, const CUpti_Activity **ret_batch)
{
    size_t count = 0;
    while (count < BATCH && stretch_next(stretch))
        ret_batch[count++] = stretch->position;
    return count;
}

static bool has_work(struct stretch stretch)
{
    while (stretch_next(&stretch))
        if (convert_is_work(stretch.position))
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

static void stretch_convert(struct stretch stretch)
{
    const CUpti_Activity *batch[BATCH];
    size_t count;
    while ((count = batch_read(&stretch, batch)) > 0)
        batch_convert(batch, count);
}

static void buffer_convert(const struct held_buffer *buffer)
{
    if (buffer->bytes == NULL)
        return;
    stretch_convert((struct stretch){buffer->bytes, buffer->valid, pool_read(buffer->bytes), NULL});
    pool_give(buffer->bytes, buffer->valid);
}

static void buffer_pass(struct held_buffer buffer, bool work)
{
    struct held_buffer ready[HELD_LIMIT + 1];
    size_t count = held_pass(buffer, work, ready);
    for (size_t i = 0; i < count; i++)
        buffer_convert(&ready[i]);
}

static void buffer_back(uint8_t *bytes, size_t valid)
{
    bool work = held_passing() || has_work((struct stretch){bytes, valid, NULL, NULL});
    buffer_pass((struct held_buffer){bytes, valid}, work);
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *bytes, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)size; /* the first two are unused since CUDA 6 */
    if (bytes == NULL || atomic_load(&stopped) || valid == 0)
        pool_give(bytes, valid);
    else if (pool_back(bytes, valid))
        buffer_back(bytes, valid);
}

/* The last complete record that is there now. */
static CUpti_Activity *newest(struct stretch stretch)
{
    CUpti_Activity *last = stretch.position;
    while (stretch_next(&stretch) && convert_is_complete(stretch.position))
        last = stretch.position;
    return last;
}

static void look_read(struct pool_look *look)
{
    struct stretch settled = {look->bytes, POOL_BUFFER_BYTES, look->read, look->seen};
    if (look->seen != look->read && (held_passing() || has_work(settled))) {
        buffer_pass((struct held_buffer){0}, true); /* what was held comes first */
        stretch_convert(settled);
        look->read = look->seen;
    }
    look->seen = newest((struct stretch){look->bytes, POOL_BUFFER_BYTES, look->seen, NULL});
}

void buffers_read(void)
{
    struct pool_look look;
    for (uint32_t i = 0; i < POOL_LIMIT; i++) {
        if (!pool_look_begin(i, &look))
            continue;
        look_read(&look);
        size_t valid = pool_look_end(i, &look);
        if (valid > 0) /* came back meanwhile */
            buffer_back(look.bytes, valid);
    }
}

CUptiResult buffers_register(void)
{
    return cupti.ActivityRegisterCallbacks(buffer_requested, buffer_completed);
}

uint64_t buffers_requests(void)
{
    return atomic_load(&requests);
}

void buffers_stop(void)
{
    atomic_store(&stopped, true);
}
