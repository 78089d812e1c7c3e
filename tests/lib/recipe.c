#include "recipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "timeline/model.h"
#include "timeline/writer.h"

enum { MAX_WORDS = 24 };

struct line {
    struct writer *writer;
    const char *words[MAX_WORDS]; /* positional words */
    int count;
    const char *keys[MAX_WORDS], *values[MAX_WORDS]; /* key=value words */
    int key_count;
    const char *rest; /* everything behind the second word, for property */
    bool bad;
};

static const char *value_of(const struct line *l, const char *key)
{
    for (int i = 0; i < l->key_count; i++)
        if (strcmp(l->keys[i], key) == 0)
            return l->values[i];
    return NULL;
}

static uint32_t number_of(const struct line *l, const char *key, uint32_t otherwise)
{
    const char *v = value_of(l, key);
    return v ? (uint32_t)strtoul(v, NULL, 0) : otherwise;
}

static const char *word(struct line *l, int i)
{
    if (i < l->count)
        return l->words[i];
    l->bad = true;
    return "";
}

static uint32_t number(struct line *l, int i)
{
    char *end;
    const char *w = word(l, i);
    unsigned long v = strtoul(w, &end, 0);
    l->bad = l->bad || *w == '\0' || *end != '\0';
    return (uint32_t)v;
}

/* A number with a unit from `units` ("name=factor" pairs in parallel arrays, ends with NULL). */
static double scaled(struct line *l, const char *w, const char *const *units, const double *factors)
{
    char *end;
    double v = strtod(w, &end);
    for (int i = 0; units[i] != NULL; i++)
        if (strcmp(end, units[i]) == 0 && end != w)
            return v * factors[i];
    l->bad = true;
    return 0;
}

static int64_t time_of(struct line *l, const char *w)
{
    static const char *const units[] = {"", "ns", "us", "ms", "s", NULL};
    static const double factors[] = {1, 1, 1e3, 1e6, 1e9};
    char *end;
    long long whole = strtoll(w, &end, 10);
    if (end != w && *end == '\0')
        return whole; /* absolute times do not fit into a double */
    return (int64_t)scaled(l, w, units, factors);
}

static uint64_t bytes_of(struct line *l, const char *w)
{
    static const char *const units[] = {"", "K", "M", "G", NULL};
    static const double factors[] = {1, 1024, 1048576, 1073741824};
    return (uint64_t)scaled(l, w, units, factors);
}

static uint32_t choice(struct line *l, const char *w, const char *const *names, uint32_t first)
{
    for (uint32_t i = 0; names[i] != NULL; i++)
        if (strcmp(w, names[i]) == 0)
            return first + i;
    l->bad = true;
    return 0;
}

static uint32_t memory_kind(struct line *l, const char *w)
{
    static const char *const names[] = {"unknown", "pageable", "pinned", "device", "array", "managed", NULL};
    return choice(l, w, names, 0);
}

/* Fills the fields that all operations share: CORRELATION STREAM BEGIN END in words 1 to 4. */
static void operation(struct line *l, void *record)
{
    struct cgt_operation *op = record;
    op->correlation = number(l, 1);
    op->stream = number(l, 2);
    op->begin_ns = time_of(l, word(l, 3));
    op->end_ns = time_of(l, word(l, 4));
    op->context = number_of(l, "context", 1);
    op->device = number_of(l, "device", 0);
    op->channel = number_of(l, "channel", op->stream);
    op->graph = number_of(l, "graph", 0);
}

static void add_property(struct line *l)
{
    writer_property(l->writer, word(l, 1), l->rest);
}

static void add_device(struct line *l)
{
    const char *name = value_of(l, "name"), *pcie = value_of(l, "pcie");
    struct cgt_device d = {.id = number(l, 1),
                           .name = writer_string(l->writer, name ? name : "Test GPU"),
                           .sm_count = number_of(l, "sms", 132),
                           .copy_engines = number_of(l, "engines", 3),
                           .compute_major = 9,
                           .max_warps_per_sm = 64,
                           .max_blocks_per_sm = 32,
                           .registers_per_sm = 65536,
                           .shared_bytes_per_sm = 233472,
                           .threads_per_warp = 32};
    if (pcie != NULL && sscanf(pcie, "%ux%u", &d.pcie_generation, &d.pcie_lanes) != 2)
        l->bad = true;
    writer_add(l->writer, CGT_DEVICE, &d);
}

static void add_context(struct line *l)
{
    struct cgt_context c = {number(l, 1), number_of(l, "device", 0), number_of(l, "null", 7), 0};
    writer_add(l->writer, CGT_CONTEXT, &c);
}

static void add_stream(struct line *l)
{
    static const char *const flags[] = {"unknown", "blocking", "non-blocking", "null", NULL};
    struct cgt_stream s = {number_of(l, "context", 1), number(l, 1), (int32_t)number_of(l, "priority", 0),
                           choice(l, word(l, 2), flags, 0), number_of(l, "created", 0), 0};
    writer_add(l->writer, CGT_STREAM, &s);
}

static void add_thread(struct line *l)
{
    struct cgt_thread t = {number(l, 1), writer_string(l->writer, word(l, 2))};
    writer_add(l->writer, CGT_THREAD, &t);
}

static void add_call(struct line *l)
{
    struct cgt_call c = {.correlation = number(l, 1),
                         .begin_ns = time_of(l, word(l, 2)),
                         .end_ns = time_of(l, word(l, 3)),
                         .name = writer_string(l->writer, word(l, 4)),
                         .thread = number_of(l, "thread", 1),
                         .domain = strncmp(word(l, 4), "cuda", 4) == 0 ? CGT_CALL_RUNTIME : CGT_CALL_DRIVER};
    writer_add(l->writer, CGT_CALL, &c);
}

static void add_kernel(struct line *l)
{
    struct cgt_kernel k = {.name = writer_string(l->writer, word(l, 5)),
                           .grid = {number_of(l, "grid", 1), 1, 1},
                           .block = {number_of(l, "block", 1), 1, 1},
                           .registers_per_thread = number_of(l, "regs", 16),
                           .dynamic_shared_bytes = number_of(l, "shared", 0)};
    operation(l, &k);
    k.channel_type = CGT_CHANNEL_COMPUTE;
    writer_add(l->writer, CGT_KERNEL, &k);
}

static void add_copy(struct line *l)
{
    static const char *const kinds[] = {"unknown", "htod", "dtoh", "htoa", "atoh", "atoa",
                                        "atod",    "dtoa", "dtod", "htoh", "ptop", NULL};
    struct cgt_copy c = {.copy_kind = choice(l, word(l, 5), kinds, 0),
                         .source_kind = memory_kind(l, word(l, 6)),
                         .target_kind = memory_kind(l, word(l, 7)),
                         .bytes = bytes_of(l, word(l, 8)),
                         .asynchronous = number_of(l, "async", 1)};
    operation(l, &c);
    c.channel_type = number_of(l, "channel-type", CGT_CHANNEL_COPY_ENGINE);
    writer_add(l->writer, CGT_COPY, &c);
}

static void add_memset(struct line *l)
{
    struct cgt_memset s = {.bytes = bytes_of(l, word(l, 5)), .memory_kind = CGT_MEMORY_DEVICE, .asynchronous = 1};
    operation(l, &s);
    s.channel_type = CGT_CHANNEL_COMPUTE;
    writer_add(l->writer, CGT_MEMSET, &s);
}

static void add_graph(struct line *l)
{
    struct cgt_graph g = {0};
    operation(l, &g);
    g.graph = number(l, 5);
    g.channel = g.channel_type = 0; /* its nodes may have run anywhere */
    writer_add(l->writer, CGT_GRAPH, &g);
}

static void add_range(struct line *l)
{
    static const char *const types[] = {"pushed", "started", "mark", NULL};
    const char *type = value_of(l, "type"), *domain = value_of(l, "domain");
    struct cgt_range r = {.begin_ns = time_of(l, word(l, 1)),
                          .end_ns = time_of(l, word(l, 2)),
                          .thread = number_of(l, "thread", 1),
                          .type = choice(l, type ? type : "pushed", types, 1),
                          .name = writer_string(l->writer, word(l, 3)),
                          .domain = writer_string(l->writer, domain),
                          .color = number_of(l, "color", 0),
                          .open = number_of(l, "open", 0)};
    writer_add(l->writer, CGT_RANGE, &r);
}

static void add_pause(struct line *l)
{
    static const char *const reasons[] = {"delay", "range", "duration", "size", NULL};
    struct cgt_pause p = {.begin_ns = time_of(l, word(l, 1)),
                          .end_ns = time_of(l, word(l, 2)),
                          .reason = choice(l, word(l, 3), reasons, 1)};
    writer_add(l->writer, CGT_PAUSE, &p);
}

static void add_bus(struct line *l)
{
    struct cgt_bus b = {.begin_ns = time_of(l, word(l, 1)),
                        .end_ns = time_of(l, word(l, 2)),
                        .to_device_bytes = number(l, 3),
                        .from_device_bytes = number(l, 4),
                        .device = number_of(l, "device", 0),
                        .samples = number_of(l, "samples", 1)};
    writer_add(l->writer, CGT_BUS, &b);
}

static void add_sync(struct line *l)
{
    static const char *const types[] = {"event", "wait", "stream", "context", NULL};
    struct cgt_sync s = {.correlation = number(l, 1),
                         .begin_ns = time_of(l, word(l, 2)),
                         .end_ns = time_of(l, word(l, 3)),
                         .type = choice(l, word(l, 4), types, 1),
                         .context = number_of(l, "context", 1),
                         .stream = number_of(l, "stream", CGT_NONE),
                         .event = number_of(l, "event", CGT_NONE)};
    const char *id = value_of(l, "id");
    s.event_sync = id ? strtoull(id, NULL, 0) : UINT64_MAX;
    writer_add(l->writer, CGT_SYNC, &s);
}

static void add_event(struct line *l)
{
    const char *time = value_of(l, "time");
    struct cgt_event e = {.correlation = number(l, 1),
                          .stream = number(l, 2),
                          .event = number(l, 3),
                          .event_sync = number(l, 4),
                          .context = number_of(l, "context", 1),
                          .time_ns = time ? time_of(l, time) : 0};
    writer_add(l->writer, CGT_EVENT, &e);
}

static void add_overhead(struct line *l)
{
    static const char *const kinds[] = {"flush", "instrumentation", "resource", "module", "function", "full", "request", NULL};
    struct cgt_overhead o = {.begin_ns = time_of(l, word(l, 1)),
                             .end_ns = time_of(l, word(l, 2)),
                             .kind = choice(l, word(l, 3), kinds, 1) << 16,
                             .thread = number_of(l, "thread", CGT_NONE)};
    writer_add(l->writer, CGT_OVERHEAD, &o);
}

static void add_loss(struct line *l)
{
    static const char *const kinds[] = {"dropped", "invalid", "refused", "unknown", "write", "truncated", "malformed",
                                        "samples", NULL};
    struct cgt_loss loss = {.count = number(l, 2), .kind = choice(l, word(l, 1), kinds, 1)};
    writer_add(l->writer, CGT_LOSS, &loss);
}

static void add_clock(struct line *l)
{
    struct cgt_clock clock = {time_of(l, word(l, 1)), time_of(l, word(l, 2)), 0};
    writer_add(l->writer, CGT_CLOCK, &clock);
}

static void add_flush(struct line *l)
{
    l->bad = !writer_flush(l->writer, NULL);
}

static void add_end(struct line *l)
{
    l->bad = !writer_finish(l->writer, time_of(l, word(l, 1)), NULL);
}

static const struct {
    const char *name;
    void (*add)(struct line *);
} adders[] = {
    {"property", add_property}, {"device", add_device},     {"context", add_context}, {"stream", add_stream},
    {"thread", add_thread},     {"call", add_call},         {"kernel", add_kernel},   {"copy", add_copy},
    {"memset", add_memset},     {"sync", add_sync},         {"event", add_event},     {"overhead", add_overhead},
    {"loss", add_loss},         {"flush", add_flush},       {"end", add_end},
    {"clock", add_clock},       {"graph", add_graph},       {"range", add_range},     {"pause", add_pause},
    {"bus", add_bus},
};

static void split(struct line *l, char *text)
{
    for (char *save, *w = strtok_r(text, " \t", &save); w != NULL; w = strtok_r(NULL, " \t", &save)) {
        char *equals = strchr(w, '=');
        if (l->count + l->key_count == MAX_WORDS) {
            l->bad = true;
            return;
        }
        if (equals == NULL) {
            l->words[l->count++] = w;
            continue;
        }
        *equals = '\0';
        l->keys[l->key_count] = w;
        l->values[l->key_count++] = equals + 1;
    }
}

static bool line_add(struct writer *writer, const char *text)
{
    char copy[1024], again[1024] = "";
    struct line l = {.writer = writer};
    snprintf(copy, sizeof copy, "%s", text);
    sscanf(text, "%*s %*s %1023[^\n]", again);
    l.rest = again;
    split(&l, copy);
    if (l.count == 0 && l.key_count == 0)
        return true;
    for (size_t i = 0; i < sizeof adders / sizeof *adders; i++)
        if (strcmp(l.words[0], adders[i].name) == 0) {
            adders[i].add(&l);
            return !l.bad;
        }
    return false;
}

bool recipe_write(const char *text, const char *path, struct error *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return error_set(err, path, -1, "%s", strerror(errno));
    struct writer *writer = writer_create(fd, path, err);
    if (writer == NULL)
        return false;
    bool done = true;
    int number = 1;
    for (const char *p = text; *p != '\0' && done; number++) {
        char line[1024];
        size_t length = strcspn(p, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, p);
        line[strcspn(line, "#")] = '\0';
        if (!line_add(writer, line))
            done = error_set(err, path, -1, "recipe line %d: cannot read \"%s\"", number, line);
        p += length + (p[length] == '\n');
    }
    done = done && writer_flush(writer, err);
    writer_destroy(writer);
    return done;
}

struct model *recipe_models(const char *const *texts, int count)
{
    enum { MOST = 8 };
    char names[MOST][32], message[700];
    const char *paths[MOST] = {0};
    struct error err = {0};
    bool done = count <= MOST;
    for (int i = 0; i < count && done; i++) {
        strcpy(names[i], "/tmp/cugantt-recipe-XXXXXX");
        int fd = mkstemp(names[i]);
        if (fd >= 0)
            close(fd);
        paths[i] = names[i];
        done = recipe_write(texts[i], names[i], &err);
    }
    struct model *model = done ? model_load_files(paths, (uint32_t)count, &err) : NULL;
    for (int i = 0; i < count && i < MOST; i++)
        unlink(names[i]);
    if (model == NULL) {
        fprintf(stderr, "recipe: %s\n", error_text(&err, message, sizeof message));
        abort();
    }
    return model;
}

struct model *recipe_model(const char *text)
{
    return recipe_models(&text, 1);
}

char *recipe_read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    if (f == NULL)
        return NULL;
    if (getdelim(&text, &size, EOF, f) < 0) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}
