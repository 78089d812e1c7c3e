/* The texts of a model: names of spans and lanes, properties. */
#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "demangle.h"
#include "reader.h"

static const char *const copy_kinds[] = {
    [CGT_COPY_UNKNOWN] = "copy", [CGT_COPY_HTOD] = "HtoD", [CGT_COPY_DTOH] = "DtoH", [CGT_COPY_HTOA] = "HtoA",
    [CGT_COPY_ATOH] = "AtoH",    [CGT_COPY_ATOA] = "AtoA", [CGT_COPY_ATOD] = "AtoD", [CGT_COPY_DTOA] = "DtoA",
    [CGT_COPY_DTOD] = "DtoD",    [CGT_COPY_HTOH] = "HtoH", [CGT_COPY_PTOP] = "PtoP",
};

static const char *const copy_labels[] = {
    [CGT_COPY_UNKNOWN] = "copy", [CGT_COPY_HTOD] = "H→D", [CGT_COPY_DTOH] = "D→H", [CGT_COPY_HTOA] = "H→A",
    [CGT_COPY_ATOH] = "A→H",     [CGT_COPY_ATOA] = "A→A", [CGT_COPY_ATOD] = "A→D", [CGT_COPY_DTOA] = "D→A",
    [CGT_COPY_DTOD] = "D→D",     [CGT_COPY_HTOH] = "H→H", [CGT_COPY_PTOP] = "P→P",
};

static const char *const memory_kinds[] = {
    [CGT_MEMORY_UNKNOWN] = "Unknown", [CGT_MEMORY_PAGEABLE] = "Pageable",
    [CGT_MEMORY_PINNED] = "Pinned",   [CGT_MEMORY_DEVICE] = "Device",
    [CGT_MEMORY_ARRAY] = "Array",     [CGT_MEMORY_MANAGED] = "Managed",
    [CGT_MEMORY_DEVICE_STATIC] = "Device Static", [CGT_MEMORY_MANAGED_STATIC] = "Managed Static",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Text of an enumerator from a file, which may hold any number. */
static const char *pick(const char *const *texts, size_t count, uint32_t value)
{
    return texts[value < count ? value : 0];
}

static const char *span_string(const struct model *m, const struct span *span, uint32_t id)
{
    return reader_string(m->processes[m->lanes[span->lane].process].reader, id);
}

const char *model_span_name(const struct model *m, const struct span *span, char *buf, size_t size)
{
    if (span->kind == SPAN_KERNEL)
        return demangle_full(span_string(m, span, model_kernel(m, span)->name), buf, size);
    if (span->kind == SPAN_CALL)
        return span_string(m, span, model_call(m, span)->name);
    if (span->kind == SPAN_RANGE)
        return span_string(m, span, model_range(m, span)->name);
    if (span->kind == SPAN_GRAPH) {
        snprintf(buf, size, "graph %" PRIu32, model_operation(m, span)->graph);
    } else if (span->kind == SPAN_COPY) {
        const struct cgt_copy *copy = model_copy(m, span);
        snprintf(buf, size, "Memcpy %s (%s -> %s)", pick(copy_kinds, COUNT(copy_kinds), copy->copy_kind),
                 pick(memory_kinds, COUNT(memory_kinds), copy->source_kind),
                 pick(memory_kinds, COUNT(memory_kinds), copy->target_kind));
    } else {
        const struct cgt_memset *memset = model_memset(m, span);
        snprintf(buf, size, "Memset (%s)", pick(memory_kinds, COUNT(memory_kinds), memset->memory_kind));
    }
    return buf;
}

const char *model_span_label(const struct model *m, const struct span *span, char *buf, size_t size)
{
    char full[1024];
    if (span->kind == SPAN_KERNEL)
        return demangle_short(span_string(m, span, model_kernel(m, span)->name), buf, size);
    const char *name = model_span_name(m, span, full, sizeof full);
    if (span->kind == SPAN_COPY)
        return pick(copy_labels, COUNT(copy_labels), model_copy(m, span)->copy_kind);
    if (span->kind == SPAN_MEMSET)
        return "memset";
    if (span->kind == SPAN_GRAPH || span->kind == SPAN_RANGE) {
        snprintf(buf, size, "%s", name);
        return buf;
    }
    snprintf(buf, size, "%.*s", call_short_length(name), name);
    return buf;
}

const char *model_process_name(const struct model *m, uint32_t process, char *buf, size_t size)
{
    const struct process *p = &m->processes[process];
    if (m->process_count == 1)
        snprintf(buf, size, "%s", "");
    else if (p->rank[0] != '\0')
        snprintf(buf, size, "rank %s", p->rank);
    else
        snprintf(buf, size, "process %s", model_property(m, process, "pid"));
    return buf;
}

const char *model_lane_own_name(const struct model *m, uint32_t index, char *buf, size_t size)
{
    static const char *const words[] = {
        [LANE_THREAD] = "thread", [LANE_RANGE] = "ranges of thread", [LANE_STREAM] = "stream"};
    const struct lane *lane = &m->lanes[index];
    snprintf(buf, size, "%s%s%s %" PRIu32 "%s", lane->kind == LANE_RANGE ? lane->name : "",
             lane->kind == LANE_RANGE && lane->name[0] ? " " : "", words[lane->kind], lane->id,
             lane->stream_flag == CGT_STREAM_NULL ? " (default)" : "");
    return buf;
}

const char *model_lane_name(const struct model *m, uint32_t index, char *buf, size_t size)
{
    char process[48], own[256];
    model_process_name(m, m->lanes[index].process, process, sizeof process);
    snprintf(buf, size, "%s%s%s", process, process[0] ? " " : "", model_lane_own_name(m, index, own, sizeof own));
    return buf;
}

const char *model_property(const struct model *m, uint32_t process, const char *key)
{
    const struct reader *r = m->processes[process].reader;
    for (uint32_t i = 0; i < reader_block_count(r); i++) {
        const struct block *b = reader_block(r, i);
        for (uint32_t k = 0; b->kind == CGT_PROPERTY && k < b->count; k++) {
            const struct cgt_property *p = (const void *)(b->records + (size_t)k * b->record_bytes);
            if (strcmp(reader_string(r, p->key), key) == 0)
                return reader_string(r, p->value);
        }
    }
    return "";
}
