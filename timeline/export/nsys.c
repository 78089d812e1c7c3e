/* SQLite with the tables and columns of nsys, so that queries and scripts written for its exports run on ours. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out.h"
#include "sheet.h"
#include "timeline/model_build.h"

struct nsys {
    struct sheets sheets;
    const struct model *model;
    uint32_t *pids; /* by process */
    int64_t base_ns;
};

enum { TID_MASK = 0xFFFFFF }; /* larger ids of threads (pthread_self()) are written beside */

/* Host, process and thread in one number; thread 0 for the process. */
static int64_t global_id(const struct nsys *n, uint32_t process, uint32_t thread)
{
    return INT64_C(1) << 48 | (int64_t)n->pids[process] << 24 | (thread & TID_MASK);
}

static int64_t or_nil(uint32_t value, uint32_t none)
{
    return value == none ? NIL : (int64_t)value;
}

static void operation_fill(struct nsys *n, const struct span *span, int64_t *values)
{
    const struct cgt_operation *op = model_operation(n->model, span);
    const int64_t row[OPERATION_COLUMNS] = {span->begin_ns - n->base_ns,
                                            span->end_ns - n->base_ns,
                                            op->device,
                                            op->context,
                                            NIL,
                                            op->stream,
                                            op->correlation,
                                            global_id(n, n->model->lanes[span->lane].process, 0),
                                            op->graph_node == 0 ? NIL
                                                                : (int64_t)((uint64_t)op->graph << 32 | op->graph_node),
                                            or_nil(op->graph, 0),
                                            or_nil(op->channel, CGT_NONE),
                                            op->channel_type};
    memcpy(values, row, sizeof row);
}

static void kernel_add(struct nsys *n, const struct span *span)
{
    const struct cgt_kernel *k = model_kernel(n->model, span);
    char full[4096], label[256];
    int64_t name = sheet_string(&n->sheets, model_span_name(n->model, span, full, sizeof full));
    int64_t short_name = sheet_string(&n->sheets, model_span_label(n->model, span, label, sizeof label));
    int64_t v[OPERATION_COLUMNS + 14] = {0};
    const int64_t own[] = {name,
                           short_name,
                           NIL,
                           (int64_t)k->launch_type + 1,
                           k->registers_per_thread,
                           k->grid[0],
                           k->grid[1],
                           k->grid[2],
                           k->block[0],
                           k->block[1],
                           k->block[2],
                           k->static_shared_bytes,
                           k->dynamic_shared_bytes,
                           k->local_bytes_per_thread};
    operation_fill(n, span, v);
    memcpy(v + OPERATION_COLUMNS, own, sizeof own);
    sheet_add(&n->sheets, SHEET_KERNEL, v);
}

/* nsys numbers memory kinds one lower than CUPTI, and ends with "unknown". */
static int64_t memory_kind(uint32_t kind)
{
    enum { UNKNOWN = 7 };
    return kind == CGT_MEMORY_UNKNOWN || kind > CGT_MEMORY_MANAGED_STATIC ? UNKNOWN : (int64_t)kind - 1;
}

static void copy_add(struct nsys *n, const struct span *span)
{
    const struct cgt_copy *c = model_copy(n->model, span);
    int64_t v[OPERATION_COLUMNS + 7] = {0};
    const int64_t own[] = {(int64_t)c->bytes,
                           c->copy_kind,
                           memory_kind(c->source_kind),
                           memory_kind(c->target_kind),
                           or_nil(c->source_device, CGT_NONE),
                           or_nil(c->target_device, CGT_NONE),
                           or_nil(c->asynchronous, CGT_NONE)};
    operation_fill(n, span, v);
    memcpy(v + OPERATION_COLUMNS, own, sizeof own);
    sheet_add(&n->sheets, SHEET_COPY, v);
}

static void memset_add(struct nsys *n, const struct span *span)
{
    const struct cgt_memset *s = model_memset(n->model, span);
    int64_t v[OPERATION_COLUMNS + 4] = {0};
    const int64_t own[] = {s->value, (int64_t)s->bytes, memory_kind(s->memory_kind), or_nil(s->asynchronous, CGT_NONE)};
    operation_fill(n, span, v);
    memcpy(v + OPERATION_COLUMNS, own, sizeof own);
    sheet_add(&n->sheets, SHEET_MEMSET, v);
}

static void graph_add(struct nsys *n, const struct span *span)
{
    int64_t v[OPERATION_COLUMNS];
    operation_fill(n, span, v);
    sheet_add(&n->sheets, SHEET_GRAPH, v);
}

static void call_add(struct nsys *n, const struct span *span)
{
    const struct cgt_call *call = model_call(n->model, span);
    char name[1024];
    const int64_t v[] = {span->begin_ns - n->base_ns,
                         span->end_ns - n->base_ns,
                         call->domain == CGT_CALL_DRIVER,
                         global_id(n, n->model->lanes[span->lane].process, call->thread),
                         call->correlation,
                         sheet_string(&n->sheets, model_span_name(n->model, span, name, sizeof name)),
                         call->result,
                         NIL};
    sheet_add(&n->sheets, SHEET_CALL, v);
}

static void range_add(struct nsys *n, const struct span *span)
{
    enum { MARK = 34, PUSH_POP = 59, START_END = 60 };
    static const int64_t types[] = {PUSH_POP, PUSH_POP, START_END, MARK};
    const struct cgt_range *range = model_range(n->model, span);
    char name[1024];
    bool mark = range->type == CGT_RANGE_MARK;
    const int64_t v[] = {span->begin_ns - n->base_ns,
                         mark || range->open ? NIL : span->end_ns - n->base_ns,
                         types[range->type <= CGT_RANGE_MARK ? range->type : 0],
                         sheet_string(&n->sheets, model_span_name(n->model, span, name, sizeof name)),
                         global_id(n, n->model->lanes[span->lane].process, range->thread),
                         or_nil(range->color, 0),
                         n->model->lanes[span->lane].domain,
                         range->open ? span->end_ns - n->base_ns : NIL};
    sheet_add(&n->sheets, SHEET_NVTX, v);
}

static void (*const span_adders[SPAN_KIND_COUNT])(struct nsys *n, const struct span *span) = {
    [SPAN_KERNEL] = kernel_add, [SPAN_COPY] = copy_add, [SPAN_MEMSET] = memset_add,
    [SPAN_GRAPH] = graph_add,   [SPAN_CALL] = call_add, [SPAN_RANGE] = range_add,
};

static void lane_add(struct nsys *n, const struct lane *l)
{
    int64_t pid = n->pids[l->process];
    if (l->kind != LANE_STREAM && l->id > TID_MASK)
        sheet_add(&n->sheets, SHEET_LONG_ID, (const int64_t[]){global_id(n, l->process, l->id), l->id});
    if (l->kind == LANE_THREAD && l->name[0] != '\0')
        sheet_add(&n->sheets, SHEET_THREAD,
                  (const int64_t[]){sheet_string(&n->sheets, l->name), NIL, global_id(n, l->process, l->id)});
    if (l->kind != LANE_STREAM)
        return;
    sheet_add(&n->sheets, SHEET_STREAM, (const int64_t[]){l->id, 0, 1, pid, l->context, l->priority, l->stream_flag,
                                                            out_stream_creation(n->model, l)});
    if (l->stream_flag == CGT_STREAM_NULL)
        sheet_add(&n->sheets, SHEET_CONTEXT, (const int64_t[]){l->id, 0, 1, pid, l->device, l->context});
}

/* Of NVTX domains the name is an event of its own type. */
static void domains_add(struct nsys *n)
{
    enum { DOMAIN_CREATE = 75 };
    for (uint32_t i = 0; i < n->model->lane_count; i++) {
        const struct lane *l = &n->model->lanes[i];
        if (l->kind != LANE_RANGE || l->domain == 0)
            continue;
        sheet_add(&n->sheets, SHEET_NVTX, (const int64_t[]){0, NIL, DOMAIN_CREATE, sheet_string(&n->sheets, l->name),
                                                 global_id(n, l->process, l->id), NIL, l->domain, NIL});
    }
}

static int64_t sync_id(uint64_t id)
{
    return id == UINT64_MAX ? NIL : (int64_t)id;
}

static void sync_add(struct nsys *n, uint32_t process, const struct cgt_sync *s)
{
    int64_t shift = n->model->processes[process].shift_ns - n->base_ns;
    if (s->begin_ns < 0 || s->end_ns < 0 || s->begin_ns > TIME_LIMIT || s->end_ns > TIME_LIMIT)
        return;
    sheet_add(&n->sheets, SHEET_SYNC,
              (const int64_t[]){s->begin_ns + shift, s->end_ns + shift, 0, s->context, s->stream, s->correlation,
                                global_id(n, process, 0), s->type, s->event, sync_id(s->event_sync)});
}

static void event_add(struct nsys *n, uint32_t process, const struct cgt_event *e)
{
    int64_t shift = n->model->processes[process].shift_ns - n->base_ns;
    int64_t time = e->time_ns > 0 && e->time_ns < TIME_LIMIT ? e->time_ns + shift : 0;
    sheet_add(&n->sheets, SHEET_EVENT,
              (const int64_t[]){time, 0, e->context, e->stream, e->correlation, global_id(n, process, 0),
                                e->event, sync_id(e->event_sync)});
}

static void records_add(struct nsys *n, uint32_t process)
{
    const struct reader *r = n->model->processes[process].reader;
    FOR_EACH_RECORD(r, CGT_SYNC, cgt_sync, sync)
        sync_add(n, process, sync);
    FOR_EACH_RECORD(r, CGT_EVENT, cgt_event, event)
        event_add(n, process, event);
}

static int64_t overhead_type(uint32_t kind)
{
    enum { UNKNOWN = 1, COMPILER = 2 };
    return kind == CGT_OVERHEAD_COMPILER       ? COMPILER
           : kind >= CGT_OVERHEAD_BUFFER_FLUSH ? (kind >> 16) + COMPILER
                                               : UNKNOWN;
}

static void rest_add(struct nsys *n)
{
    const struct model *m = n->model;
    const struct loss *loss = &m->loss;
    for (uint32_t i = 0; i < m->overhead_count; i++) {
        const struct overhead *o = &m->overheads[i];
        sheet_add(&n->sheets, SHEET_OVERHEAD,
                (const int64_t[]){o->begin_ns - n->base_ns, o->end_ns - n->base_ns,
                                  global_id(n, o->process, o->thread == CGT_NONE ? 0 : o->thread), NIL, NIL,
                                  overhead_type(o->kind)});
    }
    for (uint32_t i = 0; i < m->pause_count; i++)
        sheet_add(&n->sheets, SHEET_PAUSE,
                  (const int64_t[]){m->pauses[i].begin_ns - n->base_ns, m->pauses[i].end_ns - n->base_ns,
                                    global_id(n, m->pauses[i].process, 0), m->pauses[i].reason});
    const struct {
        uint32_t kind;
        uint64_t count;
    } rows[] = {{CGT_LOSS_DROPPED, loss->dropped + loss->skipped_blocks}, {CGT_LOSS_INVALID, loss->invalid},
                {CGT_LOSS_TRUNCATED, loss->truncated_bytes}, {CGT_LOSS_MALFORMED, loss->malformed}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count > 0)
            sheet_add(&n->sheets, SHEET_LOSS,
                      (const int64_t[]){global_id(n, 0, 0), rows[i].kind, (int64_t)rows[i].count});
}

static bool is_listed(const struct model *m, uint32_t device)
{
    for (uint32_t i = 0; i < device; i++)
        if (m->devices[i].info.id == m->devices[device].info.id)
            return true;
    return false;
}

static void devices_add(struct nsys *n)
{
    char sql[512];
    sheets_execute(
        &n->sheets,
        "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, totalMemory INTEGER, "
        "computeMajor INTEGER, "
        "computeMinor INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER, maxRegistersPerSm INTEGER, "
        "maxShmemPerSm INTEGER, threadsPerWarp INTEGER, asyncEngines INTEGER, pcieGeneration INTEGER, pcieLanes "
        "INTEGER)");
    for (uint32_t i = 0; i < n->model->device_count; i++) {
        const struct cgt_device *d = &n->model->devices[i].info;
        if (is_listed(n->model, i))
            continue; /* GPUs are the machine's, not a process's */
        snprintf(sql, sizeof sql,
                 "INSERT INTO TARGET_INFO_GPU VALUES (%" PRIu32 ", ?, %" PRIu32 ", %" PRIu64 ", %" PRIu32 ", %" PRIu32
                 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
                 ")",
                 d->id, d->sm_count, d->memory_bytes, d->compute_major, d->compute_minor, d->max_warps_per_sm,
                 d->max_blocks_per_sm, d->registers_per_sm, d->shared_bytes_per_sm, d->threads_per_warp,
                 d->copy_engines, d->pcie_generation, d->pcie_lanes);
        sheets_insert(&n->sheets, sql, &n->model->devices[i].name, 1);
    }
}

static void processes_add(struct nsys *n)
{
    char sql[256];
    sheets_execute(&n->sheets, "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT)");
    sheets_execute(&n->sheets, "CREATE TABLE CUGANTT_PROPERTIES (globalPid INTEGER, key TEXT, value TEXT)");
    for (uint32_t i = 0; i < n->model->process_count; i++) {
        const char *program = model_property(n->model, i, "program");
        int64_t global = global_id(n, i, 0);
        snprintf(sql, sizeof sql, "INSERT INTO PROCESSES VALUES (%" PRId64 ", %" PRIu32 ", ?)", global, n->pids[i]);
        sheets_insert(&n->sheets, sql, &program, 1);
        snprintf(sql, sizeof sql, "INSERT INTO CUGANTT_PROPERTIES VALUES (%" PRId64 ", ?, ?)", global);
        const struct reader *r = n->model->processes[i].reader;
        FOR_EACH_RECORD(r, CGT_PROPERTY, cgt_property, p)
        sheets_insert(&n->sheets, sql, (const char *const[]){reader_string(r, p->key), reader_string(r, p->value)}, 2);
    }
}

static void session_add(struct nsys *n, const char *software)
{
    char sql[256];
    sheets_execute(&n->sheets, "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)");
    sheets_execute(&n->sheets, "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.16.0')");
    sheets_insert(&n->sheets, "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', ?)", &software, 1);
    sheets_execute(&n->sheets,
                   "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT)");
    snprintf(sql, sizeof sql, "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (%" PRId64 ", NULL, NULL)",
             n->base_ns);
    sheets_execute(&n->sheets, sql);
}

static void database_fill(struct nsys *n, const char *software)
{
    const struct model *m = n->model;
    session_add(n, software);
    devices_add(n);
    processes_add(n);
    for (uint32_t i = 0; i < m->lane_count; i++)
        lane_add(n, &m->lanes[i]);
    domains_add(n);
    for (uint32_t i = 0; i < m->span_count; i++)
        span_adders[m->spans[i].kind](n, &m->spans[i]);
    for (uint32_t i = 0; i < m->process_count; i++)
        records_add(n, i);
    rest_add(n);
    sheets_execute(&n->sheets, "COMMIT");
}

static bool database_write(struct nsys *n, sqlite3 *db, const char *software)
{
    /* without a journal: a file that is not whole is removed anyway */
    sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL);
    n->pids = out_pids(n->model);
    sheets_init(&n->sheets, db);
    database_fill(n, software);
    sheets_finish(&n->sheets);
    free(n->pids);
    return !n->sheets.failed;
}

bool export_nsys(const struct export_job *job, struct error *err)
{
    struct nsys n = {.model = job->model, .base_ns = out_base_ns(job->model)};
    sqlite3 *db = NULL;
    char temporary[4096];
    if (!out_temporary(job->path, temporary, sizeof temporary, err))
        return false;
    unlink(temporary);
    int code = sqlite3_open_v2(temporary, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    bool done = code == SQLITE_OK && database_write(&n, db, job->software);
    if (!done)
        error_set(err, job->path, -1, "cannot write: %s", sqlite3_errmsg(db));
    sqlite3_close(db);
    if (done && rename(temporary, job->path) != 0)
        done = error_set(err, job->path, -1, "cannot write: %s", strerror(errno));
    if (!done)
        unlink(temporary);
    return done;
}
