/* Joins of a model: operation to call by correlation id, events to streams, overheads. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "model_build.h"

struct link_entry {
    uint32_t correlation, span;
};

static int entry_compare(const void *a, const void *b)
{
    const struct link_entry *x = a, *y = b;
    if (x->correlation != y->correlation)
        return x->correlation < y->correlation ? -1 : 1;
    return x->span < y->span ? -1 : x->span > y->span;
}

/* Calls by correlation id. Ids are given out in sequence, so the table is mostly sorted already. */
static struct link_entry *calls_by_correlation(const struct model *m, uint32_t *ret_count)
{
    struct link_entry *entries = malloc((m->call_count + 1) * sizeof *entries);
    uint32_t count = 0;
    bool sorted = true;
    if (entries == NULL)
        abort();
    for (uint32_t i = 0; i < m->span_count; i++) {
        if (m->spans[i].kind != SPAN_CALL)
            continue;
        uint32_t correlation = model_call(m, &m->spans[i])->correlation;
        sorted = sorted && (count == 0 || entries[count - 1].correlation <= correlation);
        entries[count++] = (struct link_entry){correlation, i};
    }
    if (!sorted)
        qsort(entries, count, sizeof *entries, entry_compare);
    *ret_count = count;
    return entries;
}

/* Position of `correlation`, found from a guess that is right when operations come in the order of their calls. */
static uint32_t entry_find(const struct link_entry *entries, uint32_t count, uint32_t correlation)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entries[middle].correlation < correlation)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && entries[low].correlation == correlation ? entries[low].span : MODEL_NONE;
}

static bool copy_is_staged(const struct cgt_copy *copy)
{
    return (copy->copy_kind == CGT_COPY_HTOD && copy->source_kind == CGT_MEMORY_PAGEABLE) ||
           (copy->copy_kind == CGT_COPY_DTOH && copy->target_kind == CGT_MEMORY_PAGEABLE);
}

static void operation_link(struct model *m, uint32_t index, uint32_t call)
{
    struct span *op = &m->spans[index];
    if (op->kind == SPAN_COPY && copy_is_staged(model_copy(m, op)))
        op->flags |= SPAN_STAGED;
    op->peer = call;
    if (call == MODEL_NONE) {
        m->loss.unmatched++;
        return;
    }
    struct span *c = &m->spans[call];
    c->flags |= op->flags & SPAN_STAGED;
    if (c->peer == MODEL_NONE || op->begin_ns < m->spans[c->peer].begin_ns)
        c->peer = index;
}

/* Class of every call, found once a name. */
static void calls_classify(struct model *m)
{
    const struct reader *r = m->processes[0].reader;
    uint32_t limit = reader_string_limit(r);
    uint8_t *classes = calloc(limit, 1), *synchronous = calloc(limit, 1);
    if (classes == NULL || synchronous == NULL)
        abort();
    for (uint32_t id = 1; id < limit; id++) {
        const char *name = reader_string(r, id);
        classes[id] = (uint8_t)call_classify(name);
        synchronous[id] = call_is_synchronous_copy(name);
    }
    for (uint32_t i = 0; i < m->span_count; i++) {
        struct span *s = &m->spans[i];
        if (s->kind != SPAN_CALL)
            continue;
        uint32_t name = model_call(m, s)->name;
        s->call_class = name < limit ? classes[name] : CALL_OTHER;
        s->flags |= name < limit && synchronous[name] ? SPAN_BLOCKING : 0;
    }
    free(classes);
    free(synchronous);
}

void model_link(struct model *m)
{
    uint32_t count;
    struct link_entry *entries = calls_by_correlation(m, &count);
    calls_classify(m);
    for (uint32_t i = 0; i < m->span_count; i++)
        if (span_is_operation(&m->spans[i])) {
            uint32_t correlation = model_operation(m, &m->spans[i])->correlation;
            operation_link(m, i, correlation ? entry_find(entries, count, correlation) : MODEL_NONE);
        }
    free(entries);
}

static int mark_compare(const void *a, const void *b)
{
    const struct event_mark *x = a, *y = b;
    if (x->call_ns != y->call_ns)
        return x->call_ns < y->call_ns ? -1 : 1;
    return x->is_wait - y->is_wait;
}

static void mark_add(struct model *m, struct event_mark mark)
{
    m->events[m->event_count++] = mark;
}

void model_read_events(struct model *m)
{
    const struct reader *r = m->processes[0].reader;
    uint32_t total = 0, count;
    FOR_EACH_RECORD(r, CGT_EVENT, cgt_event, event)
        total++;
    FOR_EACH_RECORD(r, CGT_SYNC, cgt_sync, sync)
        total += sync->type == CGT_SYNC_STREAM_WAIT;
    m->events = ARENA_NEW(&m->arena, struct event_mark, total + 1);
    if (total == 0)
        return;
    struct link_entry *entries = calls_by_correlation(m, &count);
    FOR_EACH_RECORD(r, CGT_EVENT, cgt_event, event) {
        uint32_t call = entry_find(entries, count, event->correlation);
        if (call != MODEL_NONE) /* without its call its place in the order of issue is not known */
            mark_add(m, (struct event_mark){m->spans[call].begin_ns, event->event_sync, event->event,
                                            model_stream_find(m, 0, event->context, event->stream), false});
    }
    FOR_EACH_RECORD(r, CGT_SYNC, cgt_sync, sync) {
        if (sync->type != CGT_SYNC_STREAM_WAIT)
            continue;
        uint32_t call = entry_find(entries, count, sync->correlation);
        int64_t call_ns = call == MODEL_NONE ? sync->begin_ns : m->spans[call].begin_ns;
        mark_add(m, (struct event_mark){call_ns, sync->event_sync, sync->event,
                                        model_stream_find(m, 0, sync->context, sync->stream), true});
    }
    free(entries);
    qsort(m->events, m->event_count, sizeof *m->events, mark_compare);
}

static int overhead_compare(const void *a, const void *b)
{
    const struct overhead *x = a, *y = b;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

void model_read_overheads(struct model *m)
{
    const struct reader *r = m->processes[0].reader;
    uint32_t total = 0;
    FOR_EACH_RECORD(r, CGT_OVERHEAD, cgt_overhead, overhead)
        total++;
    m->overheads = ARENA_NEW(&m->arena, struct overhead, total + 1);
    FOR_EACH_RECORD(r, CGT_OVERHEAD, cgt_overhead, overhead)
        if (overhead->end_ns >= overhead->begin_ns && overhead->begin_ns > 0)
            m->overheads[m->overhead_count++] =
                (struct overhead){overhead->begin_ns, overhead->end_ns, 0, overhead->kind, overhead->thread};
    qsort(m->overheads, m->overhead_count, sizeof *m->overheads, overhead_compare);
    int64_t reach = INT64_MIN;
    for (uint32_t i = 0; i < m->overhead_count; i++) {
        reach = m->overheads[i].end_ns > reach ? m->overheads[i].end_ns : reach;
        m->overheads[i].reach_ns = reach;
    }
}
