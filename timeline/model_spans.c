/* Lanes and spans of a model. What the host did and what the GPU did lie in records and lanes of their own, so that each half
 * is read by a thread of its own. */
#include <stdlib.h>
#include <string.h>

#include "model_build.h"
#include "model_describe.h"
#include "parallel.h"
#include "span_sort.h"

enum { HALF_HOST, HALF_GPU, HALF_COUNT };

/* Lanes are found by key while records are placed: a hash table, and the last hit, since records come in runs. */
struct lane_key {
    uint32_t kind, device, context, id, domain;
};

struct half {
    struct model *model;
    int which;
    uint32_t process; /* being read */
    struct lane *lanes;
    uint32_t lane_count, lane_capacity, last;
    uint32_t *slots; /* lane index + 1; 0: free */
    uint32_t slot_count;
    uint32_t first_lane; /* where in the model's lanes these are */
    uint32_t *next;      /* where the next span of each lane goes */
    uint64_t invalid;
    struct descriptions *descriptions; /* by process */
    struct arena arena;
};

static bool lane_is(const struct lane *lane, const struct half *h, struct lane_key key)
{
    return lane->id == key.id && lane->context == key.context && lane->device == key.device &&
           lane->kind == key.kind && lane->domain == key.domain && lane->process == h->process;
}

static uint32_t key_hash(struct lane_key key)
{
    uint32_t hash = key.id * 2654435761u ^ key.context * 40503u ^ key.device * 97u ^ key.domain * 193u ^ key.kind;
    return hash ^ hash >> 15;
}

/* Indexes the lanes, with room for as many again. */
static void lanes_index(struct half *h)
{
    h->slot_count = h->slot_count ? h->slot_count * 2 : 256;
    h->lane_capacity = h->slot_count / 2;
    h->slots = ARENA_NEW(&h->arena, uint32_t, h->slot_count);
    for (uint32_t i = 0; i < h->lane_count; i++) {
        const struct lane *l = &h->lanes[i];
        uint32_t at = key_hash((struct lane_key){l->kind, l->device, l->context, l->id, l->domain}) & (h->slot_count - 1);
        while (h->slots[at] != 0)
            at = (at + 1) & (h->slot_count - 1);
        h->slots[at] = i + 1;
    }
    struct lane *lanes = ARENA_NEW(&h->arena, struct lane, h->lane_capacity);
    if (h->lane_count > 0)
        memcpy(lanes, h->lanes, h->lane_count * sizeof *lanes);
    h->lanes = lanes;
}

static uint32_t lane_get(struct half *h, struct lane_key key)
{
    if (h->last < h->lane_count && lane_is(&h->lanes[h->last], h, key))
        return h->last;
    if (h->lane_count == h->lane_capacity)
        lanes_index(h);
    uint32_t at = key_hash(key) & (h->slot_count - 1);
    for (; h->slots[at] != 0; at = (at + 1) & (h->slot_count - 1))
        if (lane_is(&h->lanes[h->slots[at] - 1], h, key))
            return h->last = h->slots[at] - 1;
    h->slots[at] = h->lane_count + 1;
    h->lanes[h->lane_count] = (struct lane){
        .kind = key.kind,
        .process = h->process,
        .id = key.id,
        .device = key.device,
        .context = key.context,
        .domain = key.domain,
        .name = "",
    };
    return h->last = h->lane_count++;
}

static bool times_usable(int64_t begin, int64_t end)
{
    return begin >= 0 && end >= begin && end < TIME_LIMIT && !(begin == 0 && end == 0);
}

static bool kind_is_span(uint16_t kind, enum span_kind *ret_kind)
{
    static const uint16_t kinds[SPAN_KIND_COUNT] = {
        [SPAN_KERNEL] = CGT_KERNEL, [SPAN_COPY] = CGT_COPY, [SPAN_MEMSET] = CGT_MEMSET,
        [SPAN_GRAPH] = CGT_GRAPH,   [SPAN_CALL] = CGT_CALL, [SPAN_RANGE] = CGT_RANGE,
    };
    *ret_kind = 0;
    while (*ret_kind < SPAN_KIND_COUNT && kinds[*ret_kind] != kind)
        ++*ret_kind;
    return *ret_kind != SPAN_KIND_COUNT;
}

static uint32_t record_lane(struct half *h, enum span_kind kind, const uint8_t *record)
{
    if (kind == SPAN_CALL) {
        const struct cgt_call *call = (const void *)record;
        return lane_get(h, (struct lane_key){LANE_THREAD, MODEL_NONE, MODEL_NONE, call->thread, 0});
    }
    if (kind == SPAN_RANGE) {
        const struct cgt_range *range = (const void *)record;
        return lane_get(h, (struct lane_key){LANE_RANGE, MODEL_NONE, MODEL_NONE, range->thread, range->domain});
    }
    const struct cgt_operation *op = (const void *)record;
    return lane_get(h, (struct lane_key){LANE_STREAM, op->device, op->context, op->stream, 0});
}

/* Visits every usable span record of the half in a process's file. First pass (no next): finds and counts lanes; second: places
 * the spans. */
static void records_visit(struct half *h, const struct reader *r)
{
    const struct model *m = h->model;
    struct descriptions *descriptions = &h->descriptions[h->process];
    for (uint32_t i = 0; i < reader_block_count(r); i++) {
        const struct block *b = reader_block(r, i);
        enum span_kind kind;
        if (!kind_is_span(b->kind, &kind) || ((int)kind < SPAN_OPERATION_KINDS) != (h->which == HALF_GPU))
            continue;
        const uint8_t *record = b->records;
        for (uint32_t k = 0; k < b->count; k++, record += b->record_bytes) {
            const struct cgt_operation *op = (const void *)record; /* begins as a call does: with its times */
            if (!times_usable(op->begin_ns, op->end_ns)) {
                h->invalid += h->next == NULL;
                continue;
            }
            uint32_t lane = record_lane(h, kind, record);
            if (h->next == NULL) {
                h->lanes[lane].count++;
                describe_see(descriptions, kind, record);
                continue;
            }
            int64_t shift = m->processes[h->process].shift_ns;
            struct span *span = &m->spans[h->next[lane]++];
            *span = (struct span){
                .begin_ns = op->begin_ns + shift,
                .end_ns = op->end_ns + shift,
                .record = (uint32_t)((size_t)(record - reader_base(r)) / 8),
                .lane = h->first_lane + lane,
                .peer = MODEL_NONE,
                .kind = (uint8_t)kind,
            };
            describe_span(descriptions, span, record);
        }
    }
}

static void processes_visit(struct half *h)
{
    for (h->process = 0; h->process < h->model->process_count; h->process++)
        records_visit(h, h->model->processes[h->process].reader);
}

static int lane_compare(const void *a, const void *b)
{
    const struct lane *x = a, *y = b;
#define BY(field)                        \
    if (x->field != y->field)            \
        return x->field < y->field ? -1 : 1
    BY(kind); /* threads and ranges before streams: GPU operations are the tail of the spans */
    BY(process);
    BY(device);
    BY(context);
    BY(id);
    BY(domain);
#undef BY
    return 0;
}

static void half_count(void *halves, uint32_t index)
{
    struct half *h = (struct half *)halves + index;
    lanes_index(h);
    processes_visit(h);
    qsort(h->lanes, h->lane_count, sizeof *h->lanes, lane_compare);
}

static void half_place(void *halves, uint32_t index)
{
    struct half *h = (struct half *)halves + index;
    h->next = ARENA_NEW(&h->arena, uint32_t, h->lane_count + 1);
    for (uint32_t i = 0; i < h->lane_count; i++)
        h->next[i] = h->model->lanes[h->first_lane + i].first;
    lanes_index(h); /* sorting moved the lanes */
    processes_visit(h);
}

static void lane_sort(void *model, uint32_t index)
{
    struct model *m = model;
    struct lane *lane = &m->lanes[index];
    const struct span *spans = m->spans + lane->first;
    span_sort(m->spans + lane->first, lane->count);
    int64_t busy_until = INT64_MIN, busy_ns = 0;
    for (uint32_t i = 0; i < lane->count; i++) {
        int64_t begin = spans[i].begin_ns > busy_until ? spans[i].begin_ns : busy_until;
        if (spans[i].end_ns > begin)
            busy_ns += spans[i].end_ns - begin;
        busy_until = spans[i].end_ns > busy_until ? spans[i].end_ns : busy_until;
    }
    lane->busy_ns = busy_ns;
}

/* The lanes of the halves, one half behind the other. */
static bool lanes_join(struct model *m, struct half halves[HALF_COUNT], struct error *err)
{
    uint64_t total = 0;
    m->lanes = ARENA_NEW(&m->arena, struct lane, halves[HALF_HOST].lane_count + halves[HALF_GPU].lane_count + 1);
    for (int which = 0; which < HALF_COUNT; which++) {
        struct half *h = &halves[which];
        m->loss.invalid += h->invalid;
        h->first_lane = m->lane_count;
        for (uint32_t i = 0; i < h->lane_count; i++) {
            struct lane *lane = &m->lanes[m->lane_count++];
            *lane = h->lanes[i];
            lane->first = (uint32_t)total;
            total += lane->count;
        }
    }
    if (total > UINT32_MAX / 2)
        return error_set(err, m->processes[0].path, -1, "more than two thousand million spans");
    m->span_count = (uint32_t)total;
    m->spans = ARENA_NEW(&m->arena, struct span, total + 1);
    return true;
}

bool model_read_spans(struct model *m, struct error *err)
{
    struct descriptions *descriptions = ARENA_NEW(&m->arena, struct descriptions, m->process_count);
    struct half halves[HALF_COUNT];
    for (uint32_t i = 0; i < m->process_count; i++)
        describe_init(&descriptions[i], m->processes[i].reader);
    for (int which = 0; which < HALF_COUNT; which++) {
        halves[which] = (struct half){.model = m, .which = which, .descriptions = descriptions};
        arena_init(&halves[which].arena);
    }
    parallel_for(HALF_COUNT, half_count, halves);
    bool joined = lanes_join(m, halves, err);
    if (joined) {
        parallel_for(HALF_COUNT, half_place, halves);
        parallel_for(m->lane_count, lane_sort, m);
    }
    for (int which = 0; which < HALF_COUNT; which++)
        arena_finish(&halves[which].arena);
    for (uint32_t i = 0; i < m->process_count; i++)
        describe_finish(&descriptions[i]);
    return joined;
}
