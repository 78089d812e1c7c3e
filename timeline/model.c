#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_build.h"
#include "model_describe.h"

/* Lanes are found by key while records are placed: a hash table, and the last hit, since records come in runs. */
struct lane_key {
    uint32_t kind, device, context, id, domain;
};

struct lane_table {
    struct model *model;
    uint32_t process;
    uint32_t *slots; /* lane index + 1; 0: free */
    uint32_t slot_count;
    uint32_t last;
    uint32_t lane_capacity;
    struct descriptions *descriptions; /* by process */
};

static bool lane_is(const struct lane *lane, const struct lane_table *t, struct lane_key key)
{
    return lane->id == key.id && lane->context == key.context && lane->device == key.device &&
           lane->kind == key.kind && lane->domain == key.domain && lane->process == t->process;
}

static uint32_t key_hash(struct lane_key key)
{
    uint32_t h = key.id * 2654435761u ^ key.context * 40503u ^ key.device * 97u ^ key.domain * 193u ^ key.kind;
    return h ^ h >> 15;
}

static void lane_table_grow(struct lane_table *t)
{
    struct model *m = t->model;
    uint32_t slot_count = t->slot_count ? t->slot_count * 2 : 256;
    uint32_t *slots = ARENA_NEW(&m->arena, uint32_t, slot_count);
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *l = &m->lanes[i];
        uint32_t at = key_hash((struct lane_key){l->kind, l->device, l->context, l->id, l->domain}) & (slot_count - 1);
        while (slots[at] != 0)
            at = (at + 1) & (slot_count - 1);
        slots[at] = i + 1;
    }
    struct lane *lanes = ARENA_NEW(&m->arena, struct lane, slot_count / 2);
    if (m->lane_count > 0)
        memcpy(lanes, m->lanes, m->lane_count * sizeof *lanes);
    m->lanes = lanes;
    t->slots = slots;
    t->slot_count = slot_count;
    t->lane_capacity = slot_count / 2;
}

static uint32_t lane_get(struct lane_table *t, struct lane_key key)
{
    struct model *m = t->model;
    if (t->last < m->lane_count && lane_is(&m->lanes[t->last], t, key))
        return t->last;
    if (m->lane_count == t->lane_capacity)
        lane_table_grow(t);
    uint32_t at = key_hash(key) & (t->slot_count - 1);
    for (; t->slots[at] != 0; at = (at + 1) & (t->slot_count - 1))
        if (lane_is(&m->lanes[t->slots[at] - 1], t, key))
            return t->last = t->slots[at] - 1;
    t->slots[at] = m->lane_count + 1;
    m->lanes[m->lane_count] = (struct lane){
        .kind = key.kind,
        .process = t->process,
        .id = key.id,
        .device = key.device,
        .context = key.context,
        .domain = key.domain,
        .name = "",
    };
    return t->last = m->lane_count++;
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

static uint32_t record_lane(struct lane_table *t, enum span_kind kind, const uint8_t *record)
{
    if (kind == SPAN_CALL) {
        const struct cgt_call *call = (const void *)record;
        return lane_get(t, (struct lane_key){LANE_THREAD, MODEL_NONE, MODEL_NONE, call->thread, 0});
    }
    if (kind == SPAN_RANGE) {
        const struct cgt_range *range = (const void *)record;
        return lane_get(t, (struct lane_key){LANE_RANGE, MODEL_NONE, MODEL_NONE, range->thread, range->domain});
    }
    const struct cgt_operation *op = (const void *)record;
    return lane_get(t, (struct lane_key){LANE_STREAM, op->device, op->context, op->stream, 0});
}

/* Visits every usable span record. First pass (spans == NULL): finds and counts lanes; second: places the spans. */
static void spans_visit(struct lane_table *t, const struct reader *r, struct span *spans, uint32_t *next)
{
    struct model *m = t->model;
    struct descriptions *descriptions = &t->descriptions[t->process];
    for (uint32_t i = 0; i < reader_block_count(r); i++) {
        const struct block *b = reader_block(r, i);
        enum span_kind kind;
        if (!kind_is_span(b->kind, &kind))
            continue;
        const uint8_t *record = b->records;
        for (uint32_t k = 0; k < b->count; k++, record += b->record_bytes) {
            const struct cgt_operation *op = (const void *)record; /* begins as a call does: with its times */
            if (!times_usable(op->begin_ns, op->end_ns)) {
                m->loss.invalid += spans == NULL;
                continue;
            }
            uint32_t lane = record_lane(t, kind, record);
            if (spans == NULL) {
                m->lanes[lane].count++;
                describe_see(descriptions, kind, record);
                continue;
            }
            int64_t shift = m->processes[t->process].shift_ns;
            struct span *span = &spans[next[lane]++];
            *span = (struct span){
                .begin_ns = op->begin_ns + shift,
                .end_ns = op->end_ns + shift,
                .record = (uint32_t)((size_t)(record - reader_base(r)) / 8),
                .lane = lane,
                .peer = MODEL_NONE,
                .kind = (uint8_t)kind,
            };
            describe_span(descriptions, span, record);
        }
    }
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

static int span_compare(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    if (x->end_ns != y->end_ns) /* of ranges the outer one first */
        return (x->end_ns < y->end_ns) != (x->kind == SPAN_RANGE) ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

static void lane_sort(struct model *m, struct lane *lane)
{
    struct span *spans = m->spans + lane->first;
    bool sorted = true;
    for (uint32_t i = 1; i < lane->count && sorted; i++)
        sorted = span_compare(&spans[i - 1], &spans[i]) <= 0;
    if (!sorted)
        qsort(spans, lane->count, sizeof *spans, span_compare);
    int64_t busy_until = INT64_MIN;
    for (uint32_t i = 0; i < lane->count; i++) {
        int64_t begin = spans[i].begin_ns > busy_until ? spans[i].begin_ns : busy_until;
        if (spans[i].end_ns > begin)
            lane->busy_ns += spans[i].end_ns - begin;
        busy_until = spans[i].end_ns > busy_until ? spans[i].end_ns : busy_until;
    }
}

/* Visits the spans of all processes; see spans_visit(). */
static void processes_visit(struct lane_table *table, struct span *spans, uint32_t *next)
{
    struct model *m = table->model;
    for (table->process = 0; table->process < m->process_count; table->process++)
        spans_visit(table, m->processes[table->process].reader, spans, next);
}

/* Counts, then places the spans of all lanes. */
static bool spans_place(struct lane_table *table, struct error *err)
{
    struct model *m = table->model;
    processes_visit(table, NULL, NULL);
    qsort(m->lanes, m->lane_count, sizeof *m->lanes, lane_compare);
    lane_table_grow(table); /* sorting moved the lanes: index them anew */

    uint64_t total = 0;
    uint32_t *next = ARENA_NEW(&m->arena, uint32_t, m->lane_count + 1);
    for (uint32_t i = 0; i < m->lane_count; i++) {
        m->lanes[i].first = next[i] = (uint32_t)total;
        total += m->lanes[i].count;
    }
    if (total > UINT32_MAX / 2)
        return error_set(err, m->processes[0].path, -1, "more than two thousand million spans");
    m->span_count = (uint32_t)total;
    m->spans = ARENA_NEW(&m->arena, struct span, total + 1);
    processes_visit(table, m->spans, next);
    for (uint32_t i = 0; i < m->lane_count; i++)
        lane_sort(m, &m->lanes[i]);
    return true;
}

static bool spans_build(struct model *m, struct error *err)
{
    struct lane_table table = {.model = m, .descriptions = ARENA_NEW(&m->arena, struct descriptions, m->process_count)};
    lane_table_grow(&table);
    for (uint32_t i = 0; i < m->process_count; i++)
        describe_init(&table.descriptions[i], m->processes[i].reader);
    bool done = spans_place(&table, err);
    for (uint32_t i = 0; i < m->process_count; i++)
        describe_finish(&table.descriptions[i]);
    return done;
}

static void totals_build(struct model *m)
{
    m->begin_ns = INT64_MAX;
    m->end_ns = INT64_MIN;
    for (uint32_t i = 0; i < m->span_count; i++) {
        const struct span *s = &m->spans[i];
        if (!span_is_operation(s)) {
            m->call_count += s->kind == SPAN_CALL;
            continue;
        }
        m->operation_count++;
        m->begin_ns = s->begin_ns < m->begin_ns ? s->begin_ns : m->begin_ns;
        m->end_ns = s->end_ns > m->end_ns ? s->end_ns : m->end_ns;
    }
    if (m->operation_count == 0)
        m->begin_ns = m->end_ns = 0;
}

uint32_t model_stream_find(const struct model *m, uint32_t process, uint32_t context, uint32_t stream)
{
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *l = &m->lanes[i];
        if (l->kind == LANE_STREAM && l->process == process && l->context == context && l->id == stream)
            return i;
    }
    return MODEL_NONE;
}

/* Per-thread default streams come to be when a thread first issues work to its own; all others are created by a call
 * that does nothing else, or together with their context. */
static bool created_in_passing(const struct model *m, uint32_t lane, const struct cgt_stream *stream)
{
    const struct cgt_operation *first = model_operation(m, &m->spans[m->lanes[lane].first]);
    return stream->flag == CGT_STREAM_BLOCKING && stream->correlation != 0 && first->graph == 0 &&
           first->correlation == stream->correlation;
}

static void lanes_describe(struct model *m, uint32_t process)
{
    const struct reader *r = m->processes[process].reader;
    FOR_EACH_RECORD(r, CGT_STREAM, cgt_stream, stream) {
        uint32_t lane = model_stream_find(m, process, stream->context, stream->id);
        if (lane == MODEL_NONE)
            continue;
        m->lanes[lane].stream_flag = stream->flag;
        m->lanes[lane].priority = stream->priority;
        m->lanes[lane].per_thread = created_in_passing(m, lane, stream);
    }
    FOR_EACH_RECORD(r, CGT_CONTEXT, cgt_context, context) {
        uint32_t lane = model_stream_find(m, process, context->id, context->null_stream);
        if (lane != MODEL_NONE)
            m->lanes[lane].stream_flag = CGT_STREAM_NULL;
    }
    for (uint32_t i = 0; i < m->lane_count; i++)
        if (m->lanes[i].kind == LANE_RANGE && m->lanes[i].process == process)
            m->lanes[i].name = reader_string(r, m->lanes[i].domain);
    FOR_EACH_RECORD(r, CGT_THREAD, cgt_thread, thread) {
        for (uint32_t i = 0; i < m->lane_count; i++)
            if (m->lanes[i].kind == LANE_THREAD && m->lanes[i].process == process && m->lanes[i].id == thread->id)
                m->lanes[i].name = reader_string(r, thread->name);
    }
}

static void devices_read(struct model *m, uint32_t process)
{
    const struct reader *r = m->processes[process].reader;
    FOR_EACH_RECORD(r, CGT_DEVICE, cgt_device, device) {
        struct device *known = m->devices;
        while (known < m->devices + m->device_count && (known->process != process || known->info.id != device->id))
            known++;
        /* a device may be described again when more is known: the last description holds */
        *known = (struct device){process, *device, reader_string(r, device->name)};
        m->device_count += known == m->devices + m->device_count;
    }
}

static void devices_read_all(struct model *m)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < m->process_count; p++)
        FOR_EACH_RECORD(m->processes[p].reader, CGT_DEVICE, cgt_device, device)
            count++;
    m->devices = ARENA_NEW(&m->arena, struct device, count + 1);
    for (uint32_t p = 0; p < m->process_count; p++)
        devices_read(m, p);
}

/* Of several files each warning names its own. */
static void warn(struct model *m, uint32_t process, const char *text)
{
    const char *path = m->processes[process].path;
    m->warnings[m->warning_count++] = m->process_count > 1 ? arena_printf(&m->arena, "%s: %s", path, text) : text;
}

static uint64_t spans_of(const struct model *m, uint32_t process)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < m->lane_count; i++)
        count += m->lanes[i].process == process && m->lanes[i].kind != LANE_RANGE ? m->lanes[i].count : 0;
    return count;
}

static void end_check(struct model *m, uint32_t process)
{
    const struct reader *r = m->processes[process].reader;
    bool unfinished = true;
    FOR_EACH_RECORD(r, CGT_END, cgt_end, end) {
        uint64_t written = end->operations + end->calls, read = spans_of(m, process) + m->loss.invalid;
        unfinished = false;
        if (written > read && written - read < UINT32_MAX)
            warn(m, process, arena_printf(&m->arena, "%" PRIu64 " operations or calls lie in damaged blocks", written - read));
    }
    if (unfinished && reader_truncated_bytes(r) == 0)
        warn(m, process, "the program ended before the trace was finished: its last moments may be missing");
    m->loss.unfinished = m->loss.unfinished || unfinished;
}

/* What an importer could not read is a property of its image. Returns how many warnings those are. */
static uint32_t warnings_told(struct model *m, uint32_t process, bool add)
{
    const struct reader *r = m->processes[process].reader;
    uint32_t count = 0;
    FOR_EACH_RECORD(r, CGT_PROPERTY, cgt_property, property) {
        if (strcmp(reader_string(r, property->key), "warning") != 0)
            continue;
        count++;
        if (add)
            warn(m, process, reader_string(r, property->value));
    }
    return count;
}

static uint64_t *loss_counter(struct model *m, uint32_t kind)
{
    return kind == CGT_LOSS_INVALID     ? &m->loss.invalid
           : kind == CGT_LOSS_TRUNCATED ? &m->loss.truncated_bytes
           : kind == CGT_LOSS_MALFORMED ? &m->loss.malformed
           : kind == CGT_LOSS_SAMPLES   ? &m->loss.samples
                                        : &m->loss.dropped;
}

static void loss_read(struct model *m)
{
    uint32_t warnings = 0;
    for (uint32_t p = 0; p < m->process_count; p++)
        warnings += reader_warning_count(m->processes[p].reader) + warnings_told(m, p, false) + 2;
    m->warnings = ARENA_NEW(&m->arena, const char *, warnings);
    for (uint32_t p = 0; p < m->process_count; p++) {
        const struct reader *r = m->processes[p].reader;
        m->loss.truncated_bytes += reader_truncated_bytes(r);
        m->loss.skipped_blocks += reader_skipped_blocks(r);
        FOR_EACH_RECORD(r, CGT_LOSS, cgt_loss, loss)
            *loss_counter(m, loss->kind) += loss->count;
        for (uint32_t i = 0; i < reader_warning_count(r); i++)
            warn(m, p, reader_warning(r, i));
        warnings_told(m, p, true);
        end_check(m, p);
    }
}

static struct model *model_create(void)
{
    struct model *m = calloc(1, sizeof *m);
    if (m == NULL)
        abort();
    arena_init(&m->arena);
    return m;
}

/* Builds everything from the files of its processes. Destroys the model on failure, and returns NULL. */
static struct model *model_build(struct model *m, struct error *err)
{
    if (!spans_build(m, err)) {
        model_destroy(m);
        return NULL;
    }
    totals_build(m);
    devices_read_all(m);
    for (uint32_t i = 0; i < m->process_count; i++)
        lanes_describe(m, i);
    model_link(m);
    model_read_overheads(m);
    model_read_pauses(m);
    model_read_buses(m);
    loss_read(m);
    return m;
}

struct model *model_load_files(const char *const *paths, uint32_t count, struct error *err)
{
    struct model *m = model_create();
    if (!model_open(m, paths, count, err)) {
        model_destroy(m);
        return NULL;
    }
    return model_build(m, err);
}

struct model *model_load(const char *path, struct error *err)
{
    return model_load_files(&path, 1, err);
}

struct model *model_of_process(const struct model *all, uint32_t process, struct error *err)
{
    struct model *m = model_create();
    m->processes = ARENA_NEW(&m->arena, struct process, 1);
    m->processes[0] = all->processes[process];
    m->process_count = 1;
    m->borrows = true;
    return model_build(m, err);
}

void model_destroy(struct model *m)
{
    if (m == NULL)
        return;
    for (uint32_t i = 0; i < m->process_count && !m->borrows; i++)
        reader_close(m->processes[i].reader);
    arena_finish(&m->arena);
    free(m);
}

static const void *record_of(const struct model *m, const struct span *span)
{
    return m->processes[m->lanes[span->lane].process].base + (size_t)span->record * 8;
}

const struct cgt_operation *model_operation(const struct model *m, const struct span *span)
{
    return record_of(m, span);
}

const struct cgt_kernel *model_kernel(const struct model *m, const struct span *span)
{
    return record_of(m, span);
}

const struct cgt_copy *model_copy(const struct model *m, const struct span *span)
{
    return record_of(m, span);
}

const struct cgt_memset *model_memset(const struct model *m, const struct span *span)
{
    return record_of(m, span);
}

const struct cgt_call *model_call(const struct model *m, const struct span *span)
{
    return record_of(m, span);
}

const struct cgt_range *model_range(const struct model *m, const struct span *span)
{
    return record_of(m, span);
}
