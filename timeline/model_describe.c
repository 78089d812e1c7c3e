#include "model_describe.h"

#include <stdlib.h>

#include "calls.h"
#include "reader.h"

void describe_init(struct descriptions *d, const struct reader *r)
{
    d->limit = reader_string_limit(r);
    d->classes = calloc(d->limit, sizeof *d->classes);
    d->synchronous = calloc(d->limit, sizeof *d->synchronous);
    d->first_ns = malloc(d->limit * sizeof *d->first_ns);
    if (d->classes == NULL || d->synchronous == NULL || d->first_ns == NULL)
        abort();
    for (uint32_t id = 0; id < d->limit; id++) {
        const char *name = reader_string(r, id);
        d->classes[id] = (uint8_t)call_classify(name);
        d->synchronous[id] = call_is_synchronous_copy(name);
        d->first_ns[id] = INT64_MAX;
    }
}

void describe_finish(struct descriptions *d)
{
    free(d->classes);
    free(d->synchronous);
    free(d->first_ns);
}

void describe_see(struct descriptions *d, enum span_kind kind, const void *record)
{
    const struct cgt_kernel *kernel = record;
    if (kind == SPAN_KERNEL && kernel->name < d->limit && kernel->begin_ns < d->first_ns[kernel->name])
        d->first_ns[kernel->name] = kernel->begin_ns;
}

/* Uploads up to this size go with the command itself: their call returns at once and nothing is staged (CUDA Runtime API,
 * "API synchronization behavior"; up to here they take a compute channel on an H200). Downloads always hold their thread. */
enum { UNSTAGED_BYTES = 64 * 1024 };

static uint16_t copy_flags(const struct cgt_copy *copy)
{
    bool up = copy->copy_kind == CGT_COPY_HTOD || copy->copy_kind == CGT_COPY_HTOA;
    bool down = copy->copy_kind == CGT_COPY_DTOH || copy->copy_kind == CGT_COPY_ATOH;
    bool staged = (copy->copy_kind == CGT_COPY_HTOD && copy->source_kind == CGT_MEMORY_PAGEABLE && copy->bytes > UNSTAGED_BYTES) ||
                  (copy->copy_kind == CGT_COPY_DTOH && copy->target_kind == CGT_MEMORY_PAGEABLE);
    return (uint16_t)((up ? SPAN_HTOD : 0) | (down ? SPAN_DTOH : 0) | (staged ? SPAN_STAGED : 0) |
                      (copy->channel_type != CGT_CHANNEL_COMPUTE ? SPAN_ENGINE : 0));
}

static void describe_call(const struct descriptions *d, struct span *span, const struct cgt_call *call)
{
    span->peer = call->correlation;
    if (call->name >= d->limit)
        return;
    span->call_class = d->classes[call->name];
    span->flags = d->synchronous[call->name] ? SPAN_BLOCKING : 0;
}

void describe_span(const struct descriptions *d, struct span *span, const void *record)
{
    const struct cgt_operation *op = record;
    const struct cgt_kernel *kernel = record;
    if (span->kind == SPAN_CALL) {
        describe_call(d, span, record);
        return;
    }
    if (!span_is_operation(span))
        return;
    span->peer = op->correlation;
    if (span->kind == SPAN_COPY)
        span->flags = copy_flags(record);
    if (span->kind == SPAN_KERNEL && kernel->name < d->limit && kernel->begin_ns == d->first_ns[kernel->name])
        span->flags = SPAN_FIRST;
}
