#include "audit.h"

#include <stdlib.h>

#include "merge.h"
#include "quantile.h"
#include "run.h"

enum { NEAR = 4096 }; /* how far a search looks back among the pieces of a stream */

/* A device while its operations are walked, and its time cut into windows. */
struct walk {
    struct audit_device *device;
    int64_t busy_until_ns;
    int64_t window_busy_ns[AUDIT_WINDOWS], window_idle_ns[AUDIT_WINDOWS][CAUSE_COUNT];
};

static void habit_add(struct audit *audit, const struct model *m, enum audit_habit habit, const struct span *span, uint64_t bytes)
{
    const struct span *held = span_is_operation(span) && span->peer != MODEL_NONE ? &m->spans[span->peer] : span;
    struct audit_calls *calls = &audit->habits[habit];
    calls->count++;
    calls->bytes += bytes;
    calls->host_ns += held->end_ns - held->begin_ns;
}

static void operation_audit(struct audit *audit, const struct model *m, const struct span *op)
{
    if (op->kind == SPAN_COPY) {
        const struct cgt_copy *copy = model_copy(m, op);
        if (copy->asynchronous == 0)
            habit_add(audit, m, AUDIT_SYNC_COPY, op, copy->bytes);
        else if (copy->source_kind == CGT_MEMORY_PAGEABLE || copy->target_kind == CGT_MEMORY_PAGEABLE)
            habit_add(audit, m, AUDIT_PAGEABLE_ASYNC, op, copy->bytes);
    }
    if (op->kind == SPAN_MEMSET && model_memset(m, op)->asynchronous == 0)
        habit_add(audit, m, AUDIT_SYNC_MEMSET, op, model_memset(m, op)->bytes);
}

static void habits_find(struct audit *audit, const struct model *m)
{
    for (uint32_t i = 0; i < m->span_count; i++) {
        const struct span *span = &m->spans[i];
        if (span_is_operation(span))
            operation_audit(audit, m, span);
        else if (span->kind == SPAN_CALL && span->call_class == CALL_SYNC)
            habit_add(audit, m, AUDIT_SYNC_CALL, span, 0);
    }
}

static int64_t window_begin_ns(const struct audit_device *device, int window)
{
    return device->begin_ns + (int64_t)((double)(device->end_ns - device->begin_ns) * window / AUDIT_WINDOWS);
}

/* Adds [begin, end) to one figure of each window: `figures` is that of the first, the next lies `stride` behind. */
static void windows_add(const struct audit_device *device, int64_t begin_ns, int64_t end_ns, int64_t *figures, int stride)
{
    double width = (double)(device->end_ns - device->begin_ns) / AUDIT_WINDOWS;
    int first = (int)((double)(begin_ns - device->begin_ns) / width) - 1;
    for (int w = first > 0 ? first : 0; w < AUDIT_WINDOWS && window_begin_ns(device, w) < end_ns; w++) {
        int64_t from = window_begin_ns(device, w), to = window_begin_ns(device, w + 1);
        from = from > begin_ns ? from : begin_ns;
        to = to < end_ns ? to : end_ns;
        figures[w * stride] += to > from ? to - from : 0;
    }
}

static void idle_add(struct walk *w, int64_t begin_ns, int64_t end_ns, enum cause cause)
{
    if (end_ns <= begin_ns)
        return;
    w->device->idle_ns[cause] += end_ns - begin_ns;
    windows_add(w->device, begin_ns, end_ns, &w->window_idle_ns[0][cause], CAUSE_COUNT);
}

/* The device was idle until this operation began: for what the operation waited for, as far as it was waiting. */
static void idle_explain(struct walk *w, const struct model *m, const struct diagnosis *d, uint32_t index)
{
    const struct span *op = &m->spans[index];
    const struct piece_list *list = &d->pieces[op->lane];
    int64_t begin = w->busy_until_ns, at = op->begin_ns;
    uint32_t low = 0, high = list->count;
    if (at - begin > w->device->longest_end_ns - w->device->longest_begin_ns) {
        w->device->longest_begin_ns = begin;
        w->device->longest_end_ns = at;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->items[middle].begin_ns < at)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i > 0 && low - i < NEAR && at > begin; i--) {
        struct piece p = piece_at(list, i - 1);
        if (p.operation != index || p.end_ns != at)
            continue;
        idle_add(w, p.begin_ns > begin ? p.begin_ns : begin, at, (enum cause)p.cause);
        at = p.begin_ns;
    }
    /* before its call, or in a pause */
    idle_add(w, begin, at, op->peer == MODEL_NONE ? CAUSE_UNEXPLAINED : CAUSE_HOST_BUSY);
}

static struct walk *walk_of(struct walk *walks, struct audit *audit, const struct lane *lane)
{
    for (uint32_t i = 0; i < audit->device_count; i++)
        if (audit->devices[i].process == lane->process && audit->devices[i].device == lane->device)
            return &walks[i];
    uint32_t at = audit->device_count++;
    audit->devices[at] = (struct audit_device){.process = lane->process, .device = lane->device, .begin_ns = INT64_MAX, .end_ns = INT64_MIN};
    walks[at] = (struct walk){.device = &audit->devices[at]};
    return &walks[at];
}

/* Devices, and the time of each. */
static void devices_find(struct audit *audit, struct walk *walks, const struct model *m)
{
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *lane = &m->lanes[i];
        if (lane->kind != LANE_STREAM || lane->count == 0)
            continue;
        struct audit_device *device = walk_of(walks, audit, lane)->device;
        for (uint32_t s = lane->first; s < lane->first + lane->count; s++) {
            device->begin_ns = m->spans[s].begin_ns < device->begin_ns ? m->spans[s].begin_ns : device->begin_ns;
            device->end_ns = m->spans[s].end_ns > device->end_ns ? m->spans[s].end_ns : device->end_ns;
        }
    }
    for (uint32_t i = 0; i < audit->device_count; i++)
        walks[i].busy_until_ns = audit->devices[i].begin_ns;
}

static void busy_add(struct walk *w, const struct span *op)
{
    int64_t begin = op->begin_ns > w->busy_until_ns ? op->begin_ns : w->busy_until_ns;
    if (op->end_ns <= begin)
        return;
    w->device->busy_ns += op->end_ns - begin;
    windows_add(w->device, begin, op->end_ns, w->window_busy_ns, 1);
    w->busy_until_ns = op->end_ns;
}

static enum cause most_of(const int64_t ns[CAUSE_COUNT])
{
    int most = 0;
    for (int cause = 1; cause < CAUSE_COUNT; cause++)
        most = ns[cause] > ns[most] ? cause : most;
    return (enum cause)most;
}

/* Windows that are busy for less than half, joined where they touch. */
static void periods_find(struct walk *w)
{
    struct audit_device *device = w->device;
    int64_t idle_ns[CAUSE_COUNT] = {0};
    bool low = false;
    for (int i = 0; i < AUDIT_WINDOWS && device->end_ns - device->begin_ns >= AUDIT_WINDOWS; i++) {
        int64_t begin = window_begin_ns(device, i), end = window_begin_ns(device, i + 1);
        bool joins = low;
        low = w->window_busy_ns[i] * 2 < end - begin;
        if (!low)
            continue;
        if (!joins) {
            for (int cause = 0; cause < CAUSE_COUNT; cause++)
                idle_ns[cause] = 0;
            device->periods[device->period_count++] = (struct audit_period){.begin_ns = begin};
        }
        struct audit_period *period = &device->periods[device->period_count - 1];
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            idle_ns[cause] += w->window_idle_ns[i][cause];
        period->end_ns = end;
        period->busy_ns += w->window_busy_ns[i];
        period->cause = most_of(idle_ns);
    }
}

static void devices_walk(struct audit *audit, const struct model *m, const struct diagnosis *d)
{
    const struct run run = {.model = m, .op_count = (uint32_t)m->operation_count,
                            .first_op = m->span_count - (uint32_t)m->operation_count};
    struct walk *walks = malloc((m->lane_count + 1) * sizeof *walks);
    struct merge merge;
    uint32_t index;
    if (walks == NULL)
        abort();
    devices_find(audit, walks, m);
    order_by_begin(&run, &merge);
    while (merge_next(&merge, &index, NULL)) {
        const struct span *op = &m->spans[index];
        struct walk *w = walk_of(walks, audit, &m->lanes[op->lane]);
        if (op->begin_ns > w->busy_until_ns)
            idle_explain(w, m, d, index);
        busy_add(w, op);
    }
    merge_finish(&merge);
    for (uint32_t i = 0; i < audit->device_count; i++)
        periods_find(&walks[i]);
    free(walks);
}

static void stream_audit(struct audit *audit, const struct model *m, uint32_t lane_index, struct quantiles *lengths)
{
    const struct lane *lane = &m->lanes[lane_index];
    struct audit_stream stream = {.lane = lane_index};
    uint32_t ended = lane->first;
    *lengths = (struct quantiles){0};
    for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
        if (m->spans[i].peer == MODEL_NONE)
            continue;
        int64_t issued = m->spans[m->spans[i].peer].begin_ns;
        while (ended < i && m->spans[ended].end_ns <= issued)
            ended++;
        uint32_t pending = i - ended;
        stream.count++;
        stream.none += pending == 0;
        stream.most = pending > stream.most ? pending : stream.most;
        quantile_add(lengths, pending);
    }
    stream.median = stream.none * 2 > stream.count ? 0 : (uint32_t)quantile_at(lengths, 0.5);
    if (stream.count > 0)
        audit->streams[audit->stream_count++] = stream;
}

void audit_find(const struct model *m, const struct diagnosis *d, struct arena *arena, struct audit *audit)
{
    struct quantiles *lengths = malloc(sizeof *lengths);
    if (lengths == NULL)
        abort();
    *audit = (struct audit){.devices = ARENA_NEW(arena, struct audit_device, m->lane_count + 1),
                            .streams = ARENA_NEW(arena, struct audit_stream, m->lane_count + 1)};
    habits_find(audit, m);
    if (m->operation_count > 0)
        devices_walk(audit, m, d);
    for (uint32_t i = 0; i < m->lane_count; i++)
        if (m->lanes[i].kind == LANE_STREAM)
            stream_audit(audit, m, i, lengths);
    free(lengths);
}

const char *audit_habit_text(enum audit_habit habit)
{
    static const char *const text[AUDIT_HABITS] = {"asynchronous copies of pageable memory", "synchronous copies", "synchronous memsets",
                                                   "synchronise calls"};
    return text[habit];
}
