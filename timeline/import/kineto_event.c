#include "kineto_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TEXT_BYTES = 4096 }; /* names of kernels reach some thousand bytes */

enum field { PH, CAT, NAME, PID, TID, TS, DUR, ARGS, FIELDS };
static const char *const field_keys[] = {"ph", "cat", "name", "pid", "tid", "ts", "dur", "args", NULL};

/* What args may hold. */
#define EVENT_ARGS(X) \
    X(DEVICE, "device") X(CONTEXT, "context") X(STREAM, "stream") X(CORRELATION, "correlation") \
    X(BYTES, "bytes") X(GRID, "grid") X(BLOCK, "block") X(REGISTERS, "registers per thread") \
    X(SHARED, "shared memory") X(CHANNEL, "channel") X(CHANNEL_TYPE, "channel type") \
    X(GRAPH, "graph id") X(GRAPH_NODE, "graph node id") X(KIND, "kind") \
    X(SYNC_KIND, "cuda_sync_kind") X(WAIT_STREAM, "wait_on_stream") \
    X(WAIT_RECORD, "wait_on_cuda_event_record_corr_id") X(WAIT_EVENT, "wait_on_cuda_event_id") \
    X(ASYNC, "async") X(RESULT, "result") X(TYPE, "type") X(COLOR, "color") X(OPEN, "open") \
    X(DOMAIN, "domain") X(REASON, "reason") X(PROCESS, "process") X(THREAD, "thread")

enum arg {
#define X(id, key) id,
    EVENT_ARGS(X)
#undef X
        ARG_COUNT
};
static const char *const arg_keys[] = {
#define X(id, key) key,
    EVENT_ARGS(X)
#undef X
        NULL,
};

struct event {
    struct loose fields[FIELDS];
    struct loose args[ARG_COUNT];
    int64_t begin_ns, end_ns;
    char name[TEXT_BYTES];
};

/* Number at the end of "stream 7", as very old files write it; a plain number too. */
static uint32_t trailing_u32(struct loose value, uint32_t otherwise)
{
    if (value.at == NULL)
        return otherwise;
    if (!loose_is_string(value))
        return loose_u32(value, otherwise);
    const char *end = value.end - 1, *p = end;
    while (p > value.at + 1 && p[-1] >= '0' && p[-1] <= '9')
        p--;
    return loose_u32((struct loose){p, end}, otherwise);
}

/* Threads are numbers, sometimes larger than those of the kernel (pthread_self()), sometimes in quotes. */
static uint32_t thread_of(const struct event *e)
{
    int64_t id;
    struct loose said =
        e->args[THREAD].at != NULL ? e->args[THREAD] : e->fields[TID]; /* our exports have rows beside */
    return loose_integer(said, &id) ? (uint32_t)(uint64_t)id : CGT_NONE;
}

static uint32_t name_id(struct kineto *k, const struct event *e)
{
    return writer_string(k->image->writer, e->name);
}

static void hash_add(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    *hash ^= *hash >> 29;
}

/* Was the same event there before? Only what has a correlation id can be told from an equal neighbour. */
static bool is_duplicate(struct kineto *k, const struct event *e, const struct cgt_operation *op, uint32_t name)
{
    bool fresh;
    uint64_t hash = (uint64_t)k->image->pid << 32 | name;
    if (op->correlation == 0)
        return false;
    hash_add(&hash, (uint64_t)e->begin_ns);
    hash_add(&hash, (uint64_t)e->end_ns);
    hash_add(&hash, (uint64_t)op->correlation << 32 | op->stream);
    hash_add(&hash, (uint64_t)op->device << 32 | op->context);
    hash_add(&hash, op->graph_node);
    idmap_get(&k->seen, hash, &fresh);
    k->duplicates += !fresh;
    return !fresh;
}

/* Fields that all operations have. Without args (cut by other tools) the rows of the timeline say device and stream. */
static struct cgt_operation operation_of(const struct event *e)
{
    return (struct cgt_operation){
        .begin_ns = e->begin_ns,
        .end_ns = e->end_ns,
        .correlation = loose_u32(e->args[CORRELATION], 0),
        .device = loose_u32(e->args[DEVICE], trailing_u32(e->fields[PID], CGT_NONE)),
        .context = loose_u32(e->args[CONTEXT], 0),
        .stream = loose_u32(e->args[STREAM], trailing_u32(e->fields[TID], CGT_NONE)),
        .channel = loose_u32(e->args[CHANNEL], CGT_NONE),
        .channel_type = loose_u32(e->args[CHANNEL_TYPE], CGT_CHANNEL_UNKNOWN),
        .graph = loose_u32(e->args[GRAPH], 0),
        .graph_node = loose_u32(e->args[GRAPH_NODE], 0),
    };
}

static void operation_set(void *record, const struct cgt_operation *op)
{
    memcpy(record, op, sizeof *op);
}

static void triple(struct loose value, uint32_t *ret_numbers)
{
    struct loose items, element;
    if (value.at == NULL || !loose_enter(value, '[', &items))
        return;
    for (int i = 0; i < 3 && loose_element(&items, &element); i++)
        ret_numbers[i] = loose_u32(element, 0);
}

static void read_kernel(struct kineto *k, struct event *e)
{
    struct cgt_operation op = operation_of(e);
    struct cgt_kernel kernel = {
        .name = name_id(k, e),
        .registers_per_thread = loose_u32(e->args[REGISTERS], 0),
        .dynamic_shared_bytes = loose_u32(e->args[SHARED], 0), /* static and dynamic together */
    };
    if (is_duplicate(k, e, &op, kernel.name))
        return;
    operation_set(&kernel, &op);
    triple(e->args[GRID], kernel.grid);
    triple(e->args[BLOCK], kernel.block);
    image_add(k->image, CGT_KERNEL, &kernel);
}

/* One launch of a whole graph, as our own exports write it. */
static void read_graph(struct kineto *k, struct event *e)
{
    struct cgt_operation op = operation_of(e);
    struct cgt_graph graph;
    if (is_duplicate(k, e, &op, op.graph))
        return;
    operation_set(&graph, &op);
    image_add(k->image, CGT_GRAPH, &graph);
}

struct word_row {
    const char *word;
    uint32_t value;
};

/* Value of the row whose word stands first in the text, 0 if none does. *ret_rest is what comes behind it. */
static uint32_t word_find(const struct word_row *rows, const char *text, const char **ret_rest)
{
    const char *first = NULL;
    uint32_t value = 0;
    for (; rows->word != NULL; rows++) {
        const char *hit = strstr(text, rows->word);
        if (hit != NULL && (first == NULL || hit < first)) {
            first = hit;
            value = rows->value;
            *ret_rest = hit + strlen(rows->word);
        }
    }
    return value;
}

static const struct word_row directions[] = {{"HtoD", CGT_COPY_HTOD},           {"DtoH", CGT_COPY_DTOH},
                                             {"HtoA", CGT_COPY_HTOA},           {"AtoH", CGT_COPY_ATOH},
                                             {"AtoA", CGT_COPY_ATOA},           {"AtoD", CGT_COPY_ATOD},
                                             {"DtoA", CGT_COPY_DTOA},           {"DtoD", CGT_COPY_DTOD},
                                             {"HtoH", CGT_COPY_HTOH},           {"PtoP", CGT_COPY_PTOP},
                                             {"HostToDevice", CGT_COPY_HTOD},   {"DeviceToHost", CGT_COPY_DTOH},
                                             {"DeviceToDevice", CGT_COPY_DTOD}, /* rocprof's words */
                                             {"HostToHost", CGT_COPY_HTOH},     {NULL, 0}};

/* "Host" (AMD) says nothing about pinning, so it stays unknown. */
static const struct word_row memories[] = {
    {"Pageable", CGT_MEMORY_PAGEABLE}, {"Pinned", CGT_MEMORY_PINNED}, {"Device Static", CGT_MEMORY_DEVICE_STATIC},
    {"Managed Static", CGT_MEMORY_MANAGED_STATIC}, {"Device", CGT_MEMORY_DEVICE}, {"Array", CGT_MEMORY_ARRAY},
    {"Managed", CGT_MEMORY_MANAGED}, {"Host", CGT_MEMORY_UNKNOWN}, {"Unknown", CGT_MEMORY_UNKNOWN}, {NULL, 0}};

static uint64_t bytes_of(const struct event *e)
{
    int64_t bytes;
    return loose_integer(e->args[BYTES], &bytes) && bytes > 0 ? (uint64_t)bytes : 0;
}

/* "Memcpy HtoD (Pageable -> Device)": nothing but the name says direction and memory kinds. */
static void read_copy(struct kineto *k, struct event *e)
{
    char kind[64];
    const char *rest = "", *behind = "";
    struct cgt_operation op = operation_of(e);
    struct cgt_copy copy = {.bytes = bytes_of(e), .asynchronous = loose_u32(e->args[ASYNC], CGT_NONE),
                            .source_device = CGT_NONE, .target_device = CGT_NONE};
    if (is_duplicate(k, e, &op, name_id(k, e)))
        return;
    operation_set(&copy, &op);
    copy.copy_kind = word_find(directions, e->name, &rest);
    if (copy.copy_kind == CGT_COPY_UNKNOWN && e->args[KIND].at != NULL)
        copy.copy_kind = word_find(directions, loose_text(e->args[KIND], kind, sizeof kind), &behind);
    const char *arrow = strstr(rest, "->"), *open = strchr(rest, '(');
    if (arrow != NULL && open != NULL) {
        copy.source_kind = word_find(memories, open, &behind);
        copy.target_kind = word_find(memories, arrow, &behind);
    }
    image_add(k->image, CGT_COPY, &copy);
}

static void read_memset(struct kineto *k, struct event *e)
{
    const char *rest;
    struct cgt_operation op = operation_of(e);
    struct cgt_memset memset = {.bytes = bytes_of(e), .asynchronous = loose_u32(e->args[ASYNC], CGT_NONE),
                                .memory_kind = word_find(memories, e->name, &rest)};
    if (is_duplicate(k, e, &op, name_id(k, e)))
        return;
    operation_set(&memset, &op);
    image_add(k->image, CGT_MEMSET, &memset);
}

static void add_call(struct kineto *k, struct event *e, enum cgt_call_domain domain)
{
    char pid[24];
    int64_t process;
    struct cgt_call call = {.begin_ns = e->begin_ns,
                            .end_ns = e->end_ns,
                            .correlation = loose_u32(e->args[CORRELATION], 0),
                            .thread = thread_of(e),
                            .name = name_id(k, e),
                            .domain = domain,
                            .result = (int32_t)loose_u32(e->args[RESULT], 0)};
    const struct cgt_operation place = {.correlation = call.correlation, .stream = call.thread, .device = CGT_NONE};
    if (is_duplicate(k, e, &place, call.name))
        return;
    if (!k->has_process && loose_integer(e->fields[PID], &process)) {
        snprintf(pid, sizeof pid, "%lld", (long long)process);
        writer_property(k->image->writer, "pid", pid);
        k->has_process = true;
    }
    image_add(k->image, CGT_CALL, &call);
}

static void read_runtime(struct kineto *k, struct event *e)
{
    add_call(k, e, CGT_CALL_RUNTIME);
}

static void read_driver(struct kineto *k, struct event *e)
{
    add_call(k, e, CGT_CALL_DRIVER);
}

/* A wait names the call that recorded the event, not the recording: that is made up from it, once. */
static uint64_t recording_of(struct kineto *k, const struct event *e, uint32_t context)
{
    bool fresh;
    struct cgt_event record = {.correlation = loose_u32(e->args[WAIT_RECORD], 0),
                               .context = context,
                               .stream = loose_u32(e->args[WAIT_STREAM], CGT_NONE),
                               .event = loose_u32(e->args[WAIT_EVENT], 0)};
    if (record.correlation == 0 || record.stream == CGT_NONE)
        return UINT64_MAX;
    record.event_sync = record.correlation;
    idmap_get(&k->events, (uint64_t)k->image->pid << 32 | record.correlation, &fresh);
    if (fresh)
        writer_add(k->image->writer, CGT_EVENT, &record);
    return record.event_sync;
}

static void read_sync(struct kineto *k, struct event *e)
{
    static const struct word_row types[] = {
        {"Stream Wait Event", CGT_SYNC_STREAM_WAIT}, {"Event Sync", CGT_SYNC_EVENT}, {"Stream Sync", CGT_SYNC_STREAM},
        {"Context Sync", CGT_SYNC_CONTEXT}, {"Device Sync", CGT_SYNC_CONTEXT}, {NULL, 0}};
    char kind[64];
    const char *rest;
    const char *text = e->args[SYNC_KIND].at != NULL ? loose_text(e->args[SYNC_KIND], kind, sizeof kind) : e->name;
    struct cgt_sync sync = {.begin_ns = e->begin_ns,
                            .end_ns = e->end_ns,
                            .correlation = loose_u32(e->args[CORRELATION], 0),
                            .type = word_find(types, text, &rest),
                            .context = loose_u32(e->args[CONTEXT], CGT_NONE),
                            .stream = loose_u32(e->args[STREAM], CGT_NONE),
                            .event = loose_u32(e->args[WAIT_EVENT], 0)};
    sync.event_sync = recording_of(k, e, sync.context);
    if (sync.type != 0)
        writer_add(k->image->writer, CGT_SYNC, &sync);
}

static void read_overhead(struct kineto *k, struct event *e)
{
    static const struct word_row kinds[] = {{"Compiler", CGT_OVERHEAD_COMPILER},
                                            {"Buffer Flush", CGT_OVERHEAD_BUFFER_FLUSH},
                                            {"Instrumentation", CGT_OVERHEAD_INSTRUMENTATION},
                                            {"Resource", CGT_OVERHEAD_RESOURCE},
                                            {"Module Loading", CGT_OVERHEAD_MODULE_LOAD},
                                            {"Lazy Function", CGT_OVERHEAD_FUNCTION_LOAD},
                                            {"Command Buffer Full", CGT_OVERHEAD_COMMAND_BUFFER_FULL},
                                            {"Buffer Request", CGT_OVERHEAD_BUFFER_REQUEST},
                                            {NULL, 0}};
    const char *rest;
    struct loose thread = e->args[THREAD].at != NULL ? e->args[THREAD] : e->fields[TID];
    struct cgt_overhead overhead = {.begin_ns = e->begin_ns,
                                    .end_ns = e->end_ns,
                                    .kind = word_find(kinds, e->name, &rest),
                                    .thread = loose_u32(thread, 0),
                                    .correlation = loose_u32(e->args[CORRELATION], 0)};
    overhead.thread = overhead.thread == 0 ? CGT_NONE : overhead.thread;
    if (overhead.kind != 0)
        writer_add(k->image->writer, CGT_OVERHEAD, &overhead);
}

/* Kineto's annotations nest; what our own exports say of NVTX ranges comes back. */
static void read_annotation(struct kineto *k, struct event *e)
{
    char domain[256] = "";
    if (e->args[DOMAIN].at != NULL)
        loose_text(e->args[DOMAIN], domain, sizeof domain);
    const struct cgt_range range = {.begin_ns = e->begin_ns, .end_ns = e->end_ns, .thread = thread_of(e),
                                    .type = loose_u32(e->args[TYPE], CGT_RANGE_PUSHED), .name = name_id(k, e),
                                    .domain = writer_string(k->image->writer, domain),
                                    .color = loose_u32(e->args[COLOR], 0), .open = loose_u32(e->args[OPEN], 0)};
    image_add(k->image, CGT_RANGE, &range);
}

static void read_pause(struct kineto *k, struct event *e)
{
    const struct cgt_pause pause = {e->begin_ns, e->end_ns, loose_u32(e->args[REASON], 0), 0};
    writer_add(k->image->writer, CGT_PAUSE, &pause);
}

/* Kineto names a thread "thread 500 (python)", our exports one without a name "thread 500": its number is known
 * already. */
static void thread_name_trim(char *name)
{
    int number = 0, open = 0;
    size_t length = strlen(name);
    sscanf(name, "thread %*u%n (%n", &number, &open);
    if (open > 0 && name[length - 1] == ')') {
        name[length - 1] = '\0';
        memmove(name, name + open, length - (size_t)open);
    } else if (number > 0 && name[number] == '\0') {
        name[0] = '\0';
    }
}

/* Names of threads come as metadata; rows of GPU streams, and what overlaps or nests beside a thread's calls, are named
 * too, by what they are: those are no threads. */
static void read_metadata(struct kineto *k, struct event *e)
{
    static const char *const keys[] = {"name", "extra_row", NULL};
    struct loose name[2] = {{0}};
    int64_t id;
    if (e->fields[ARGS].at == NULL || !loose_is(e->fields[NAME], "thread_name") || !loose_integer(e->fields[TID], &id))
        return;
    loose_pick(e->fields[ARGS], keys, name);
    if (name[0].at == NULL || name[1].at != NULL || id < 0 || id >= UINT32_MAX)
        return;
    loose_text(name[0], e->name, sizeof e->name);
    thread_name_trim(e->name);
    const struct cgt_thread thread = {(uint32_t)id, name_id(k, e)};
    if (e->name[0] != '\0' && strncmp(e->name, "stream ", 7) != 0)
        writer_add(k->image->writer, CGT_THREAD, &thread);
}

/* Categories, without regard to case: very old files begin them with a capital. */
static const struct category {
    const char *name;
    void (*read)(struct kineto *k, struct event *e);
    bool counts; /* without usable times it is a loss */
} categories[] = {
    {"kernel", read_kernel, true},
    {"gpu_memcpy", read_copy, true},
    {"memcpy", read_copy, true},
    {"gpu_memset", read_memset, true},
    {"memset", read_memset, true},
    {"cuda_runtime", read_runtime, true},
    {"runtime", read_runtime, true},
    {"cuda_driver", read_driver, true},
    {"cuda_graph", read_graph, true},
    {"cuda_sync", read_sync, false},
    {"overhead", read_overhead, false},
    {"user_annotation", read_annotation, false},
    {"not_recorded", read_pause, false}, /* our own */
};

bool kineto_select(struct kineto *k, uint32_t process)
{
    if (k->image == NULL || k->image->pid != process)
        k->image = image_get(k->set, process);
    return k->image != NULL;
}

/* Selects the process of a metadata event, where the file numbered its processes before. Rows of devices are none of
 * them. */
static bool select_by_pid(struct kineto *k, const struct event *e)
{
    uint32_t pid = loose_u32(e->fields[PID], 0);
    bool numbered = k->set->count > 0 && k->set->items[0].pid != 0;
    for (uint32_t i = 0; i < k->set->count; i++)
        if (k->set->items[i].pid == pid)
            return kineto_select(k, pid);
    return !numbered && kineto_select(k, 0);
}

static const struct category *category_find(struct loose text)
{
    size_t length = (size_t)(text.end - text.at);
    if (length < 2)
        return NULL;
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (strlen(categories[i].name) == length - 2 && strncasecmp(text.at + 1, categories[i].name, length - 2) == 0)
            return &categories[i];
    return NULL;
}

/* Finds the category without reading the rest: two events of three are of no interest, and long. */
static struct loose category_text(struct loose event, bool *ret_metadata)
{
    struct loose items, key, value;
    *ret_metadata = false;
    if (!loose_enter(event, '{', &items))
        return (struct loose){0};
    while (loose_member(&items, &key, &value)) {
        if (loose_is(key, "cat"))
            return value;
        *ret_metadata = *ret_metadata || (loose_is(key, "ph") && loose_is(value, "M"));
    }
    return (struct loose){0};
}

static bool times_read(struct event *e)
{
    int64_t duration;
    return loose_us(e->fields[TS], &e->begin_ns) && loose_us(e->fields[DUR], &duration) && duration >= 0 &&
           e->begin_ns >= 0 && !__builtin_add_overflow(e->begin_ns, duration, &e->end_ns) &&
           e->end_ns < INT64_MAX / 2 && e->end_ns > 0;
}

void kineto_event_read(struct kineto *k, struct loose text)
{
    bool metadata;
    struct loose name = category_text(text, &metadata);
    const struct category *category = name.at != NULL ? category_find(name) : NULL;
    if (category == NULL && !metadata)
        return;
    struct event e;
    memset(e.fields, 0, sizeof e.fields);
    memset(e.args, 0, sizeof e.args);
    loose_pick(text, field_keys, e.fields);
    if (category == NULL) {
        if (select_by_pid(k, &e))
            read_metadata(k, &e);
        return;
    }
    if (e.fields[PH].at == NULL || !loose_is(e.fields[PH], "X"))
        return; /* flows and marks carry categories too */
    if (!times_read(&e)) {
        k->invalid += category->counts;
        return;
    }
    if (e.fields[ARGS].at != NULL)
        loose_pick(e.fields[ARGS], arg_keys, e.args);
    e.name[0] = '\0';
    if (e.fields[NAME].at != NULL)
        loose_text(e.fields[NAME], e.name, sizeof e.name);
    if (kineto_select(k, loose_u32(e.args[PROCESS], 0)))
        category->read(k, &e);
}
