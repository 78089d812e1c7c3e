/* Records of a Chrome JSON file that are no spans of a lane: waits, overheads, pauses. They get rows of their own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chrome.h"
#include "nest.h"
#include "timeline/import/idmap.h"
#include "timeline/model_build.h"

/* Rows of one group: a few for each stream or thread, since what overlaps does not always nest. */
struct rows {
    struct idmap index; /* key of a stream or thread -> position + 1 */
    uint64_t *keys;
    struct nest *nests;
    uint32_t count, capacity;
    enum chrome_group group;
    uint32_t process;
};

#define KEY_NOT_RECORDED (UINT64_C(1) << 32) /* beyond all ids of streams and threads */

static void rows_finish(struct rows *r)
{
    idmap_finish(&r->index);
    free(r->keys);
    free(r->nests);
}

static void *grown(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (memory == NULL)
        abort();
    return memory;
}

static uint32_t rows_find(struct rows *r, uint64_t key)
{
    bool fresh;
    uint32_t *position = idmap_get(&r->index, key + 1, &fresh);
    if (!fresh)
        return *position - 1;
    *position = ++r->count;
    if (r->count > r->capacity) {
        r->capacity = r->capacity * 2 + 4;
        r->keys = grown(r->keys, r->capacity * sizeof *r->keys);
        r->nests = grown(r->nests, r->capacity * sizeof *r->nests);
    }
    r->keys[r->count - 1] = key;
    nest_init(&r->nests[r->count - 1]);
    return r->count - 1;
}

static uint32_t row_tid(const struct rows *r, uint32_t at, uint32_t row)
{
    return row == 0 && r->keys[at] < CGT_NONE ? (uint32_t)r->keys[at] : chrome_extra_tid(at, row);
}

/* Where an event stands, and when: the rest of it follows. Events come in order of their begins. */
static void place_write(struct chrome *c, struct rows *r, uint64_t key, int64_t begin_ns, int64_t end_ns)
{
    uint32_t at = rows_find(r, key), row = nest_place(&r->nests[at], begin_ns, end_ns);
    out_printf(&c->out, "\"pid\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"ts\": ", chrome_pid(c, r->group, r->process),
               row_tid(r, at, row));
    out_us(&c->out, begin_ns - c->base_ns);
    out_text(&c->out, ", \"dur\": ");
    out_us(&c->out, end_ns - begin_ns);
    out_text(&c->out, ", \"args\": {");
    chrome_process(c, r->process);
}

static void rows_name(struct chrome *c, const struct rows *r)
{
    bool waits = r->group == CHROME_WAITS;
    char process[64], name[128];
    uint32_t pid = chrome_pid(c, r->group, r->process);
    if (r->count == 0)
        return;
    model_process_name(c->model, r->process, process, sizeof process);
    snprintf(name, sizeof name, "%s%s%s", process, process[0] != '\0' ? ", " : "", waits ? "waits" : "overhead");
    chrome_group_name(c, r->group, r->process, pid, name);
    for (uint32_t at = 0; at < r->count; at++) {
        if (r->keys[at] == KEY_NOT_RECORDED)
            snprintf(name, sizeof name, "not recorded");
        else if (r->keys[at] == CGT_NONE)
            snprintf(name, sizeof name, "%s", waits ? "of no one stream" : "of no one thread");
        else
            snprintf(name, sizeof name, "%s %" PRIu32, waits ? "stream" : "thread", (uint32_t)r->keys[at]);
        for (uint32_t row = 0; row < r->nests[at].count; row++)
            chrome_row_name(c, pid, row_tid(r, at, row), at, name, true);
    }
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

static const char *const sync_names[] = {"", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};

static void sync_write(struct chrome *c, struct rows *rows, struct recordings *rec, const struct cgt_sync *sync)
{
    int64_t shift_ns = c->model->processes[rows->process].shift_ns;
    bool fresh;
    uint32_t at = sync->event_sync != UINT64_MAX ? *idmap_get(&rec->index, sync->event_sync, &fresh) : 0;
    chrome_event_begin(c);
    out_printf(&c->out, "{\"ph\": \"X\", \"cat\": \"cuda_sync\", \"name\": \"%s\", ", sync_names[sync->type]);
    place_write(c, rows, sync->stream, sync->begin_ns + shift_ns, sync->end_ns + shift_ns);
    out_printf(&c->out,
               "\"cuda_sync_kind\": \"%s\", \"correlation\": %" PRIu32 ", \"context\": %" PRId64
               ", \"stream\": %" PRId64 ", \"wait_on_cuda_event_id\": %" PRIu32,
               sync_names[sync->type], sync->correlation, sync->context == CGT_NONE ? -1 : (int64_t)sync->context,
               sync->stream == CGT_NONE ? -1 : (int64_t)sync->stream, sync->event);
    if (at > 0)
        out_printf(&c->out, ", \"wait_on_stream\": %" PRIu32 ", \"wait_on_cuda_event_record_corr_id\": %" PRIu32,
                   rec->list[at - 1]->stream, rec->list[at - 1]->correlation);
    out_text(&c->out, "}}");
}

static int sync_compare(const void *a, const void *b)
{
    const struct cgt_sync *const *x = a, *const *y = b;
    if ((*x)->begin_ns != (*y)->begin_ns)
        return (*x)->begin_ns < (*y)->begin_ns ? -1 : 1;
    return ((*x)->end_ns < (*y)->end_ns) - ((*x)->end_ns > (*y)->end_ns);
}

static bool sync_is_usable(const struct cgt_sync *s)
{
    return s->type != 0 && s->type < sizeof sync_names / sizeof *sync_names && s->begin_ns >= 0 &&
           s->end_ns >= s->begin_ns && s->end_ns <= TIME_LIMIT;
}

static void waits_write(struct chrome *c, uint32_t process)
{
    struct rows rows = {.group = CHROME_WAITS, .process = process};
    const struct reader *r = c->model->processes[process].reader;
    const struct cgt_sync **list = NULL;
    uint32_t count = 0, capacity = 0;
    struct recordings rec;
    recordings_read(&rec, r);
    FOR_EACH_RECORD(r, CGT_SYNC, cgt_sync, sync) {
        if (!sync_is_usable(sync))
            continue;
        if (count == capacity) {
            capacity = capacity * 2 + 64;
            list = grown(list, capacity * sizeof *list);
        }
        list[count++] = sync;
    }
    if (count > 0)
        qsort(list, count, sizeof *list, sync_compare);
    for (uint32_t i = 0; i < count; i++)
        sync_write(c, &rows, &rec, list[i]);
    rows_name(c, &rows);
    rows_finish(&rows);
    idmap_finish(&rec.index);
    free(rec.list);
    free(list);
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

static void overhead_write(struct chrome *c, struct rows *rows, const struct overhead *o)
{
    if (overhead_name(o->kind) == NULL)
        return;
    chrome_event_begin(c);
    out_printf(&c->out, "{\"ph\": \"X\", \"cat\": \"overhead\", \"name\": \"%s\", ", overhead_name(o->kind));
    place_write(c, rows, o->thread, o->begin_ns, o->end_ns);
    out_printf(&c->out, "\"thread\": %" PRId64 "}}", o->thread == CGT_NONE ? -1 : (int64_t)o->thread);
}

static void pause_write(struct chrome *c, struct rows *rows, const struct pause *p)
{
    chrome_event_begin(c);
    out_text(&c->out, "{\"ph\": \"X\", \"cat\": \"not_recorded\", \"name\": \"not recorded\", ");
    place_write(c, rows, KEY_NOT_RECORDED, p->begin_ns, p->end_ns);
    out_printf(&c->out, "\"reason\": %" PRIu32 "}}", p->reason);
}

static void overheads_write(struct chrome *c, uint32_t process)
{
    const struct model *m = c->model;
    struct rows rows = {.group = CHROME_OVERHEADS, .process = process};
    for (uint32_t i = 0; i < m->overhead_count; i++)
        if (m->overheads[i].process == process)
            overhead_write(c, &rows, &m->overheads[i]);
    for (uint32_t i = 0; i < m->pause_count; i++)
        if (m->pauses[i].process == process)
            pause_write(c, &rows, &m->pauses[i]);
    rows_name(c, &rows);
    rows_finish(&rows);
}

void chrome_records(struct chrome *c)
{
    for (uint32_t process = 0; process < c->model->process_count; process++) {
        waits_write(c, process);
        overheads_write(c, process);
    }
}
