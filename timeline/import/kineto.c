#include "kineto.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kineto_event.h"
#include "stream.h"

enum { GIVE_UP = 16 }; /* that many broken events in a row: the rest is not what it seems */

struct file {
    struct stream *stream;
    struct kineto kineto;
    struct image_set *set;
    import_progress *progress;
    uint64_t told_bytes;  /* of the text, when the progress was told last */
    uint64_t malformed;   /* events that could not be taken apart, with whole ones behind them */
    uint64_t first_malformed;
    uint64_t cut_at;      /* where the text ends inside something; UINT64_MAX: it does not */
    int64_t base_ns;      /* baseTimeNanoseconds: times count from there */
};

static void property_u32(struct file *f, const char *key, struct loose value)
{
    char text[64];
    if (value.at != NULL)
        writer_property(f->kineto.image->writer, key, loose_text(value, text, sizeof text));
}

static void read_device(struct file *f, struct loose value)
{
    enum { ID, NAME, MEMORY, MAJOR, MINOR, SMS, WARP, THREADS, REGISTERS, SHARED, PCIE, LANES, ENGINES, COUNT };
    static const char *const keys[] = {"id",
                                       "name",
                                       "totalGlobalMem",
                                       "computeMajor",
                                       "computeMinor",
                                       "numSms",
                                       "warpSize",
                                       "maxThreadsPerMultiprocessor",
                                       "regsPerMultiprocessor",
                                       "sharedMemPerMultiprocessor",
                                       "pcieGeneration",
                                       "pcieLanes",
                                       "copyEngines",
                                       NULL};
    char name[128] = "";
    int64_t memory = 0;
    struct loose v[COUNT] = {{0}};
    loose_pick(value, keys, v);
    if (v[NAME].at != NULL)
        loose_text(v[NAME], name, sizeof name);
    loose_integer(v[MEMORY], &memory);
    struct cgt_device device = {
        .id = loose_u32(v[ID], CGT_NONE),
        .name = writer_string(f->kineto.image->writer, name),
        .compute_major = loose_u32(v[MAJOR], 0),
        .compute_minor = loose_u32(v[MINOR], 0),
        .sm_count = loose_u32(v[SMS], 0),
        .registers_per_sm = loose_u32(v[REGISTERS], 0),
        .shared_bytes_per_sm = loose_u32(v[SHARED], 0),
        .memory_bytes = memory > 0 ? (uint64_t)memory : 0,
        .threads_per_warp = loose_u32(v[WARP], 0),
        .pcie_generation = loose_u32(v[PCIE], 0),
        .pcie_lanes = loose_u32(v[LANES], 0),
        .copy_engines = loose_u32(v[ENGINES], 0),
    };
    if (device.threads_per_warp > 0)
        device.max_warps_per_sm = loose_u32(v[THREADS], 0) / device.threads_per_warp;
    if (device.id != CGT_NONE)
        writer_add(f->kineto.image->writer, CGT_DEVICE, &device);
}

static void read_devices(struct file *f, struct loose value)
{
    struct loose items, device;
    if (loose_enter(value, '[', &items))
        while (loose_element(&items, &device))
            read_device(f, device);
}

static void read_distributed(struct file *f, struct loose value)
{
    static const char *const keys[] = {"rank", NULL};
    struct loose rank[1] = {{0}};
    loose_pick(value, keys, rank);
    property_u32(f, "rank", rank[0]);
}

static void read_base(struct file *f, struct loose value)
{
    int64_t base;
    if (loose_integer(value, &base) && base >= 0)
        f->base_ns = base;
}

/* 13000 -> "13.0" */
static void read_cuda_driver(struct file *f, struct loose value)
{
    char text[32];
    uint32_t version = loose_u32(value, 0);
    snprintf(text, sizeof text, "%u.%u", version / 1000, version % 1000 / 10);
    if (version > 0)
        writer_property(f->kineto.image->writer, "cuda_driver", text);
}

static void read_streams(struct file *f, struct loose value)
{
    static const char *const keys[] = {"context", "id", "priority", "flag", "correlation", NULL};
    struct loose items, stream;
    if (!loose_enter(value, '[', &items))
        return;
    while (loose_element(&items, &stream)) {
        struct loose v[5] = {{0}};
        int64_t priority = 0;
        loose_pick(stream, keys, v);
        loose_integer(v[2], &priority);
        const struct cgt_stream record = {.context = loose_u32(v[0], CGT_NONE), .id = loose_u32(v[1], CGT_NONE),
                                          .priority = (int32_t)priority, .flag = loose_u32(v[3], 0),
                                          .correlation = loose_u32(v[4], 0)};
        writer_add(f->kineto.image->writer, CGT_STREAM, &record);
    }
}

static void read_properties(struct file *f, struct loose value)
{
    struct loose items, key, text;
    char name[128], content[1024];
    if (!loose_enter(value, '{', &items))
        return;
    while (loose_member(&items, &key, &text)) {
        loose_text(key, name, sizeof name);
        if (strcmp(name, "source") != 0)
            writer_property(f->kineto.image->writer, name, loose_text(text, content, sizeof content));
    }
}

static void read_loss(struct file *f, struct loose value)
{
    static const char *const keys[] = {"dropped", "invalid", "truncated", "malformed", NULL};
    static const enum cgt_loss_kind kinds[] = {CGT_LOSS_DROPPED, CGT_LOSS_INVALID, CGT_LOSS_TRUNCATED,
                                               CGT_LOSS_MALFORMED};
    struct loose v[4] = {{0}};
    loose_pick(value, keys, v);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int64_t count = 0;
        if (loose_integer(v[i], &count) && count > 0)
            image_loss(f->kineto.image, kinds[i], (uint64_t)count);
    }
}

static void read_processes(struct file *f, struct loose value);

/* Members of the file beside its events. Those of cugantt are our own exports'. */
static const struct member {
    const char *key;
    void (*read)(struct file *f, struct loose value);
    bool of_process; /* said of one process, not of the file */
} members[] = {
    {"deviceProperties", read_devices, true},
    {"distributedInfo", read_distributed, true},
    {"baseTimeNanoseconds", read_base, false},
    {"cuda_driver_version", read_cuda_driver, true},
    {"cuganttStreams", read_streams, true},
    {"cuganttProperties", read_properties, true},
    {"cuganttLoss", read_loss, true},
    {"cuganttProcesses", read_processes, false},
};

static void member_dispatch(struct file *f, uint32_t process, const char *key, struct loose value)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(key, members[i].key) == 0 && (!members[i].of_process || kineto_select(&f->kineto, process)))
            members[i].read(f, value);
}

/* One of several processes: what is said of it, in members of the same names. */
static void read_process(struct file *f, struct loose object)
{
    static const char *const keys[] = {"pid", "recordedPid", NULL};
    struct loose pid[2] = {{0}}, items, key, value;
    char name[64];
    loose_pick(object, keys, pid);
    if (!loose_enter(object, '{', &items) || !kineto_select(&f->kineto, loose_u32(pid[0], 0)))
        return;
    f->kineto.has_process = true;
    property_u32(f, "pid", pid[1].at != NULL ? pid[1] : pid[0]);
    while (loose_member(&items, &key, &value)) {
        loose_text(key, name, sizeof name);
        if (strcmp(name, "cuganttProcesses") != 0)
            member_dispatch(f, loose_u32(pid[0], 0), name, value);
    }
}

static void read_processes(struct file *f, struct loose value)
{
    struct loose items, process;
    if (loose_enter(value, '[', &items))
        while (loose_element(&items, &process))
            read_process(f, process);
}

static void tell_progress(struct file *f)
{
    enum { EVERY_BYTES = 1 << 22 };
    uint64_t bytes = stream_bytes_read(f->stream);
    if (f->progress == NULL || bytes < f->told_bytes + EVERY_BYTES)
        return;
    f->told_bytes = bytes;
    f->progress(stream_done(f->stream));
}

/* Steps over what cannot be taken apart. False where nothing behind it looks like an event. */
static bool skip_broken(struct file *f, uint32_t *in_a_row)
{
    if (*in_a_row == 0)
        f->cut_at = stream_offset(f->stream);
    return ++*in_a_row < GIVE_UP && stream_resync(f->stream);
}

static void malformed_add(struct file *f, uint64_t offset, uint32_t count)
{
    f->first_malformed = f->malformed == 0 ? offset : f->first_malformed;
    f->malformed += count;
}

static void read_events(struct file *f)
{
    uint32_t broken = 0; /* in a row */
    struct loose event;
    stream_skip(f->stream, 1);
    for (;;) {
        int c = stream_peek(f->stream);
        if (c == ']' && broken == 0) {
            stream_skip(f->stream, 1);
            return;
        }
        if (c == ',') {
            stream_skip(f->stream, 1);
            continue;
        }
        uint64_t at = stream_offset(f->stream);
        if (c < 0 && broken == 0)
            f->cut_at = at;
        if (c < 0)
            return;
        if (c != '{' || !stream_value(f->stream, &event)) {
            if (!skip_broken(f, &broken))
                return;
            continue;
        }
        if (broken > 0) {
            malformed_add(f, f->cut_at, broken);
            f->cut_at = UINT64_MAX;
            broken = 0;
        }
        if (loose_is_whole(event))
            kineto_event_read(&f->kineto, event);
        else
            malformed_add(f, at, 1);
        tell_progress(f);
    }
}

static void read_member(struct file *f, const char *key)
{
    struct loose value;
    uint64_t at = stream_offset(f->stream);
    if (strcmp(key, "traceEvents") == 0 && stream_peek(f->stream) == '[') {
        read_events(f);
        return;
    }
    if (!stream_value(f->stream, &value)) {
        f->cut_at = at;
        return;
    }
    member_dispatch(f, 0, key, value);
}

static void read_object(struct file *f)
{
    struct loose text;
    char key[64];
    stream_skip(f->stream, 1);
    while (f->cut_at == UINT64_MAX) {
        int c = stream_peek(f->stream);
        if (c == '}')
            return;
        if (c == ',') {
            stream_skip(f->stream, 1);
            continue;
        }
        uint64_t at = stream_offset(f->stream);
        if (c != '"' || !stream_value(f->stream, &text)) {
            f->cut_at = at;
            return;
        }
        loose_text(text, key, sizeof key);
        if (stream_peek(f->stream) == ':')
            stream_skip(f->stream, 1);
        stream_peek(f->stream);
        read_member(f, key);
    }
}

/* Puts the times on CLOCK_REALTIME. Files without a base count from the epoch themselves. */
static void write_clock(const struct file *f, struct image *image)
{
    if (f->base_ns > INT64_MAX / 4 || image->last_ns > INT64_MAX / 4)
        return;
    const struct cgt_clock clock = {image->first_ns, f->base_ns + image->first_ns, 0};
    writer_add(image->writer, CGT_CLOCK, &clock);
    image_started(image, clock.realtime_ns);
}

static void write_loss(struct file *f)
{
    struct image *image = &f->set->items[0];
    uint64_t end = stream_bytes_read(f->stream);
    const char *failure = stream_failure(f->stream);
    image_loss(image, CGT_LOSS_INVALID, f->kineto.invalid);
    image_loss(image, CGT_LOSS_MALFORMED, f->malformed);
    if (f->malformed > 0)
        image_warn(image, "offset %" PRIu64 ": %" PRIu64 " events could not be read: broken JSON; skipped",
                   f->first_malformed, f->malformed);
    if (f->kineto.duplicates > 0)
        image_warn(image, "%" PRIu64 " events were in the file twice: counted once", f->kineto.duplicates);
    if (f->cut_at == UINT64_MAX && failure == NULL)
        return;
    uint64_t at = f->cut_at < end ? f->cut_at : end;
    image_warn(image, "offset %" PRIu64 "%s: the file ends inside an event%s%s; all whole events before it were read",
               at, failure != NULL ? " of the unpacked text" : "", failure != NULL ? ": " : "",
               failure != NULL ? failure : "");
    image_loss(image, CGT_LOSS_TRUNCATED, end > at ? end - at : 1);
}

static bool read_file(struct file *f)
{
    int c = stream_peek(f->stream);
    if (c == 0xEF) { /* a byte order mark */
        stream_skip(f->stream, 3);
        c = stream_peek(f->stream);
    }
    if (c == '[')
        read_events(f);
    else if (c == '{')
        read_object(f);
    else
        return error_set(f->set->err, f->set->path, (int64_t)stream_offset(f->stream), "not a trace: %s",
                         c < 0 && stream_failure(f->stream) ? stream_failure(f->stream) : "the text in it is not JSON");
    if (f->set->count == 0 && !kineto_select(&f->kineto, 0))
        return false;
    write_loss(f);
    for (uint32_t i = 0; i < f->set->count; i++)
        write_clock(f, &f->set->items[i]);
    return true;
}

bool kineto_read(struct image_set *set, import_progress *progress)
{
    struct file f = {.set = set, .progress = progress, .cut_at = UINT64_MAX, .kineto = {.set = set}};
    set->source = "kineto";
    f.stream = stream_open(set->path, set->err);
    if (f.stream == NULL)
        return false;
    bool done = read_file(&f);
    idmap_finish(&f.kineto.seen);
    idmap_finish(&f.kineto.events);
    stream_close(f.stream);
    return done;
}
