#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_build.h"

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
    if (!model_read_spans(m, err)) {
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
