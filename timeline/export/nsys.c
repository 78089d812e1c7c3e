/* SQLite with the tables and columns of nsys, so that queries and scripts written for its exports run on ours. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out.h"
#include "timeline/import/idmap.h"
#include "timeline/model_build.h"

#define NIL INT64_MIN /* NULL in a row of numbers */

#define OPERATION                                                                                                  \
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "         \
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, graphNodeId INTEGER, " \
    "graphId INTEGER, channelId INTEGER, channelType INTEGER"
enum { OPERATION_COLUMNS = 12 };

enum sheet {
    SHEET_KERNEL, SHEET_COPY, SHEET_MEMSET, SHEET_GRAPH, SHEET_CALL, SHEET_SYNC, SHEET_EVENT, SHEET_OVERHEAD, SHEET_NVTX,
    SHEET_STREAM, SHEET_CONTEXT, SHEET_THREAD, SHEET_PAUSE, SHEET_LOSS, SHEET_COUNT
};

/* Columns named as nsys names them; channelId, channelType, asynchronous and the CUGANTT tables it does not have. */
static const struct sheet_row {
    const char *name, *columns;
    int column_count;
} sheets[SHEET_COUNT] = {
    [SHEET_KERNEL] = {"CUPTI_ACTIVITY_KIND_KERNEL",
                      OPERATION ", demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, "
                                "launchType INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, "
                                "gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
                                "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, "
                                "localMemoryPerThread INTEGER NOT NULL",
                      OPERATION_COLUMNS + 14},
    [SHEET_COPY] = {"CUPTI_ACTIVITY_KIND_MEMCPY",
                    OPERATION ", bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER, "
                              "srcDeviceId INTEGER, dstDeviceId INTEGER, asynchronous INTEGER",
                    OPERATION_COLUMNS + 7},
    [SHEET_MEMSET] = {"CUPTI_ACTIVITY_KIND_MEMSET",
                      OPERATION ", value INTEGER NOT NULL, bytes INTEGER NOT NULL, memKind INTEGER, asynchronous INTEGER",
                      OPERATION_COLUMNS + 4},
    [SHEET_GRAPH] = {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", OPERATION, OPERATION_COLUMNS},
    [SHEET_CALL] = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                    "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
                    "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER",
                    8},
    [SHEET_SYNC] = {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
                    "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL, "
                    "eventId INTEGER NOT NULL, eventSyncId INTEGER",
                    10},
    [SHEET_EVENT] = {"CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                     "timestamp INTEGER, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, "
                     "correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER",
                     8},
    [SHEET_OVERHEAD] = {"CUPTI_ACTIVITY_KIND_OVERHEAD",
                        "start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER, "
                        "overheadType INTEGER NOT NULL",
                        6},
    [SHEET_NVTX] = {"NVTX_EVENTS",
                    "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, textId INTEGER, globalTid INTEGER, "
                    "color INTEGER, domainId INTEGER, text TEXT",
                    7},
    [SHEET_STREAM] = {"TARGET_INFO_CUDA_STREAM",
                      "streamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, processId INTEGER NOT NULL, "
                      "contextId INTEGER NOT NULL, priority INTEGER NOT NULL, flag INTEGER NOT NULL",
                      7},
    [SHEET_CONTEXT] = {"TARGET_INFO_CUDA_CONTEXT_INFO",
                       "nullStreamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, processId INTEGER NOT NULL, "
                       "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL",
                       6},
    [SHEET_THREAD] = {"ThreadNames", "nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER", 3},
    [SHEET_PAUSE] = {"CUGANTT_PAUSES", "start INTEGER, end INTEGER, globalPid INTEGER, reason INTEGER", 4},
    [SHEET_LOSS] = {"CUGANTT_LOSS", "globalPid INTEGER, kind INTEGER, count INTEGER", 3},
};

struct nsys {
    sqlite3 *db;
    const struct model *model;
    sqlite3_stmt *insert[SHEET_COUNT], *insert_string;
    struct idmap strings; /* hash of a text -> its id */
    uint32_t string_count;
    int64_t base_ns;
    bool failed;
};

static void execute(struct nsys *n, const char *sql)
{
    if (!n->failed && sqlite3_exec(n->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        n->failed = true;
}

static void step(struct nsys *n, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        n->failed = true;
    sqlite3_reset(statement);
}

/* Adds a row of numbers. The table is made with its first row, as nsys makes none that would be empty. */
static void row_add(struct nsys *n, enum sheet sheet, const int64_t *values)
{
    const struct sheet_row *s = &sheets[sheet];
    char sql[2048];
    if (n->failed)
        return;
    if (n->insert[sheet] == NULL) {
        snprintf(sql, sizeof sql, "CREATE TABLE \"%s\" (%s)", s->name, s->columns);
        execute(n, sql);
        int at = snprintf(sql, sizeof sql, "INSERT INTO \"%s\" VALUES (?", s->name);
        for (int i = 1; i < s->column_count + (sheet == SHEET_NVTX); i++) /* NVTX_EVENTS ends with a text, NULL here */
            at += snprintf(sql + at, sizeof sql - (size_t)at, ", ?");
        snprintf(sql + at, sizeof sql - (size_t)at, ")");
        if (n->failed || sqlite3_prepare_v2(n->db, sql, -1, &n->insert[sheet], NULL) != SQLITE_OK) {
            n->failed = true;
            return;
        }
    }
    for (int i = 0; i < s->column_count; i++) {
        if (values[i] == NIL)
            sqlite3_bind_null(n->insert[sheet], i + 1);
        else
            sqlite3_bind_int64(n->insert[sheet], i + 1, values[i]);
    }
    step(n, n->insert[sheet]);
}

static int64_t string_id(struct nsys *n, const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    bool fresh;
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (uint8_t)*c) * UINT64_C(1099511628211);
    uint32_t *id = idmap_get(&n->strings, hash, &fresh);
    if (!fresh)
        return *id;
    *id = ++n->string_count;
    sqlite3_bind_int64(n->insert_string, 1, *id);
    sqlite3_bind_text(n->insert_string, 2, text, -1, SQLITE_TRANSIENT);
    step(n, n->insert_string);
    return *id;
}

static uint32_t pid_of(const struct model *m, uint32_t process)
{
    uint32_t pid = (uint32_t)strtoul(model_property(m, process, "pid"), NULL, 10) & 0xFFFFFF;
    return pid != 0 ? pid : 1000 + process;
}

/* Host, process and thread in one number; thread 0 for the process. */
static int64_t global_id(const struct model *m, uint32_t process, uint32_t thread)
{
    return INT64_C(1) << 48 | (int64_t)pid_of(m, process) << 24 | (thread & 0xFFFFFF);
}

static int64_t or_nil(uint32_t value, uint32_t none)
{
    return value == none ? NIL : (int64_t)value;
}

static void operation_fill(struct nsys *n, const struct span *span, int64_t *values)
{
    const struct cgt_operation *op = model_operation(n->model, span);
    const int64_t row[OPERATION_COLUMNS] = {
        span->begin_ns - n->base_ns, span->end_ns - n->base_ns, op->device, op->context, NIL, op->stream, op->correlation,
        global_id(n->model, n->model->lanes[span->lane].process, 0),
        op->graph_node == 0 ? NIL : (int64_t)((uint64_t)op->graph << 32 | op->graph_node), or_nil(op->graph, 0), or_nil(op->channel, CGT_NONE),
        op->channel_type};
    memcpy(values, row, sizeof row);
}

static void kernel_add(struct nsys *n, const struct span *span)
{
    const struct cgt_kernel *k = model_kernel(n->model, span);
    char full[4096], label[256];
    int64_t name = string_id(n, model_span_name(n->model, span, full, sizeof full));
    int64_t short_name = string_id(n, model_span_label(n->model, span, label, sizeof label));
    int64_t v[OPERATION_COLUMNS + 14] = {0};
    const int64_t own[] = {name, short_name, NIL, (int64_t)k->launch_type + 1, k->registers_per_thread, k->grid[0], k->grid[1],
                           k->grid[2], k->block[0], k->block[1], k->block[2], k->static_shared_bytes, k->dynamic_shared_bytes,
                           k->local_bytes_per_thread};
    operation_fill(n, span, v);
    memcpy(v + OPERATION_COLUMNS, own, sizeof own);
    row_add(n, SHEET_KERNEL, v);
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
    const int64_t own[] = {(int64_t)c->bytes, c->copy_kind, memory_kind(c->source_kind), memory_kind(c->target_kind),
                           or_nil(c->source_device, CGT_NONE), or_nil(c->target_device, CGT_NONE), or_nil(c->asynchronous, CGT_NONE)};
    operation_fill(n, span, v);
    memcpy(v + OPERATION_COLUMNS, own, sizeof own);
    row_add(n, SHEET_COPY, v);
}

static void memset_add(struct nsys *n, const struct span *span)
{
    const struct cgt_memset *s = model_memset(n->model, span);
    int64_t v[OPERATION_COLUMNS + 4] = {0};
    const int64_t own[] = {s->value, (int64_t)s->bytes, memory_kind(s->memory_kind), or_nil(s->asynchronous, CGT_NONE)};
    operation_fill(n, span, v);
    memcpy(v + OPERATION_COLUMNS, own, sizeof own);
    row_add(n, SHEET_MEMSET, v);
}

static void graph_add(struct nsys *n, const struct span *span)
{
    int64_t v[OPERATION_COLUMNS];
    operation_fill(n, span, v);
    row_add(n, SHEET_GRAPH, v);
}

static void call_add(struct nsys *n, const struct span *span)
{
    const struct cgt_call *call = model_call(n->model, span);
    char name[1024];
    const int64_t v[] = {span->begin_ns - n->base_ns, span->end_ns - n->base_ns, call->domain == CGT_CALL_DRIVER,
                         global_id(n->model, n->model->lanes[span->lane].process, call->thread), call->correlation,
                         string_id(n, model_span_name(n->model, span, name, sizeof name)), call->result, NIL};
    row_add(n, SHEET_CALL, v);
}

static void range_add(struct nsys *n, const struct span *span)
{
    enum { MARK = 34, PUSH_POP = 59, START_END = 60 };
    static const int64_t types[] = {PUSH_POP, PUSH_POP, START_END, MARK};
    const struct cgt_range *range = model_range(n->model, span);
    char name[1024];
    bool mark = range->type == CGT_RANGE_MARK;
    const int64_t v[] = {span->begin_ns - n->base_ns, mark || range->open ? NIL : span->end_ns - n->base_ns,
                         types[range->type <= CGT_RANGE_MARK ? range->type : 0],
                         string_id(n, model_span_name(n->model, span, name, sizeof name)),
                         global_id(n->model, n->model->lanes[span->lane].process, range->thread), or_nil(range->color, 0),
                         n->model->lanes[span->lane].domain};
    row_add(n, SHEET_NVTX, v);
}

static void (*const span_adders[SPAN_KIND_COUNT])(struct nsys *n, const struct span *span) = {
    [SPAN_KERNEL] = kernel_add, [SPAN_COPY] = copy_add, [SPAN_MEMSET] = memset_add,
    [SPAN_GRAPH] = graph_add,   [SPAN_CALL] = call_add, [SPAN_RANGE] = range_add,
};

static void lane_add(struct nsys *n, const struct lane *l)
{
    int64_t pid = pid_of(n->model, l->process);
    if (l->kind == LANE_THREAD && l->name[0] != '\0')
        row_add(n, SHEET_THREAD, (const int64_t[]){string_id(n, l->name), NIL, global_id(n->model, l->process, l->id)});
    if (l->kind != LANE_STREAM)
        return;
    row_add(n, SHEET_STREAM, (const int64_t[]){l->id, 0, 1, pid, l->context, l->priority, l->stream_flag});
    if (l->stream_flag == CGT_STREAM_NULL)
        row_add(n, SHEET_CONTEXT, (const int64_t[]){l->id, 0, 1, pid, l->device, l->context});
}

/* Of NVTX domains the name is an event of its own type. */
static void domains_add(struct nsys *n)
{
    enum { DOMAIN_CREATE = 75 };
    for (uint32_t i = 0; i < n->model->lane_count; i++) {
        const struct lane *l = &n->model->lanes[i];
        if (l->kind != LANE_RANGE || l->domain == 0)
            continue;
        row_add(n, SHEET_NVTX, (const int64_t[]){0, NIL, DOMAIN_CREATE, string_id(n, l->name),
                                                 global_id(n->model, l->process, l->id), NIL, l->domain});
    }
}

static void records_add(struct nsys *n, uint32_t process)
{
    const struct process *p = &n->model->processes[process];
    int64_t global = global_id(n->model, process, 0), shift = p->shift_ns - n->base_ns;
    FOR_EACH_RECORD(p->reader, CGT_SYNC, cgt_sync, s)
        row_add(n, SHEET_SYNC, (const int64_t[]){s->begin_ns + shift, s->end_ns + shift, 0, s->context, s->stream, s->correlation,
                                                 global, s->type, s->event, s->event_sync == UINT64_MAX ? NIL : (int64_t)s->event_sync});
    FOR_EACH_RECORD(p->reader, CGT_EVENT, cgt_event, e)
        row_add(n, SHEET_EVENT, (const int64_t[]){e->time_ns > 0 ? e->time_ns + shift : 0, 0, e->context, e->stream, e->correlation,
                                                  global, e->event, e->event_sync == UINT64_MAX ? NIL : (int64_t)e->event_sync});
}

static int64_t overhead_type(uint32_t kind)
{
    enum { UNKNOWN = 1, COMPILER = 2 };
    return kind == CGT_OVERHEAD_COMPILER ? COMPILER : kind >= CGT_OVERHEAD_BUFFER_FLUSH ? (kind >> 16) + COMPILER : UNKNOWN;
}

static void rest_add(struct nsys *n)
{
    const struct model *m = n->model;
    const struct loss *loss = &m->loss;
    for (uint32_t i = 0; i < m->overhead_count; i++) {
        const struct overhead *o = &m->overheads[i];
        row_add(n, SHEET_OVERHEAD, (const int64_t[]){o->begin_ns - n->base_ns, o->end_ns - n->base_ns,
                                                     global_id(m, o->process, o->thread == CGT_NONE ? 0 : o->thread), NIL, NIL,
                                                     overhead_type(o->kind)});
    }
    for (uint32_t i = 0; i < m->pause_count; i++)
        row_add(n, SHEET_PAUSE, (const int64_t[]){m->pauses[i].begin_ns - n->base_ns, m->pauses[i].end_ns - n->base_ns,
                                                  global_id(m, m->pauses[i].process, 0), m->pauses[i].reason});
    const struct {
        uint32_t kind;
        uint64_t count;
    } rows[] = {{CGT_LOSS_DROPPED, loss->dropped + loss->skipped_blocks}, {CGT_LOSS_INVALID, loss->invalid},
                {CGT_LOSS_TRUNCATED, loss->truncated_bytes}, {CGT_LOSS_MALFORMED, loss->malformed}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count > 0)
            row_add(n, SHEET_LOSS, (const int64_t[]){global_id(m, 0, 0), rows[i].kind, (int64_t)rows[i].count});
}

/* INSERT of one row with texts among its values. */
static void insert_texts(struct nsys *n, const char *sql, const char *const *texts, int count)
{
    sqlite3_stmt *statement;
    if (n->failed || sqlite3_prepare_v2(n->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        n->failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_TRANSIENT);
    step(n, statement);
    sqlite3_finalize(statement);
}

static void devices_add(struct nsys *n)
{
    char sql[512];
    execute(n, "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, totalMemory INTEGER, computeMajor INTEGER, "
               "computeMinor INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER, maxRegistersPerSm INTEGER, "
               "maxShmemPerSm INTEGER, threadsPerWarp INTEGER, asyncEngines INTEGER, pcieGeneration INTEGER, pcieLanes INTEGER)");
    for (uint32_t i = 0; i < n->model->device_count; i++) {
        const struct cgt_device *d = &n->model->devices[i].info;
        if (n->model->devices[i].process != 0)
            continue; /* GPUs are the machine's, not a process's */
        snprintf(sql, sizeof sql,
                 "INSERT INTO TARGET_INFO_GPU VALUES (%" PRIu32 ", ?, %" PRIu32 ", %" PRIu64 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
                 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ")",
                 d->id, d->sm_count, d->memory_bytes, d->compute_major, d->compute_minor, d->max_warps_per_sm, d->max_blocks_per_sm,
                 d->registers_per_sm, d->shared_bytes_per_sm, d->threads_per_warp, d->copy_engines, d->pcie_generation, d->pcie_lanes);
        insert_texts(n, sql, &n->model->devices[i].name, 1);
    }
}

static void processes_add(struct nsys *n)
{
    char sql[256];
    execute(n, "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT)");
    execute(n, "CREATE TABLE CUGANTT_PROPERTIES (globalPid INTEGER, key TEXT, value TEXT)");
    for (uint32_t i = 0; i < n->model->process_count; i++) {
        const char *program = model_property(n->model, i, "program");
        int64_t global = global_id(n->model, i, 0);
        snprintf(sql, sizeof sql, "INSERT INTO PROCESSES VALUES (%" PRId64 ", %" PRIu32 ", ?)", global, pid_of(n->model, i));
        insert_texts(n, sql, &program, 1);
        snprintf(sql, sizeof sql, "INSERT INTO CUGANTT_PROPERTIES VALUES (%" PRId64 ", ?, ?)", global);
        FOR_EACH_RECORD(n->model->processes[i].reader, CGT_PROPERTY, cgt_property, property)
            insert_texts(n, sql,
                         (const char *const[]){reader_string(n->model->processes[i].reader, property->key),
                                               reader_string(n->model->processes[i].reader, property->value)},
                         2);
    }
}

static void session_add(struct nsys *n, const char *software)
{
    char sql[256];
    execute(n, "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)");
    execute(n, "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.16.0')");
    insert_texts(n, "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', ?)", &software, 1);
    execute(n, "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT)");
    snprintf(sql, sizeof sql, "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (%" PRId64 ", NULL, NULL)", n->base_ns);
    execute(n, sql);
}

static void database_fill(struct nsys *n, const char *software)
{
    const struct model *m = n->model;
    execute(n, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN"); /* a file that is not whole is removed */
    execute(n, "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)");
    if (n->failed || sqlite3_prepare_v2(n->db, "INSERT INTO StringIds VALUES (?, ?)", -1, &n->insert_string, NULL) != SQLITE_OK) {
        n->failed = true;
        return;
    }
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
    execute(n, "COMMIT");
}

bool export_nsys(const struct export_job *job, struct error *err)
{
    struct nsys n = {.model = job->model, .base_ns = out_base_ns(job->model)};
    char temporary[4096];
    if (!out_temporary(job->path, temporary, sizeof temporary, err))
        return false;
    unlink(temporary);
    int code = sqlite3_open_v2(temporary, &n.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    n.failed = code != SQLITE_OK;
    if (!n.failed)
        database_fill(&n, job->software);
    bool done = !n.failed || error_set(err, job->path, -1, "cannot write: %s", sqlite3_errmsg(n.db));
    for (int i = 0; i < SHEET_COUNT; i++)
        sqlite3_finalize(n.insert[i]);
    sqlite3_finalize(n.insert_string);
    sqlite3_close(n.db);
    idmap_finish(&n.strings);
    if (done && rename(temporary, job->path) != 0)
        done = error_set(err, job->path, -1, "cannot give the file its name");
    if (!done)
        unlink(temporary);
    return done;
}
