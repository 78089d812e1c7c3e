/* Everything of a Chrome JSON file but its spans. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chrome.h"
#include "timeline/import/idmap.h"
#include "timeline/model_build.h"

static void device_write(struct chrome *c, const struct device *device)
{
    const struct cgt_device *d = &device->info;
    out_printf(&c->out, "    {\"id\": %" PRIu32 ", \"name\": ", d->id);
    out_json(&c->out, device->name);
    out_printf(&c->out, ", \"totalGlobalMem\": %" PRIu64 ", \"computeMajor\": %" PRIu32 ", \"computeMinor\": %" PRIu32
               ", \"warpSize\": %" PRIu32, d->memory_bytes, d->compute_major, d->compute_minor, d->threads_per_warp);
    out_printf(&c->out,
               ", \"numSms\": %" PRIu32 ", \"maxThreadsPerMultiprocessor\": %" PRIu32
               ", \"regsPerMultiprocessor\": %" PRIu32 ", \"sharedMemPerMultiprocessor\": %" PRIu32,
               d->sm_count, d->max_warps_per_sm * d->threads_per_warp, d->registers_per_sm, d->shared_bytes_per_sm);
    out_printf(&c->out, ", \"pcieGeneration\": %" PRIu32 ", \"pcieLanes\": %" PRIu32 ", \"copyEngines\": %" PRIu32 "}",
               d->pcie_generation, d->pcie_lanes, d->copy_engines);
}

static void devices_write(struct chrome *c, uint32_t process)
{
    bool follows = false;
    out_text(&c->out, "  \"deviceProperties\": [\n");
    for (uint32_t i = 0; i < c->model->device_count; i++) {
        if (c->model->devices[i].process != process)
            continue;
        out_text(&c->out, follows ? ",\n" : "");
        device_write(c, &c->model->devices[i]);
        follows = true;
    }
    out_text(&c->out, "\n  ],\n");
}

/* Flags and priorities: no other Chrome JSON has them, and the diagnosis needs them. */
static void streams_write(struct chrome *c, uint32_t process)
{
    bool follows = false;
    out_text(&c->out, "  \"cuganttStreams\": [");
    for (uint32_t i = 0; i < c->model->lane_count; i++) {
        const struct lane *l = &c->model->lanes[i];
        if (l->kind != LANE_STREAM || l->process != process)
            continue;
        out_printf(&c->out, "%s\n    {\"context\": %" PRIu32 ", \"id\": %" PRIu32, follows ? "," : "", l->context,
                   l->id);
        out_printf(&c->out, ", \"priority\": %" PRId32 ", \"flag\": %" PRIu32 ", \"correlation\": %" PRIu32 "}",
                   l->priority, l->stream_flag, out_stream_creation(c->model, l));
        follows = true;
    }
    out_text(&c->out, "\n  ],\n");
}

static void properties_write(struct chrome *c, uint32_t process)
{
    const struct reader *r = c->model->processes[process].reader;
    bool follows = false;
    out_text(&c->out, "  \"cuganttProperties\": {");
    FOR_EACH_RECORD(r, CGT_PROPERTY, cgt_property, p) {
        const char *key = reader_string(r, p->key);
        if (strcmp(key, "source") == 0 || strcmp(key, "rank") == 0 || strcmp(key, "pid") == 0)
            continue; /* these the importer takes from elsewhere */
        out_text(&c->out, follows ? ",\n    " : "\n    ");
        out_json(&c->out, key);
        out_text(&c->out, ": ");
        out_json(&c->out, reader_string(r, p->value));
        follows = true;
    }
    out_text(&c->out, "\n  },\n");
}

/* What was lost stays lost: the file says so to the next reader too. */
static void loss_write(struct chrome *c)
{
    const struct loss *loss = &c->model->loss;
    out_printf(&c->out,
               "  \"cuganttLoss\": {\"dropped\": %" PRIu64 ", \"invalid\": %" PRIu64 ", \"malformed\": %" PRIu64
               ", \"truncated\": %" PRIu64 "}",
               loss->dropped + loss->skipped_blocks, loss->invalid, loss->malformed, loss->truncated_bytes);
}

/* Losses are counted for all processes together: the first one tells of them. */
static void process_write(struct chrome *c, uint32_t process)
{
    const char *rank = c->model->processes[process].rank;
    if (rank[0] != '\0') {
        out_text(&c->out, "  \"distributedInfo\": {\"rank\": ");
        out_json(&c->out, rank);
        out_text(&c->out, "},\n");
    }
    devices_write(c, process);
    streams_write(c, process);
    properties_write(c, process);
    if (process == 0)
        loss_write(c);
    else
        out_text(&c->out, "  \"cuganttLoss\": {}");
}

static void processes_write(struct chrome *c)
{
    out_text(&c->out, "  \"cuganttProcesses\": [\n");
    for (uint32_t i = 0; i < c->model->process_count; i++) {
        out_printf(&c->out, "%s  {\"pid\": %" PRIu32 ",\n", i > 0 ? ",\n" : "", chrome_host_pid(c, i));
        process_write(c, i);
        out_text(&c->out, "}");
    }
    out_text(&c->out, "\n  ]");
}

void chrome_members(struct chrome *c)
{
    out_text(&c->out, "{\n  \"schemaVersion\": 1,\n  \"displayTimeUnit\": \"ns\",\n");
    out_printf(&c->out, "  \"baseTimeNanoseconds\": %" PRId64 ",\n", c->base_ns);
    if (c->model->process_count == 1)
        process_write(c, 0);
    else
        processes_write(c);
    out_text(&c->out, ",\n  \"traceEvents\": [");
}

static void name_write(struct chrome *c, const char *what, uint64_t pid, uint64_t tid, const char *name, bool extra)
{
    chrome_event_begin(c);
    out_printf(&c->out,
               "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %" PRIu64 ", \"tid\": %" PRIu64 ", \"args\": {\"name\": ",
               what, pid, tid);
    out_json(&c->out, name);
    out_text(&c->out, extra ? ", \"extra_row\": 1}}" : "}}");
}

static void order_write(struct chrome *c, const char *what, uint64_t pid, uint64_t tid, uint32_t index)
{
    chrome_event_begin(c);
    out_printf(&c->out,
               "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %" PRIu64 ", \"tid\": %" PRIu64
               ", \"args\": {\"sort_index\": %" PRIu32 "}}",
               what, pid, tid, index);
}

static void group_name_write(struct chrome *c, uint32_t lane)
{
    const struct model *m = c->model;
    const struct lane *l = &m->lanes[lane];
    char process[64], name[256];
    const char *program = model_property(m, l->process, "program"), *device = "";
    model_process_name(m, l->process, process, sizeof process);
    for (uint32_t i = 0; i < m->device_count; i++)
        if (m->devices[i].process == l->process && m->devices[i].info.id == l->device)
            device = m->devices[i].name;
    if (l->kind == LANE_STREAM)
        snprintf(name, sizeof name, "%s%sdevice %" PRIu32 " %s", process, process[0] ? ", " : "", l->device, device);
    else
        snprintf(name, sizeof name, "%s%s%s", process, process[0] ? ", " : "", program[0] ? program : "host");
    name_write(c, "process_name", chrome_pid(c, lane), 0, name, false);
    order_write(c, "process_sort_index", chrome_pid(c, lane), 0, lane);
}

void chrome_names(struct chrome *c, const uint32_t *rows)
{
    const struct model *m = c->model;
    for (uint32_t lane = 0; lane < m->lane_count; lane++) {
        const struct lane *l = &m->lanes[lane];
        char name[64];
        if (l->kind == LANE_THREAD) /* the process stands over it already */
            snprintf(name, sizeof name, "thread %" PRIu32, l->id);
        else
            model_lane_name(m, lane, name, sizeof name);
        const char *shown = l->kind == LANE_THREAD && l->name[0] != '\0' ? l->name : name;
        if (lane == 0 || chrome_pid(c, lane) != chrome_pid(c, lane - 1))
            group_name_write(c, lane);
        for (uint32_t row = 0; row < rows[lane]; row++) {
            name_write(c, "thread_name", chrome_pid(c, lane), chrome_tid(c, lane, row), shown,
                       chrome_is_extra_row(c, lane, row));
            order_write(c, "thread_sort_index", chrome_pid(c, lane), chrome_tid(c, lane, row), lane);
        }
    }
}

static void times_write(struct chrome *c, int64_t begin_ns, int64_t end_ns)
{
    out_text(&c->out, "\"ts\": ");
    out_us(&c->out, begin_ns - c->base_ns);
    out_text(&c->out, ", \"dur\": ");
    out_us(&c->out, end_ns - begin_ns);
}

/* Recordings of events by their sync id: a wait names the call that recorded, and the stream. */
struct recordings {
    struct idmap index; /* sync id -> position in list + 1 */
    const struct cgt_event **list;
};

static void recordings_read(struct recordings *rec, const struct reader *r)
{
    uint32_t count = 0;
    bool fresh;
    *rec = (struct recordings){0};
    FOR_EACH_RECORD(r, CGT_EVENT, cgt_event, counted)
        count++;
    rec->list = calloc(count + 1, sizeof(struct cgt_event *));
    if (rec->list == NULL)
        abort();
    count = 0;
    FOR_EACH_RECORD(r, CGT_EVENT, cgt_event, event) {
        rec->list[count++] = event;
        *idmap_get(&rec->index, event->event_sync, &fresh) = count;
    }
}

static void sync_write(struct chrome *c, struct recordings *rec, const struct cgt_sync *sync, uint32_t process)
{
    int64_t shift_ns = c->model->processes[process].shift_ns;
    static const char *const names[] = {"", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
    bool fresh;
    if (sync->type == 0 || sync->type >= sizeof names / sizeof *names || sync->begin_ns < 0 ||
        sync->end_ns < sync->begin_ns || sync->end_ns > TIME_LIMIT)
        return;
    uint32_t at = sync->event_sync != UINT64_MAX ? *idmap_get(&rec->index, sync->event_sync, &fresh) : 0;
    chrome_event_begin(c);
    out_printf(&c->out,
               "{\"ph\": \"X\", \"cat\": \"cuda_sync\", \"name\": \"%s\", \"pid\": \"Waits\", \"tid\": %" PRIu32 ", ",
               names[sync->type], sync->stream);
    times_write(c, sync->begin_ns + shift_ns, sync->end_ns + shift_ns);
    out_text(&c->out, ", \"args\": {");
    chrome_process(c, process);
    out_printf(&c->out,
               "\"cuda_sync_kind\": \"%s\", \"correlation\": %" PRIu32 ", \"context\": %" PRId64
               ", \"stream\": %" PRId64 ", \"wait_on_cuda_event_id\": %" PRIu32,
               names[sync->type], sync->correlation, sync->context == CGT_NONE ? -1 : (int64_t)sync->context,
               sync->stream == CGT_NONE ? -1 : (int64_t)sync->stream, sync->event);
    if (at > 0)
        out_printf(&c->out, ", \"wait_on_stream\": %" PRIu32 ", \"wait_on_cuda_event_record_corr_id\": %" PRIu32,
                   rec->list[at - 1]->stream, rec->list[at - 1]->correlation);
    out_text(&c->out, "}}");
}

static const char *overhead_name(uint32_t kind)
{
    static const struct {
        uint32_t kind;
        const char *name;
    } rows[] = {{CGT_OVERHEAD_COMPILER, "Driver Compiler"},
                {CGT_OVERHEAD_BUFFER_FLUSH, "Buffer Flush"},
                {CGT_OVERHEAD_INSTRUMENTATION, "Instrumentation"},
                {CGT_OVERHEAD_RESOURCE, "Resource"},
                {CGT_OVERHEAD_MODULE_LOAD, "Runtime Triggered Module Loading"},
                {CGT_OVERHEAD_FUNCTION_LOAD, "Lazy Function Loading"},
                {CGT_OVERHEAD_COMMAND_BUFFER_FULL, "Command Buffer Full"},
                {CGT_OVERHEAD_BUFFER_REQUEST, "Activity Buffer Request"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == kind)
            return rows[i].name;
    return NULL;
}

static void overhead_write(struct chrome *c, const struct overhead *o)
{
    if (overhead_name(o->kind) == NULL)
        return;
    chrome_event_begin(c);
    out_printf(&c->out,
               "{\"ph\": \"X\", \"cat\": \"overhead\", \"name\": \"%s\", \"pid\": \"Overhead\", \"tid\": %" PRId64 ", ",
               overhead_name(o->kind), o->thread == CGT_NONE ? -1 : (int64_t)o->thread);
    times_write(c, o->begin_ns, o->end_ns);
    out_text(&c->out, ", \"args\": {");
    chrome_process(c, o->process);
    out_text(&c->out, "\"correlation\": 0}}");
}

static void pause_write(struct chrome *c, const struct pause *p)
{
    chrome_event_begin(c);
    out_text(
        &c->out,
        "{\"ph\": \"X\", \"cat\": \"not_recorded\", \"name\": \"not recorded\", \"pid\": \"Overhead\", \"tid\": -2, ");
    times_write(c, p->begin_ns, p->end_ns);
    out_text(&c->out, ", \"args\": {");
    chrome_process(c, p->process);
    out_printf(&c->out, "\"reason\": %" PRIu32 "}}", p->reason);
}

void chrome_records(struct chrome *c)
{
    const struct model *m = c->model;
    for (uint32_t p = 0; p < m->process_count; p++) {
        struct recordings rec;
        recordings_read(&rec, m->processes[p].reader);
        FOR_EACH_RECORD(m->processes[p].reader, CGT_SYNC, cgt_sync, sync)
            sync_write(c, &rec, sync, p);
        idmap_finish(&rec.index);
        free(rec.list);
    }
    for (uint32_t i = 0; i < m->overhead_count; i++)
        overhead_write(c, &m->overheads[i]);
    for (uint32_t i = 0; i < m->pause_count; i++)
        pause_write(c, &m->pauses[i]);
}
