/* Perfetto's protobuf trace: a packet for each track, and for the begin and end of each span. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "proto.h"
#include "nest.h"
#include "timeline/import/idmap.h"

/* Field numbers, as protos/perfetto/trace/ has them; the tests check them with Perfetto's own descriptors. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
};
enum { FLAG_CLEARED = 1, FLAG_NEEDED = 2 }; /* of the state that interned names are */
enum { INTERNED_EVENT_NAMES = 2, EVENT_NAME_IID = 1, EVENT_NAME_NAME = 2 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_ORDERING = 11,
    TRACK_RANK = 12
};
enum { ORDERING_EXPLICIT = 3 };
enum { COUNTER_UNIT_NAME = 6 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
    EVENT_ANNOTATIONS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_ID = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORIES = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER_DOUBLE = 44,
    EVENT_FLOWS = 47,
    EVENT_TERMINATING_FLOWS = 48,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { ANNOTATION_NUMBER = 3, ANNOTATION_TEXT = 6, ANNOTATION_NAME = 10 };

struct perfetto {
    struct out out;
    const struct model *model;
    struct proto packet, event, part, piece;
    struct idmap names;          /* hash of a name -> its interned id */
    uint32_t name_count;
    uint32_t *pids;              /* by process */
    struct idmap threads;        /* process and thread id -> the lane of its calls + 1 */
    struct idmap groups;         /* that are written, by uuid */
    int64_t base_ns;             /* times count from there: viewers show them as times since the machine started */
    uint32_t *next_operation;    /* by span: the next one issued by the same call */
    uint32_t *first_operation;   /* by span: of calls */
};

static void packet_write(struct perfetto *p)
{
    struct proto frame = {0};
    proto_number(&p->packet, PACKET_SEQUENCE, 1);
    proto_message(&frame, TRACE_PACKET, &p->packet); /* a Trace is nothing but its packets, one behind the other */
    out_bytes(&p->out, frame.bytes, frame.count);
    proto_finish(&frame);
    proto_clear(&p->packet);
}

/* Tracks: groups (a device, a program) and in them the rows of lanes. Ids only need to differ. */
static uint64_t device_uuid(uint32_t process, uint32_t device)
{
    return UINT64_C(1) << 63 | (uint64_t)process << 33 | ((uint64_t)device + 1);
}

static uint64_t group_uuid(const struct lane *l)
{
    return l->kind == LANE_STREAM ? device_uuid(l->process, l->device) : UINT64_C(1) << 63 | (uint64_t)l->process << 33;
}

static uint64_t row_uuid(uint32_t lane, uint32_t row)
{
    return (uint64_t)lane * NEST_ROWS + row + 1;
}

/* Ranges stand with the calls of their thread: the viewer sorts what lies side by side in a process by name. */
static uint64_t parent_uuid(struct perfetto *p, uint32_t lane)
{
    const struct lane *l = &p->model->lanes[lane];
    bool fresh;
    uint32_t *calls = idmap_get(&p->threads, ((uint64_t)l->process << 32 | l->id) + 1, &fresh);
    return l->kind == LANE_RANGE && *calls > 0 ? row_uuid(*calls - 1, 0) : group_uuid(l);
}

static void threads_index(struct perfetto *p)
{
    bool fresh;
    for (uint32_t i = 0; i < p->model->lane_count; i++) {
        const struct lane *l = &p->model->lanes[i];
        if (l->kind == LANE_THREAD)
            *idmap_get(&p->threads, ((uint64_t)l->process << 32 | l->id) + 1, &fresh) = i + 1;
    }
}

static void group_write(struct perfetto *p, uint32_t lane)
{
    const struct lane *l = &p->model->lanes[lane];
    char name[256];
    proto_clear(&p->part);
    proto_number(&p->part, TRACK_UUID, group_uuid(l));
    out_group_name(p->model, lane, name, sizeof name);
    if (l->kind == LANE_STREAM) {
        proto_text(&p->part, TRACK_NAME, name);
    } else {
        proto_clear(&p->piece);
        proto_number(&p->piece, PROCESS_PID, p->pids[l->process]);
        proto_text(&p->piece, PROCESS_NAME, name);
        proto_message(&p->part, TRACK_PROCESS, &p->piece);
    }
    proto_number(&p->part, TRACK_ORDERING, ORDERING_EXPLICIT);
    proto_message(&p->packet, PACKET_TRACK_DESCRIPTOR, &p->part);
    packet_write(p);
}

static void row_write(struct perfetto *p, uint32_t lane, uint32_t row)
{
    const struct lane *l = &p->model->lanes[lane];
    char name[256];
    model_lane_own_name(p->model, lane, name, sizeof name);
    proto_clear(&p->part);
    proto_number(&p->part, TRACK_UUID, row_uuid(lane, row));
    proto_number(&p->part, TRACK_PARENT, parent_uuid(p, lane));
    proto_number(&p->part, TRACK_RANK, (uint64_t)lane);
    if (l->kind == LANE_THREAD && row == 0 && l->id < INT32_MAX) {
        proto_clear(&p->piece);
        proto_number(&p->piece, THREAD_PID, p->pids[l->process]);
        proto_number(&p->piece, THREAD_TID, l->id);
        proto_text(&p->piece, THREAD_NAME, l->name[0] != '\0' ? l->name : name);
        proto_message(&p->part, TRACK_THREAD, &p->piece);
    } else {
        proto_text(&p->part, TRACK_NAME, name);
    }
    proto_message(&p->packet, PACKET_TRACK_DESCRIPTOR, &p->part);
    packet_write(p);
}

/* Id of a name that is told once and then referred to: kernels' names are long, and come again. */
static uint32_t name_intern(struct perfetto *p, const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    bool fresh;
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (uint8_t)*c) * UINT64_C(1099511628211);
    uint32_t *id = idmap_get(&p->names, hash, &fresh);
    if (!fresh)
        return *id;
    *id = ++p->name_count;
    proto_clear(&p->part);
    proto_clear(&p->piece);
    proto_number(&p->piece, EVENT_NAME_IID, *id);
    proto_text(&p->piece, EVENT_NAME_NAME, name);
    proto_message(&p->part, INTERNED_EVENT_NAMES, &p->piece);
    proto_message(&p->packet, PACKET_INTERNED, &p->part);
    return *id;
}

static void annotation_number(struct perfetto *p, const char *name, uint64_t value)
{
    proto_clear(&p->piece);
    proto_text(&p->piece, ANNOTATION_NAME, name);
    proto_number(&p->piece, ANNOTATION_NUMBER, value);
    proto_message(&p->event, EVENT_ANNOTATIONS, &p->piece);
}

static void annotation_text(struct perfetto *p, const char *name, const char *text)
{
    proto_clear(&p->piece);
    proto_text(&p->piece, ANNOTATION_NAME, name);
    proto_text(&p->piece, ANNOTATION_TEXT, text);
    proto_message(&p->event, EVENT_ANNOTATIONS, &p->piece);
}

static void annotate(struct perfetto *p, const struct span *span)
{
    char text[96];
    if (span_is_operation(span))
        annotation_number(p, "correlation", model_operation(p->model, span)->correlation);
    if (span->kind == SPAN_COPY)
        annotation_number(p, "bytes", model_copy(p->model, span)->bytes);
    if (span->kind == SPAN_MEMSET)
        annotation_number(p, "bytes", model_memset(p->model, span)->bytes);
    if (span->kind != SPAN_KERNEL)
        return;
    const struct cgt_kernel *k = model_kernel(p->model, span);
    snprintf(text, sizeof text, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, k->grid[0], k->grid[1], k->grid[2]);
    annotation_text(p, "grid", text);
    snprintf(text, sizeof text, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, k->block[0], k->block[1], k->block[2]);
    annotation_text(p, "block", text);
    annotation_number(p, "registers per thread", k->registers_per_thread);
}

/* A flow for each operation, from its call: its id is that of the operation's span. */
static void flows_add(struct perfetto *p, uint32_t index)
{
    const struct span *span = &p->model->spans[index];
    if (span_is_operation(span) && span->peer != MODEL_NONE)
        proto_fixed64(&p->event, EVENT_TERMINATING_FLOWS, (uint64_t)index + 1);
    for (uint32_t op = p->first_operation[index]; op != MODEL_NONE; op = p->next_operation[op])
        proto_fixed64(&p->event, EVENT_FLOWS, (uint64_t)op + 1);
}

static void event_write(struct perfetto *p, int64_t time_ns)
{
    proto_number(&p->packet, PACKET_TIMESTAMP, (uint64_t)(time_ns - p->base_ns));
    proto_number(&p->packet, PACKET_FLAGS, FLAG_NEEDED);
    proto_message(&p->packet, PACKET_TRACK_EVENT, &p->event);
    packet_write(p);
}

static void begin_write(struct perfetto *p, uint32_t index, uint64_t track)
{
    static const char *const categories[SPAN_KIND_COUNT] = {
        [SPAN_KERNEL] = "kernel", [SPAN_COPY] = "copy", [SPAN_MEMSET] = "memset",
        [SPAN_GRAPH] = "graph",   [SPAN_CALL] = "call", [SPAN_RANGE] = "range",
    };
    const struct span *span = &p->model->spans[index];
    char name[4096];
    uint32_t id = name_intern(p, model_span_name(p->model, span, name, sizeof name));
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_TYPE, TYPE_BEGIN);
    proto_number(&p->event, EVENT_NAME_ID, id);
    proto_number(&p->event, EVENT_TRACK, track);
    proto_text(&p->event, EVENT_CATEGORIES, categories[span->kind]);
    annotate(p, span);
    flows_add(p, index);
    event_write(p, span->begin_ns);
}

static void end_write(struct perfetto *p, int64_t time_ns, uint64_t track)
{
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_TYPE, TYPE_END);
    proto_number(&p->event, EVENT_TRACK, track);
    event_write(p, time_ns);
}

/* One row: spans nest, so the ends come in the order of a stack. */
static void row_events_write(struct perfetto *p, const struct lane *l, const uint8_t *rows, uint32_t row)
{
    int64_t open[NEST_DEPTH];
    uint32_t depth = 0;
    uint64_t track = row_uuid((uint32_t)(l - p->model->lanes), row);
    for (uint32_t i = 0; i < l->count; i++) {
        const struct span *span = &p->model->spans[l->first + i];
        if (rows[i] != row)
            continue;
        while (depth > 0 && (open[depth - 1] <= span->begin_ns || depth == NEST_DEPTH))
            end_write(p, open[--depth], track);
        begin_write(p, l->first + i, track);
        open[depth++] = span->end_ns;
    }
    while (depth > 0)
        end_write(p, open[--depth], track);
}

static void lane_write(struct perfetto *p, uint32_t lane)
{
    const struct lane *l = &p->model->lanes[lane];
    uint8_t *rows = malloc(l->count + 1);
    bool fresh;
    struct nest placed;
    if (rows == NULL)
        abort();
    nest_init(&placed);
    for (uint32_t i = 0; i < l->count; i++) {
        const struct span *span = &p->model->spans[l->first + i];
        rows[i] = (uint8_t)nest_place(&placed, span->begin_ns, span->end_ns);
    }
    idmap_get(&p->groups, group_uuid(l), &fresh);
    if (fresh)
        group_write(p, lane);
    for (uint32_t row = 0; row < placed.count; row++) {
        row_write(p, lane, row);
        row_events_write(p, l, rows, row);
    }
    free(rows);
}

static void note_write(struct perfetto *p, const struct export_note *note)
{
    if (note->lane == MODEL_NONE)
        return;
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_TYPE, TYPE_INSTANT);
    proto_number(&p->event, EVENT_TRACK, row_uuid(note->lane, 0));
    proto_text(&p->event, EVENT_CATEGORIES, "finding");
    proto_text(&p->event, EVENT_NAME, note->id);
    annotation_text(p, "finding", note->text);
    annotation_text(p, "fix", note->advice);
    annotation_text(p, "confidence", note->confidence);
    event_write(p, note->begin_ns);
}

static uint64_t counter_uuid(uint32_t bus, int direction)
{
    return UINT64_C(1) << 62 | (uint64_t)bus << 1 | (uint64_t)direction;
}

static void counter_track_write(struct perfetto *p, uint32_t index, int direction)
{
    static const char *const words[2] = {[BUS_TO_DEVICE] = "to", [BUS_FROM_DEVICE] = "from"};
    const struct bus *bus = &p->model->buses[index];
    char name[64];
    bool fresh;
    snprintf(name, sizeof name, "PCIe %s device %" PRIu32, words[direction], bus->device);
    proto_clear(&p->piece);
    proto_text(&p->piece, COUNTER_UNIT_NAME, "GB/s");
    proto_clear(&p->part);
    proto_number(&p->part, TRACK_UUID, counter_uuid(index, direction));
    idmap_get(&p->groups, device_uuid(bus->process, bus->device), &fresh);
    if (!fresh) /* with the streams, if there are any; in front of them */
        proto_number(&p->part, TRACK_PARENT, device_uuid(bus->process, bus->device));
    proto_text(&p->part, TRACK_NAME, name);
    proto_message(&p->part, TRACK_COUNTER, &p->piece);
    proto_message(&p->packet, PACKET_TRACK_DESCRIPTOR, &p->part);
    packet_write(p);
}

static void counter_write(struct perfetto *p, uint64_t track, int64_t time_ns, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_TYPE, TYPE_COUNTER);
    proto_number(&p->event, EVENT_TRACK, track);
    proto_fixed64(&p->event, EVENT_COUNTER_DOUBLE, bits);
    event_write(p, time_ns);
}

/* A counter keeps its value until the next: where sampling breaks off it goes to 0. */
static void bus_write(struct perfetto *p, uint32_t index, int direction)
{
    const struct bus *bus = &p->model->buses[index];
    const struct bus_sample *samples = p->model->bus_samples + bus->first;
    uint64_t track = counter_uuid(index, direction);
    counter_track_write(p, index, direction);
    for (uint32_t i = 0; i < bus->count; i++) {
        const struct bus_sample *s = &samples[i];
        if (s->begin_ns < p->base_ns)
            continue; /* before anything else: there are no times below 0 */
        counter_write(p, track, s->begin_ns, s->bytes[direction] / (double)(s->end_ns - s->begin_ns));
        if (i + 1 == bus->count || samples[i + 1].begin_ns != s->end_ns)
            counter_write(p, track, s->end_ns, 0);
    }
}

/* Operations of each call, as lists through the spans. */
static void operations_index(struct perfetto *p)
{
    const struct model *m = p->model;
    p->first_operation = malloc((m->span_count + 1) * sizeof *p->first_operation);
    p->next_operation = malloc((m->span_count + 1) * sizeof *p->next_operation);
    if (p->first_operation == NULL || p->next_operation == NULL)
        abort();
    for (uint32_t i = 0; i < m->span_count; i++)
        p->first_operation[i] = p->next_operation[i] = MODEL_NONE;
    for (uint32_t i = 0; i < m->span_count; i++) {
        uint32_t call = span_is_operation(&m->spans[i]) ? m->spans[i].peer : MODEL_NONE;
        if (call == MODEL_NONE)
            continue;
        p->next_operation[i] = p->first_operation[call];
        p->first_operation[call] = i;
    }
}

static void perfetto_finish(struct perfetto *p)
{
    idmap_finish(&p->names);
    idmap_finish(&p->threads);
    idmap_finish(&p->groups);
    free(p->pids);
    proto_finish(&p->packet);
    proto_finish(&p->event);
    proto_finish(&p->part);
    proto_finish(&p->piece);
    free(p->first_operation);
    free(p->next_operation);
}

bool export_perfetto(const struct export_job *job, struct error *err)
{
    struct perfetto p = {.model = job->model, .base_ns = out_base_ns(job->model)};
    if (!out_open(&p.out, job, err))
        return false;
    p.pids = out_pids(job->model);
    threads_index(&p);
    operations_index(&p);
    proto_number(&p.packet, PACKET_FLAGS, FLAG_CLEARED);
    packet_write(&p);
    for (uint32_t lane = 0; lane < job->model->lane_count; lane++)
        lane_write(&p, lane);
    for (uint32_t i = 0; i < 2 * job->model->bus_count; i++)
        bus_write(&p, i / 2, (int)(i % 2));
    for (uint32_t i = 0; i < job->note_count; i++)
        note_write(&p, &job->notes[i]);
    perfetto_finish(&p);
    return out_close(&p.out, err);
}
