#include "nsys.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "nsys_rows.h"
#include "query.h"

static void tell_progress(struct nsys *n)
{
    enum { EVERY_ROWS = 65536 };
    if (n->progress != NULL && ++n->done_rows % EVERY_ROWS == 0 && n->done_rows < n->total_rows)
        n->progress((double)n->done_rows / (double)n->total_rows);
}

static void failure_note(struct nsys *n, const char *table)
{
    if (n->failure != NULL)
        return;
    n->failure = arena_strdup(n->set->arena, sqlite3_errmsg(n->db));
    n->failed_table = table;
}

static void table_read(struct nsys *n, const struct nsys_table *table)
{
    sqlite3_stmt *rows = query_table(n->db, table->name, table->columns);
    if (rows == NULL) {
        if (sqlite3_errcode(n->db) != SQLITE_OK && sqlite3_errcode(n->db) != SQLITE_DONE &&
            sqlite3_errcode(n->db) != SQLITE_ROW)
            failure_note(n, table->name);
        return;
    }
    int code;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW && !n->set->failed) {
        table->read(n, rows);
        tell_progress(n);
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        failure_note(n, table->name);
    sqlite3_finalize(rows);
}

/* Largest rowids, which cost nothing to find: near enough for a progress bar. */
static uint64_t rows_estimate(struct nsys *n)
{
    uint64_t total = 0;
    for (const struct nsys_table *t = nsys_tables; t->name != NULL; t++) {
        char sql[128];
        sqlite3_stmt *row;
        snprintf(sql, sizeof sql, "SELECT max(rowid) FROM \"%s\"", t->name);
        if (!t->counts || sqlite3_prepare_v2(n->db, sql, -1, &row, NULL) != SQLITE_OK)
            continue;
        if (sqlite3_step(row) == SQLITE_ROW)
            total += (uint64_t)query_integer(row, 0, 0);
        sqlite3_finalize(row);
    }
    return total;
}

/* One integer of the first row of a table. */
static int64_t single_integer(struct nsys *n, const char *table, const char *column, int64_t otherwise)
{
    sqlite3_stmt *row = query_table(n->db, table, (const char *const[]){column, NULL});
    int64_t value = row != NULL && sqlite3_step(row) == SQLITE_ROW ? query_integer(row, 0, otherwise) : otherwise;
    sqlite3_finalize(row);
    return value;
}

/* Times count from the start of the session, or, where the export names that moment on its own clock, on that clock. */
static void clock_write(struct nsys *n, struct image *image)
{
    int64_t epoch = single_integer(n, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs", 0);
    int64_t start = single_integer(n, "TARGET_INFO_SESSION_START_TIME", "systemClockNs", 0);
    if (epoch <= 0 || epoch > INT64_MAX / 4 || start < 0 || start > epoch)
        return;
    const struct cgt_clock clock = {start, epoch, 0};
    writer_add(image->writer, CGT_CLOCK, &clock);
    image_started(image, epoch);
}

/* Device of CUDA's number for each GPU of the machine, where the export has both numbers. */
static uint32_t cuda_id_of(struct nsys *n, uint32_t gpu)
{
    sqlite3_stmt *rows = query_table(n->db, "TARGET_INFO_CUDA_DEVICE", (const char *const[]){"gpuId", "cudaId", NULL});
    uint32_t id = gpu;
    while (rows != NULL && sqlite3_step(rows) == SQLITE_ROW)
        if (query_u32(rows, 0, CGT_NONE) == gpu)
            id = query_u32(rows, 1, gpu);
    sqlite3_finalize(rows);
    return id;
}

static void devices_write(struct nsys *n, struct image *image)
{
    static const char *const columns[] = {
        "id",           "name",           "computeMajor",   "computeMinor",      "smCount",
        "asyncEngines", "maxWarpsPerSm",  "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm",
        "totalMemory",  "threadsPerWarp", "pcieGeneration", "pcieLanes",         NULL};
    sqlite3_stmt *rows = query_table(n->db, "TARGET_INFO_GPU", columns);
    while (rows != NULL && sqlite3_step(rows) == SQLITE_ROW) {
        const struct cgt_device device = {
            .id = cuda_id_of(n, query_u32(rows, 0, CGT_NONE)),
            .name = writer_string(image->writer, query_text(rows, 1)),
            .compute_major = query_u32(rows, 2, 0),
            .compute_minor = query_u32(rows, 3, 0),
            .sm_count = query_u32(rows, 4, 0),
            .copy_engines = query_u32(rows, 5, 0),
            .max_warps_per_sm = query_u32(rows, 6, 0),
            .max_blocks_per_sm = query_u32(rows, 7, 0),
            .registers_per_sm = query_u32(rows, 8, 0),
            .shared_bytes_per_sm = query_u32(rows, 9, 0),
            .memory_bytes = (uint64_t)query_integer(rows, 10, 0),
            .threads_per_warp = query_u32(rows, 11, 0),
            .pcie_generation = query_u32(rows, 12, 0),
            .pcie_lanes = query_u32(rows, 13, 0),
        };
        if (device.id != CGT_NONE)
            writer_add(image->writer, CGT_DEVICE, &device);
    }
    sqlite3_finalize(rows);
}

/* An export without GPU work often says itself why. */
static void diagnostics_write(struct nsys *n, struct image *image)
{
    sqlite3_stmt *rows;
    if (sqlite3_prepare_v2(n->db, "SELECT text FROM DIAGNOSTIC_EVENT WHERE severity > 1 ORDER BY severity DESC LIMIT 3",
                           -1, &rows, NULL) != SQLITE_OK)
        return;
    while (sqlite3_step(rows) == SQLITE_ROW)
        image_warn(image, "nsys says: %s", query_text(rows, 0));
    sqlite3_finalize(rows);
}

static void image_complete(struct nsys *n, struct image *image)
{
    char pid[24];
    struct nsys_image *own = image->own;
    snprintf(pid, sizeof pid, "%" PRIu32, image->pid);
    if (own == NULL || !own->has_pid)
        writer_property(image->writer, "pid", pid);
    clock_write(n, image);
    devices_write(n, image);
    if (own != NULL) {
        image_loss(image, CGT_LOSS_INVALID, own->invalid);
        idmap_finish(&own->names);
        idmap_finish(&own->domains);
        idmap_finish(&own->threads);
    }
}

static bool is_nsys(struct nsys *n)
{
    static const char *const tables[] = {
        "StringIds",        "TARGET_INFO_SESSION_START_TIME", "ANALYSIS_DETAILS",           "META_DATA_EXPORT",
        "EXPORT_META_DATA", "CUPTI_ACTIVITY_KIND_KERNEL",     "CUPTI_ACTIVITY_KIND_RUNTIME"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (query_has_table(n->db, tables[i]))
            return true;
    return false;
}

static bool failure_is_lock(struct nsys *n)
{
    int code = sqlite3_errcode(n->db);
    return code == SQLITE_BUSY || code == SQLITE_LOCKED;
}

static bool database_check(struct nsys *n)
{
    const char *path = n->set->path;
    if (is_nsys(n))
        return true;
    int code = sqlite3_errcode(n->db);
    if (failure_is_lock(n))
        return error_set(n->set->err, path, -1, "the database is locked: another program is still writing it");
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        return error_set(n->set->err, path, -1, "cannot read the database: %s", sqlite3_errmsg(n->db));
    return error_set(n->set->err, path, -1,
                     "a SQLite database, but no trace: expected one that nsys export --type sqlite wrote");
}

static bool read_database(struct nsys *n)
{
    if (!database_check(n))
        return false;
    sqlite3_prepare_v2(n->db, "SELECT value FROM StringIds WHERE id = ?", -1, &n->string, NULL);
    n->total_rows = n->progress != NULL ? rows_estimate(n) : 0;
    for (const struct nsys_table *t = nsys_tables; t->name != NULL && !n->set->failed; t++)
        table_read(n, t);
    sqlite3_finalize(n->string);
    if (n->set->count == 0 && n->failure != NULL)
        return error_set(n->set->err, n->set->path, -1, "cannot read the database: %s (table %s)", n->failure,
                         n->failed_table);
    if (n->set->count == 0 && image_get(n->set, 0) != NULL)
        diagnostics_write(n, &n->set->items[0]);
    for (uint32_t i = 0; i < n->set->count; i++)
        image_complete(n, &n->set->items[i]);
    if (n->failure != NULL) {
        image_warn(&n->set->items[0], "table %s ends early: %s; the rows before were read", n->failed_table,
                   n->failure);
        image_loss(&n->set->items[0], CGT_LOSS_MALFORMED, 1);
    }
    return !n->set->failed;
}

bool nsys_read(struct image_set *set, import_progress *progress)
{
    struct nsys n = {.set = set, .progress = progress};
    set->source = "nsys";
    int code = sqlite3_open_v2(set->path, &n.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    bool done = code == SQLITE_OK && read_database(&n);
    if (code != SQLITE_OK)
        error_set(set->err, set->path, -1, "cannot open the database: %s", sqlite3_errstr(code));
    sqlite3_close(n.db);
    return done;
}
