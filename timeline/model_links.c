/* Joins of a model: operation to call by correlation id, events to streams, overheads. */
#include <stdlib.h>
#include <string.h>

#include "model_build.h"

/* Calls of a process by correlation id. The driver counts ids up, so that a plain array over their range is nearly full; where
 * a file gives them out wildly (importers), a sorted table stands in. */
struct link_table {
    uint32_t *by_id;  /* span of id first_id + i; MODEL_NONE; NULL: see entries */
    uint32_t first_id;
    uint32_t id_count;
    struct link_entry *entries; /* sorted by id */
    uint32_t count;             /* of calls */
};

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

typedef void call_visitor(struct link_table *t, uint32_t correlation, uint32_t span);

static void calls_visit(const struct model *m, uint32_t process, struct link_table *t, call_visitor *visit)
{
    for (uint32_t l = 0; l < m->lane_count; l++) {
        const struct lane *lane = &m->lanes[l];
        if (lane->process != process || lane->kind != LANE_THREAD)
            continue;
        for (uint32_t i = lane->first; i < lane->first + lane->count; i++)
            visit(t, m->spans[i].peer, i); /* still its correlation id */
    }
}

/* While ids are being seen, id_count holds the last one. */
static void range_see(struct link_table *t, uint32_t correlation, uint32_t span)
{
    (void)span;
    t->first_id = t->count == 0 || correlation < t->first_id ? correlation : t->first_id;
    t->id_count = correlation > t->id_count ? correlation : t->id_count;
    t->count++;
}

static void id_add(struct link_table *t, uint32_t correlation, uint32_t span)
{
    uint32_t *slot = &t->by_id[correlation - t->first_id];
    *slot = *slot == MODEL_NONE ? span : *slot; /* where an id was given out twice, the first */
}

static void entry_add(struct link_table *t, uint32_t correlation, uint32_t span)
{
    t->entries[t->count++] = (struct link_entry){correlation, span};
}

static void link_table_init(struct link_table *t, const struct model *m, uint32_t process)
{
    enum { SPARSE = 4, FEW = 4096 };
    *t = (struct link_table){0};
    calls_visit(m, process, t, range_see);
    uint64_t range = t->count > 0 ? (uint64_t)t->id_count - t->first_id + 1 : 0;
    if (range <= (uint64_t)t->count * SPARSE + FEW) {
        t->id_count = (uint32_t)range;
        t->by_id = malloc((range + 1) * sizeof *t->by_id);
        if (t->by_id == NULL)
            abort();
        memset(t->by_id, 0xFF, range * sizeof *t->by_id);
        calls_visit(m, process, t, id_add);
        return;
    }
    t->entries = malloc(((size_t)t->count + 1) * sizeof *t->entries);
    if (t->entries == NULL)
        abort();
    t->count = 0;
    calls_visit(m, process, t, entry_add);
    qsort(t->entries, t->count, sizeof *t->entries, entry_compare);
}

static void link_table_finish(struct link_table *t)
{
    free(t->by_id);
    free(t->entries);
}

/* The call with this correlation id; MODEL_NONE. */
static uint32_t link_find(const struct link_table *t, uint32_t correlation)
{
    if (t->by_id != NULL)
        return correlation >= t->first_id && correlation - t->first_id < t->id_count ? t->by_id[correlation - t->first_id]
                                                                                     : MODEL_NONE;
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->entries[middle].correlation < correlation)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->count && t->entries[low].correlation == correlation ? t->entries[low].span : MODEL_NONE;
}

static void skew_see(struct skew *skew, int64_t after_ns)
{
    skew->least_ns = after_ns < skew->least_ns ? after_ns : skew->least_ns;
    skew->early += after_ns < 0;
    skew->worst_ns = -after_ns > skew->worst_ns ? -after_ns : skew->worst_ns;
}

static void operation_link(struct model *m, uint32_t index, uint32_t call)
{
    struct span *op = &m->spans[index];
    op->peer = call;
    if (call == MODEL_NONE) {
        bool limited = m->processes[m->lanes[op->lane].process].calls_limited;
        *(limited ? &m->loss.unasked : &m->loss.unmatched) += 1;
        return;
    }
    struct span *c = &m->spans[call];
    skew_see(&m->skew, op->begin_ns - c->begin_ns);
    c->flags |= op->flags & SPAN_STAGED;
    if (c->peer == MODEL_NONE || op->begin_ns < m->spans[c->peer].begin_ns)
        c->peer = index;
}

/* The ids are in the table now: from here on a call's peer is its first operation. */
static void peers_clear(struct model *m, uint32_t process)
{
    for (uint32_t l = 0; l < m->lane_count; l++) {
        const struct lane *lane = &m->lanes[l];
        for (uint32_t i = lane->first; lane->process == process && lane->kind == LANE_THREAD && i < lane->first + lane->count; i++)
            m->spans[i].peer = MODEL_NONE;
    }
}

static void operations_link(struct model *m, uint32_t process, const struct link_table *calls)
{
    for (uint32_t l = 0; l < m->lane_count; l++) {
        const struct lane *lane = &m->lanes[l];
        for (uint32_t i = lane->first; lane->process == process && lane->kind == LANE_STREAM && i < lane->first + lane->count; i++) {
            uint32_t correlation = m->spans[i].peer;
            operation_link(m, i, correlation ? link_find(calls, correlation) : MODEL_NONE);
        }
    }
}

static int mark_compare(const void *a, const void *b)
{
    const struct event_mark *x = a, *y = b;
    if (x->call_ns != y->call_ns)
        return x->call_ns < y->call_ns ? -1 : 1;
    return x->is_wait - y->is_wait;
}

static uint32_t marks_count(const struct reader *r)
{
    uint32_t total = 0;
    FOR_EACH_RECORD(r, CGT_EVENT, cgt_event, event)
        total++;
    FOR_EACH_RECORD(r, CGT_SYNC, cgt_sync, sync)
        total += sync->type == CGT_SYNC_STREAM_WAIT;
    return total;
}

/* Recordings of events and waits for them, of a process. */
static void marks_read(struct model *m, uint32_t process, const struct link_table *calls)
{
    const struct reader *r = m->processes[process].reader;
    int64_t shift = m->processes[process].shift_ns;
    FOR_EACH_RECORD(r, CGT_EVENT, cgt_event, event) {
        uint32_t call = link_find(calls, event->correlation);
        if (call == MODEL_NONE) /* without its call its place in the order of issue is not known */
            continue;
        uint32_t lane = model_stream_find(m, process, event->context, event->stream);
        m->events[m->event_count++] =
            (struct event_mark){m->spans[call].begin_ns, event->event_sync, event->event, lane, process, false};
    }
    FOR_EACH_RECORD(r, CGT_SYNC, cgt_sync, sync) {
        if (sync->type != CGT_SYNC_STREAM_WAIT || sync->begin_ns < 0 || sync->begin_ns > INT64_MAX / 2)
            continue;
        uint32_t call = link_find(calls, sync->correlation);
        int64_t call_ns = call == MODEL_NONE ? sync->begin_ns + shift : m->spans[call].begin_ns;
        uint32_t lane = model_stream_find(m, process, sync->context, sync->stream);
        m->events[m->event_count++] = (struct event_mark){call_ns, sync->event_sync, sync->event, lane, process, true};
    }
}

void model_link(struct model *m)
{
    m->skew.least_ns = INT64_MAX;
    uint32_t marks = 0;
    for (uint32_t p = 0; p < m->process_count; p++)
        marks += marks_count(m->processes[p].reader);
    m->events = ARENA_NEW(&m->arena, struct event_mark, marks + 1);
    for (uint32_t p = 0; p < m->process_count; p++) {
        struct link_table calls;
        link_table_init(&calls, m, p);
        peers_clear(m, p);
        operations_link(m, p, &calls);
        marks_read(m, p, &calls);
        link_table_finish(&calls);
    }
    qsort(m->events, m->event_count, sizeof *m->events, mark_compare);
}

static int overhead_compare(const void *a, const void *b)
{
    const struct overhead *x = a, *y = b;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void overheads_add(struct model *m, uint32_t process)
{
    int64_t shift = m->processes[process].shift_ns;
    FOR_EACH_RECORD(m->processes[process].reader, CGT_OVERHEAD, cgt_overhead, o)
        if (o->end_ns >= o->begin_ns && o->begin_ns > 0 && o->end_ns < INT64_MAX / 2)
            m->overheads[m->overhead_count++] =
                (struct overhead){o->begin_ns + shift, o->end_ns + shift, 0, o->kind, o->thread, process};
}

void model_read_overheads(struct model *m)
{
    uint32_t total = 0;
    for (uint32_t p = 0; p < m->process_count; p++)
        FOR_EACH_RECORD(m->processes[p].reader, CGT_OVERHEAD, cgt_overhead, o)
            total++;
    m->overheads = ARENA_NEW(&m->arena, struct overhead, total + 1);
    for (uint32_t p = 0; p < m->process_count; p++)
        overheads_add(m, p);
    qsort(m->overheads, m->overhead_count, sizeof *m->overheads, overhead_compare);
    int64_t reach = INT64_MIN;
    for (uint32_t i = 0; i < m->overhead_count; i++) {
        reach = m->overheads[i].end_ns > reach ? m->overheads[i].end_ns : reach;
        m->overheads[i].reach_ns = reach;
    }
}
