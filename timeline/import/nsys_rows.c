#include "nsys_rows.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "query.h"

#define COLUMNS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A GlobalId holds host, VM, process and thread; the two low parts are 24 bits each. */
static uint32_t pid_of(int64_t global_id)
{
    return (uint32_t)((uint64_t)global_id >> 24 & 0xFFFFFF);
}

static uint32_t tid_of(int64_t global_id)
{
    return (uint32_t)(global_id & 0xFFFFFF);
}

struct image *nsys_image_of_pid(struct nsys *n, uint32_t pid)
{
    for (uint32_t i = 0; i < n->set->count; i++)
        if (n->set->items[i].pid == pid)
            return &n->set->items[i];
    return NULL;
}

struct image *nsys_image_of(struct nsys *n, int64_t global_id, bool make)
{
    uint32_t pid = pid_of(global_id);
    if (n->last != NULL && n->last->pid == pid)
        return n->last;
    struct image *image = make ? image_get(n->set, pid) : nsys_image_of_pid(n, pid);
    if (image != NULL && image->own == NULL)
        image->own = ARENA_NEW(n->set->arena, struct nsys_image, 1);
    n->last = image;
    return image;
}

static struct nsys_image *own(struct image *image)
{
    return image->own;
}

static uint32_t thread_of(struct image *image, int64_t global_id)
{
    uint32_t tid = tid_of(global_id), whole = 0;
    bool fresh;
    if (image != NULL && own(image)->threads.count > 0)
        whole = *idmap_get(&own(image)->threads, (uint64_t)tid + 1, &fresh);
    return whole != 0 ? whole : tid;
}

/* String of the image for a string id of the export, or for text that very old exports hold in the column itself. */
static uint32_t name_of(struct nsys *n, struct image *image, sqlite3_stmt *row, int column)
{
    bool fresh;
    if (sqlite3_column_type(row, column) == SQLITE_TEXT)
        return writer_string(image->writer, query_text(row, column));
    if (query_is_null(row, column) || n->string == NULL)
        return 0;
    int64_t id = sqlite3_column_int64(row, column);
    uint32_t *name = idmap_get(&own(image)->names, (uint64_t)id + 1, &fresh);
    if (!fresh)
        return *name;
    sqlite3_bind_int64(n->string, 1, id);
    *name = writer_string(image->writer, sqlite3_step(n->string) == SQLITE_ROW ? query_text(n->string, 0) : "?");
    sqlite3_reset(n->string);
    return *name;
}

/* Zero and the most negative number stand for times that were never taken. */
static bool times_usable(int64_t begin, int64_t end)
{
    return begin >= 0 && end > 0 && end >= begin && end < INT64_MAX / 2;
}

/* The columns that all tables of operations begin with. */
#define OPERATION_COLUMNS \
    "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphNodeId", "graphId", \
        "channelId", "channelType"
enum { START, END, DEVICE, CONTEXT, STREAM, CORRELATION, GLOBAL_PID, GRAPH_NODE, GRAPH, CHANNEL, CHANNEL_TYPE, OWN };

/* False if the row has no usable times: it is counted. */
static bool read_operation(struct nsys *n, sqlite3_stmt *row, struct image **ret_image, void *record)
{
    int64_t node = query_integer(row, GRAPH_NODE, 0);
    const struct cgt_operation op = {
        .begin_ns = query_integer(row, START, -1),
        .end_ns = query_integer(row, END, -1),
        .correlation = query_u32(row, CORRELATION, 0),
        .device = query_u32(row, DEVICE, CGT_NONE),
        .context = query_u32(row, CONTEXT, 0),
        .stream = query_u32(row, STREAM, CGT_NONE),
        .channel = query_u32(row, CHANNEL, CGT_NONE), /* nsys has neither: our own exports do */
        .channel_type = query_u32(row, CHANNEL_TYPE, CGT_CHANNEL_UNKNOWN),
        .graph = query_u32(row, GRAPH, (uint32_t)((uint64_t)node >> 32)), /* a node's id begins with its graph's */
        .graph_node = (uint32_t)node,
    };
    *ret_image = nsys_image_of(n, query_integer(row, GLOBAL_PID, 0), true);
    if (*ret_image == NULL)
        return false;
    memcpy(record, &op, sizeof op);
    if (times_usable(op.begin_ns, op.end_ns))
        return true;
    own(*ret_image)->invalid++;
    return false;
}

static void read_kernel(struct nsys *n, sqlite3_stmt *row)
{
    enum {
        DEMANGLED = OWN,
        SHORT,
        MANGLED,
        LAUNCH,
        REGISTERS,
        GRID,
        BLOCK = GRID + 3,
        STATIC = BLOCK + 3,
        DYNAMIC,
        LOCAL
    };
    struct image *image;
    struct cgt_kernel kernel;
    memset(&kernel, 0, sizeof kernel);
    if (!read_operation(n, row, &image, &kernel))
        return;
    for (int column = DEMANGLED; column <= MANGLED && kernel.name == 0; column++)
        kernel.name = name_of(n, image, row, column);
    for (int i = 0; i < 3; i++) {
        kernel.grid[i] = query_u32(row, GRID + i, 0);
        kernel.block[i] = query_u32(row, BLOCK + i, 0);
    }
    kernel.registers_per_thread = query_u32(row, REGISTERS, 0);
    kernel.static_shared_bytes = query_u32(row, STATIC, 0);
    kernel.dynamic_shared_bytes = query_u32(row, DYNAMIC, 0);
    kernel.local_bytes_per_thread = query_u32(row, LOCAL, 0);
    uint32_t launch = query_u32(row, LAUNCH, 0);
    kernel.launch_type = launch > 0 ? launch - 1 : 0; /* CUPTI counts from 0, nsys from 1 */
    image_add(image, CGT_KERNEL, &kernel);
}

/* nsys numbers memory kinds one lower than CUPTI, and ends with "unknown". */
static uint32_t memory_kind(sqlite3_stmt *row, int column)
{
    uint32_t kind = query_u32(row, column, CGT_NONE);
    return kind < CGT_MEMORY_MANAGED_STATIC ? kind + 1 : CGT_MEMORY_UNKNOWN;
}

/* Migrations of managed memory are copies of kinds of their own. */
static void read_copy_kind(sqlite3_stmt *row, int column, struct cgt_copy *copy)
{
    enum { FIRST_MIGRATION = 11 };
    static const uint32_t migrations[] = {CGT_COPY_HTOD, CGT_COPY_DTOH, CGT_COPY_DTOD};
    uint32_t kind = query_u32(row, column, 0);
    bool migrates = kind >= FIRST_MIGRATION && kind < FIRST_MIGRATION + sizeof migrations / sizeof *migrations;
    copy->copy_kind = migrates ? migrations[kind - FIRST_MIGRATION] : kind;
    if (migrates)
        copy->source_kind = copy->target_kind = CGT_MEMORY_MANAGED;
}

static void read_copy(struct nsys *n, sqlite3_stmt *row)
{
    enum { BYTES = OWN, KIND, SOURCE, TARGET, SOURCE_DEVICE, TARGET_DEVICE, ASYNC };
    struct image *image;
    struct cgt_copy copy;
    memset(&copy, 0, sizeof copy);
    if (!read_operation(n, row, &image, &copy))
        return;
    copy.bytes = (uint64_t)query_integer(row, BYTES, 0);
    copy.source_kind = memory_kind(row, SOURCE);
    copy.target_kind = memory_kind(row, TARGET);
    read_copy_kind(row, KIND, &copy);
    copy.asynchronous = query_u32(row, ASYNC, CGT_NONE);
    copy.source_device = query_u32(row, SOURCE_DEVICE, CGT_NONE);
    copy.target_device = query_u32(row, TARGET_DEVICE, CGT_NONE);
    image_add(image, CGT_COPY, &copy);
}

static void read_memset(struct nsys *n, sqlite3_stmt *row)
{
    enum { VALUE = OWN, BYTES, KIND, ASYNC };
    struct image *image;
    struct cgt_memset memset_record;
    memset(&memset_record, 0, sizeof memset_record);
    if (!read_operation(n, row, &image, &memset_record))
        return;
    memset_record.bytes = (uint64_t)query_integer(row, BYTES, 0);
    memset_record.value = query_u32(row, VALUE, 0);
    memset_record.memory_kind = memory_kind(row, KIND);
    memset_record.asynchronous = query_u32(row, ASYNC, CGT_NONE);
    image_add(image, CGT_MEMSET, &memset_record);
}

static void read_graph(struct nsys *n, sqlite3_stmt *row)
{
    struct image *image;
    struct cgt_graph graph;
    if (read_operation(n, row, &image, &graph))
        image_add(image, CGT_GRAPH, &graph);
}

static void read_call(struct nsys *n, sqlite3_stmt *row)
{
    enum { CALL_TID = 2, CALL_CORRELATION, CALL_NAME, CALL_CLASS, CALL_RESULT };
    int64_t global = query_integer(row, CALL_TID, 0);
    struct image *image = nsys_image_of(n, global, true);
    struct cgt_call call = {.begin_ns = query_integer(row, START, -1), .end_ns = query_integer(row, END, -1),
                            .correlation = query_u32(row, CALL_CORRELATION, 0), .thread = thread_of(image, global),
                            .domain = query_u32(row, CALL_CLASS, 0) == 1 ? CGT_CALL_DRIVER : CGT_CALL_RUNTIME,
                            .result = (int32_t)query_integer(row, CALL_RESULT, 0)};
    if (image == NULL)
        return;
    if (!times_usable(call.begin_ns, call.end_ns)) {
        own(image)->invalid++;
        return;
    }
    call.name = name_of(n, image, row, CALL_NAME);
    image_add(image, CGT_CALL, &call);
}

static void read_sync(struct nsys *n, sqlite3_stmt *row)
{
    enum { SYNC_CONTEXT = 2, SYNC_STREAM, SYNC_CORRELATION, SYNC_PID, SYNC_TYPE, SYNC_EVENT, SYNC_ID };
    struct image *image = nsys_image_of(n, query_integer(row, SYNC_PID, 0), false);
    const struct cgt_sync sync = {.begin_ns = query_integer(row, START, 0),
                                  .end_ns = query_integer(row, END, 0),
                                  .correlation = query_u32(row, SYNC_CORRELATION, 0),
                                  .type = query_u32(row, SYNC_TYPE, 0),
                                  .context = query_u32(row, SYNC_CONTEXT, CGT_NONE),
                                  .stream = query_u32(row, SYNC_STREAM, CGT_NONE),
                                  .event = query_u32(row, SYNC_EVENT, 0),
                                  .event_sync = (uint64_t)query_integer(row, SYNC_ID, -1)};
    if (image != NULL && sync.type != 0)
        writer_add(image->writer, CGT_SYNC, &sync);
}

static void read_event(struct nsys *n, sqlite3_stmt *row)
{
    enum { TIME, EVENT_CONTEXT, EVENT_STREAM, EVENT_CORRELATION, EVENT_PID, EVENT_ID, EVENT_SYNC };
    struct image *image = nsys_image_of(n, query_integer(row, EVENT_PID, 0), false);
    const struct cgt_event event = {.time_ns = query_integer(row, TIME, 0),
                                    .correlation = query_u32(row, EVENT_CORRELATION, 0),
                                    .context = query_u32(row, EVENT_CONTEXT, CGT_NONE),
                                    .stream = query_u32(row, EVENT_STREAM, CGT_NONE),
                                    .event = query_u32(row, EVENT_ID, 0),
                                    .event_sync = (uint64_t)query_integer(row, EVENT_SYNC, -1)};
    if (image != NULL)
        writer_add(image->writer, CGT_EVENT, &event);
}

/* nsys numbers kinds of overhead in CUPTI's order; old exports hold CUPTI's numbers themselves. */
static uint32_t overhead_kind(uint32_t kind)
{
    enum { COMPILER = 2, LAST = 9 };
    if (kind >= CGT_OVERHEAD_BUFFER_FLUSH)
        return kind;
    if (kind == COMPILER)
        return CGT_OVERHEAD_COMPILER;
    return kind > COMPILER && kind <= LAST ? (kind - COMPILER) << 16 : 0;
}

static void read_overhead(struct nsys *n, sqlite3_stmt *row)
{
    enum { OVERHEAD_TID = 2, OVERHEAD_CORRELATION, OVERHEAD_TYPE };
    int64_t global = query_integer(row, OVERHEAD_TID, 0);
    struct image *image = nsys_image_of(n, global, false);
    uint32_t thread = thread_of(image, global);
    const struct cgt_overhead overhead = {.begin_ns = query_integer(row, START, 0),
                                          .end_ns = query_integer(row, END, 0),
                                          .kind = overhead_kind(query_u32(row, OVERHEAD_TYPE, 0)),
                                          .thread = thread != 0 ? thread : CGT_NONE,
                                          .correlation = query_u32(row, OVERHEAD_CORRELATION, 0)};
    if (image != NULL && overhead.kind != 0)
        writer_add(image->writer, CGT_OVERHEAD, &overhead);
}

/* Name of an NVTX domain of a process: a row of the same table, anywhere in it. */
static uint32_t domain_of(struct nsys *n, struct image *image, uint32_t domain)
{
    static const char sql[] = "SELECT text, textId FROM NVTX_EVENTS WHERE eventType = 75 AND domainId = ?1 AND "
                              "globalTid / 0x1000000 % 0x1000000 = ?2 LIMIT 1";
    sqlite3_stmt *row;
    bool fresh;
    uint32_t *name = idmap_get(&own(image)->domains, (uint64_t)domain + 1, &fresh);
    if (!fresh || sqlite3_prepare_v2(n->db, sql, -1, &row, NULL) != SQLITE_OK)
        return *name;
    sqlite3_bind_int64(row, 1, domain);
    sqlite3_bind_int64(row, 2, image->pid);
    if (sqlite3_step(row) == SQLITE_ROW)
        *name = name_of(n, image, row, query_is_null(row, 0) ? 1 : 0);
    sqlite3_finalize(row);
    return *name;
}

/* Ranges and marks; other rows of the table name domains, threads and categories. */
static void read_nvtx(struct nsys *n, sqlite3_stmt *row)
{
    enum { TYPE = 2, TEXT, TEXT_ID, NVTX_TID, COLOR, DOMAIN, OPEN_END, MARK = 34, PUSH_POP = 59, START_END = 60 };
    int64_t global = query_integer(row, NVTX_TID, 0), type = query_integer(row, TYPE, 0);
    struct image *image = nsys_image_of(n, global, false);
    if (image == NULL || (type != MARK && type != PUSH_POP && type != START_END))
        return;
    struct cgt_range range = {.begin_ns = query_integer(row, START, -1), .thread = thread_of(image, global),
                              .color = query_u32(row, COLOR, 0),
                              .type = type == MARK       ? CGT_RANGE_MARK
                                      : type == PUSH_POP ? CGT_RANGE_PUSHED
                                                         : CGT_RANGE_STARTED};
    range.open = type != MARK && query_is_null(row, END);
    int64_t last = range.begin_ns > image->last_ns ? range.begin_ns : image->last_ns;
    range.end_ns = type == MARK ? range.begin_ns : query_integer(row, END, query_integer(row, OPEN_END, last));
    uint32_t domain = query_u32(row, DOMAIN, 0); /* 0: the default one, which has no name */
    range.domain = domain > 0 ? domain_of(n, image, domain) : 0;
    range.name = query_is_null(row, TEXT) ? name_of(n, image, row, TEXT_ID) : name_of(n, image, row, TEXT);
    if (times_usable(range.begin_ns, range.end_ns))
        writer_add(image->writer, CGT_RANGE, &range);
}

static void read_stream(struct nsys *n, sqlite3_stmt *row)
{
    struct image *image = nsys_image_of_pid(n, query_u32(row, 0, CGT_NONE));
    const struct cgt_stream stream = {.context = query_u32(row, 1, CGT_NONE), .id = query_u32(row, 2, CGT_NONE),
                                      .priority = (int32_t)query_integer(row, 3, 0),
                                      .flag = query_u32(row, 4, CGT_STREAM_UNKNOWN),
                                      .correlation = query_u32(row, 5, 0)};
    if (image != NULL && stream.flag <= CGT_STREAM_NULL)
        writer_add(image->writer, CGT_STREAM, &stream);
}

static void read_context(struct nsys *n, sqlite3_stmt *row)
{
    struct image *image = nsys_image_of_pid(n, query_u32(row, 0, CGT_NONE));
    const struct cgt_context context = {query_u32(row, 1, CGT_NONE), query_u32(row, 2, CGT_NONE),
                                        query_u32(row, 3, CGT_NONE), 0};
    if (image != NULL && context.null_stream != CGT_NONE)
        writer_add(image->writer, CGT_CONTEXT, &context);
}

static void read_thread(struct nsys *n, sqlite3_stmt *row)
{
    int64_t global = query_integer(row, 1, 0);
    struct image *image = nsys_image_of(n, global, false);
    if (image == NULL)
        return;
    const struct cgt_thread thread = {thread_of(image, global), name_of(n, image, row, 0)};
    writer_add(image->writer, CGT_THREAD, &thread);
}

static void read_process(struct nsys *n, sqlite3_stmt *row)
{
    struct image *image = nsys_image_of(n, query_integer(row, 0, 0), false);
    if (image != NULL)
        writer_property(image->writer, "program", query_text(row, 1));
}

/* The next four are tables of our own exports. That of properties has every process, also those
 * without GPU work. */
static void read_pause(struct nsys *n, sqlite3_stmt *row)
{
    struct image *image = nsys_image_of(n, query_integer(row, 2, 0), false);
    const struct cgt_pause pause = {query_integer(row, START, 0), query_integer(row, END, 0), query_u32(row, 3, 0), 0};
    if (image != NULL)
        writer_add(image->writer, CGT_PAUSE, &pause);
}

static void read_loss(struct nsys *n, sqlite3_stmt *row)
{
    struct image *image = nsys_image_of(n, query_integer(row, 0, 0), false);
    if (image != NULL)
        image_loss(image, (enum cgt_loss_kind)query_u32(row, 1, 0), (uint64_t)query_integer(row, 2, 0));
}

static void read_property(struct nsys *n, sqlite3_stmt *row)
{
    static const char *const ours[] = {"source", "program"}; /* known from elsewhere */
    struct image *image = nsys_image_of(n, query_integer(row, 0, 0), true);
    char key[256];
    snprintf(key, sizeof key, "%s", query_text(row, 1));
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(key, ours[i]) == 0)
            return;
    if (image == NULL)
        return;
    own(image)->has_pid = own(image)->has_pid || strcmp(key, "pid") == 0;
    writer_property(image->writer, key, query_text(row, 2));
}

static void read_long_id(struct nsys *n, sqlite3_stmt *row)
{
    int64_t global = query_integer(row, 0, 0);
    struct image *image = nsys_image_of(n, global, false);
    bool fresh;
    if (image != NULL)
        *idmap_get(&own(image)->threads, (uint64_t)tid_of(global) + 1, &fresh) = query_u32(row, 1, CGT_NONE);
}

const struct nsys_table nsys_tables[] = {
    {"CUGANTT_PROPERTIES", COLUMNS("globalPid", "key", "value"), read_property, false}, /* first: it names processes */
    {"CUGANTT_THREADS", COLUMNS("globalTid", "thread"), read_long_id, false},
    {"CUPTI_ACTIVITY_KIND_KERNEL",
     COLUMNS(OPERATION_COLUMNS, "demangledName", "shortName", "mangledName", "launchType", "registersPerThread",
             "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "staticSharedMemory", "dynamicSharedMemory",
             "localMemoryPerThread"),
     read_kernel, true},
    {"CUPTI_ACTIVITY_KIND_MEMCPY",
     COLUMNS(OPERATION_COLUMNS, "bytes", "copyKind", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId",
             "asynchronous"),
     read_copy, true},
    {"CUPTI_ACTIVITY_KIND_MEMSET", COLUMNS(OPERATION_COLUMNS, "value", "bytes", "memKind", "asynchronous"), read_memset,
     true},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", COLUMNS(OPERATION_COLUMNS), read_graph, true},
    {"CUPTI_ACTIVITY_KIND_RUNTIME",
     COLUMNS("start", "end", "globalTid", "correlationId", "nameId", "eventClass", "returnValue"), read_call, true},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
     COLUMNS("start", "end", "contextId", "streamId", "correlationId", "globalPid", "syncType", "eventId",
             "eventSyncId"),
     read_sync, true},
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT",
     COLUMNS("timestamp", "contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"), read_event,
     true},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", COLUMNS("start", "end", "globalTid", "correlationId", "overheadType"),
     read_overhead, false},
    {"PROFILER_OVERHEAD", COLUMNS("start", "end", "globalTid", "correlationId", "overheadType"), read_overhead, false},
    {"NVTX_EVENTS", COLUMNS("start", "end", "eventType", "text", "textId", "globalTid", "color", "domainId", "openEnd"),
     read_nvtx, true},
    {"TARGET_INFO_CUDA_STREAM", COLUMNS("processId", "contextId", "streamId", "priority", "flag", "correlationId"),
     read_stream, false},
    {"TARGET_INFO_CUDA_CONTEXT_INFO", COLUMNS("processId", "contextId", "deviceId", "nullStreamId"), read_context,
     false},
    {"ThreadNames", COLUMNS("nameId", "globalTid"), read_thread, false},
    {"PROCESSES", COLUMNS("globalPid", "name"), read_process, false},
    {"CUGANTT_PAUSES", COLUMNS("start", "end", "globalPid", "reason"), read_pause, false},
    {"CUGANTT_LOSS", COLUMNS("globalPid", "kind", "count"), read_loss, false},
    {NULL, NULL, NULL, false},
};
