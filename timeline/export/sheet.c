#include "sheet.h"

#include <stdio.h>

#define OPERATION                                                                                                      \
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "            \
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "                    \
    "graphNodeId INTEGER, graphId INTEGER, channelId INTEGER, channelType INTEGER"

/* Columns named as nsys names them; channelId, channelType, asynchronous, openEnd and the CUGANTT tables it does not have. */
static const struct sheet_row {
    const char *name, *columns;
    int column_count;
} rows[SHEET_COUNT] = {
    [SHEET_KERNEL] =
        {"CUPTI_ACTIVITY_KIND_KERNEL",
         OPERATION
         ", demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, "
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
                      OPERATION
                      ", value INTEGER NOT NULL, bytes INTEGER NOT NULL, memKind INTEGER, asynchronous INTEGER",
                      OPERATION_COLUMNS + 4},
    [SHEET_GRAPH] = {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", OPERATION, OPERATION_COLUMNS},
    [SHEET_CALL] = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                    "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
                    "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER",
                    8},
    [SHEET_SYNC] =
        {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
         "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
         "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL, "
         "eventId INTEGER NOT NULL, eventSyncId INTEGER",
         10},
    [SHEET_EVENT] =
        {"CUPTI_ACTIVITY_KIND_CUDA_EVENT",
         "timestamp INTEGER, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, "
         "correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER",
         8},
    [SHEET_OVERHEAD] =
        {"CUPTI_ACTIVITY_KIND_OVERHEAD",
         "start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER, "
         "overheadType INTEGER NOT NULL",
         6},
    [SHEET_NVTX] =
        {"NVTX_EVENTS",
         "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, textId INTEGER, globalTid INTEGER, "
         "color INTEGER, domainId INTEGER, openEnd INTEGER, text TEXT",
         8},
    [SHEET_STREAM] =
        {"TARGET_INFO_CUDA_STREAM",
         "streamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, processId INTEGER NOT NULL, "
         "contextId INTEGER NOT NULL, priority INTEGER NOT NULL, flag INTEGER NOT NULL, correlationId INTEGER",
         8},
    [SHEET_CONTEXT] =
        {"TARGET_INFO_CUDA_CONTEXT_INFO",
         "nullStreamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, processId INTEGER NOT NULL, "
         "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL",
         6},
    [SHEET_THREAD] = {"ThreadNames", "nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER", 3},
    [SHEET_PAUSE] = {"CUGANTT_PAUSES", "start INTEGER, end INTEGER, globalPid INTEGER, reason INTEGER", 4},
    [SHEET_LOSS] = {"CUGANTT_LOSS", "globalPid INTEGER, kind INTEGER, count INTEGER", 3},
    [SHEET_LONG_ID] = {"CUGANTT_THREADS", "globalTid INTEGER, thread INTEGER", 2},
};

void sheets_execute(struct sheets *s, const char *sql)
{
    if (!s->failed && sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        s->failed = true;
}

static void step(struct sheets *s, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        s->failed = true;
    sqlite3_reset(statement);
}

void sheet_add(struct sheets *s, enum sheet sheet, const int64_t *values)
{
    const struct sheet_row *row = &rows[sheet];
    char sql[2048];
    if (s->failed)
        return;
    if (s->insert[sheet] == NULL) {
        snprintf(sql, sizeof sql, "CREATE TABLE \"%s\" (%s)", row->name, row->columns);
        sheets_execute(s, sql);
        int at = snprintf(sql, sizeof sql, "INSERT INTO \"%s\" VALUES (?", row->name);
        for (int i = 1; i < row->column_count + (sheet == SHEET_NVTX);
             i++) /* NVTX_EVENTS ends with a text, NULL here */
            at += snprintf(sql + at, sizeof sql - (size_t)at, ", ?");
        snprintf(sql + at, sizeof sql - (size_t)at, ")");
        if (s->failed || sqlite3_prepare_v2(s->db, sql, -1, &s->insert[sheet], NULL) != SQLITE_OK) {
            s->failed = true;
            return;
        }
    }
    for (int i = 0; i < row->column_count; i++) {
        if (values[i] == NIL)
            sqlite3_bind_null(s->insert[sheet], i + 1);
        else
            sqlite3_bind_int64(s->insert[sheet], i + 1, values[i]);
    }
    step(s, s->insert[sheet]);
}

int64_t sheet_string(struct sheets *s, const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    bool fresh;
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (uint8_t)*c) * UINT64_C(1099511628211);
    uint32_t *id = idmap_get(&s->strings, hash, &fresh);
    if (!fresh)
        return *id;
    *id = ++s->string_count;
    sqlite3_bind_int64(s->insert_string, 1, *id);
    sqlite3_bind_text(s->insert_string, 2, text, -1, SQLITE_TRANSIENT);
    step(s, s->insert_string);
    return *id;
}

void sheets_insert(struct sheets *s, const char *sql, const char *const *texts, int count)
{
    sqlite3_stmt *statement;
    if (s->failed || sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        s->failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_TRANSIENT);
    step(s, statement);
    sqlite3_finalize(statement);
}

void sheets_init(struct sheets *s, sqlite3 *db)
{
    *s = (struct sheets){.db = db};
    sheets_execute(s, "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)");
    if (s->failed ||
        sqlite3_prepare_v2(db, "INSERT INTO StringIds VALUES (?, ?)", -1, &s->insert_string, NULL) != SQLITE_OK)
        s->failed = true;
}

void sheets_finish(struct sheets *s)
{
    for (int i = 0; i < SHEET_COUNT; i++)
        sqlite3_finalize(s->insert[i]);
    sqlite3_finalize(s->insert_string);
    idmap_finish(&s->strings);
}
