#include "summary.h"

#include "sweep.h"

enum { KERNELS, COPIES, BOTH, ALL, STREAMS, SWEEPS };

static const char *device_name(const struct model *m, uint32_t process, uint32_t id)
{
    for (uint32_t i = 0; i < m->device_count; i++)
        if (m->devices[i].process == process && m->devices[i].info.id == id)
            return m->devices[i].name;
    return "";
}

static void copy_count(struct device_summary *d, const struct model *m, const struct span *span)
{
    const struct cgt_copy *copy = model_copy(m, span);
    bool up = copy->copy_kind == CGT_COPY_HTOD || copy->copy_kind == CGT_COPY_HTOA;
    bool down = copy->copy_kind == CGT_COPY_DTOH || copy->copy_kind == CGT_COPY_ATOH;
    uint32_t kind = up ? copy->source_kind : down ? copy->target_kind : CGT_MEMORY_UNKNOWN;
    if (kind != CGT_MEMORY_PAGEABLE && kind != CGT_MEMORY_PINNED)
        return;
    struct copy_sum *sum = kind == CGT_MEMORY_PAGEABLE ? &d->pageable : &d->pinned;
    sum->count++;
    sum->bytes += copy->bytes;
    sum->ns += span->end_ns - span->begin_ns;
}

static void span_count(struct device_summary *d, const struct model *m, const struct span *span, struct sweep *sweeps)
{
    sweep_add(&sweeps[ALL], span->begin_ns, span->end_ns);
    if (span->kind == SPAN_MEMSET) {
        d->memsets++;
        return;
    }
    sweep_add(&sweeps[BOTH], span->begin_ns, span->end_ns);
    if (span->kind == SPAN_KERNEL || span->kind == SPAN_GRAPH) {
        d->kernels += span->kind == SPAN_KERNEL;
        d->graphs += span->kind == SPAN_GRAPH;
        sweep_add(&sweeps[KERNELS], span->begin_ns, span->end_ns);
        return;
    }
    d->copies++;
    sweep_add(&sweeps[COPIES], span->begin_ns, span->end_ns);
    copy_count(d, m, span);
}

/* Adds the stretches in which a stream was busy: what overlaps within one stream counts once. */
static void lane_add(const struct model *m, const struct lane *lane, struct sweep *streams)
{
    const struct span *span = &m->spans[lane->first];
    int64_t begin = span->begin_ns, end = span->end_ns;
    for (uint32_t i = 1; i < lane->count; i++) {
        span++;
        if (span->begin_ns > end) {
            sweep_add(streams, begin, end);
            begin = span->begin_ns;
        }
        end = span->end_ns > end ? span->end_ns : end;
    }
    sweep_add(streams, begin, end);
}

static void device_sum(const struct model *m, struct device_summary *d)
{
    struct sweep sweeps[SWEEPS];
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int i = 0; i < SWEEPS; i++)
        sweep_init(&sweeps[i]);
    for (uint32_t l = 0; l < m->lane_count; l++) {
        const struct lane *lane = &m->lanes[l];
        if (lane->kind != LANE_STREAM || lane->process != d->process || lane->device != d->id || lane->count == 0)
            continue;
        d->streams++;
        lane_add(m, lane, &sweeps[STREAMS]);
        for (uint32_t i = 0; i < lane->count; i++) {
            const struct span *span = &m->spans[lane->first + i];
            span_count(d, m, span, sweeps);
            first = span->begin_ns < first ? span->begin_ns : first;
            last = span->end_ns > last ? span->end_ns : last;
        }
    }
    for (int i = 0; i < SWEEPS; i++)
        sweep_sort(&sweeps[i]);
    d->kernel_busy_ns = sweep_time(&sweeps[KERNELS], 1, NULL, NULL, NULL);
    d->copy_busy_ns = sweep_time(&sweeps[COPIES], 1, NULL, NULL, NULL);
    d->copy_hidden_ns = d->kernel_busy_ns + d->copy_busy_ns - sweep_time(&sweeps[BOTH], 1, NULL, NULL, NULL);
    d->busy_ns = sweep_time(&sweeps[ALL], 1, NULL, NULL, NULL);
    d->multi_stream_ns = sweep_time(&sweeps[STREAMS], 2, NULL, NULL, NULL);
    d->span_ns = last - first;
    for (int i = 0; i < SWEEPS; i++)
        sweep_finish(&sweeps[i]);
}

struct device_summary *summary_build(const struct model *m, struct arena *arena, uint32_t *ret_count)
{
    struct device_summary *devices = ARENA_NEW(arena, struct device_summary, m->lane_count + 1);
    uint32_t count = 0;
    for (uint32_t l = 0; l < m->lane_count; l++) {
        const struct lane *lane = &m->lanes[l];
        if (lane->kind != LANE_STREAM || lane->count == 0)
            continue;
        /* lanes are sorted by process and device: a new device follows the last one */
        if (count > 0 && devices[count - 1].process == lane->process && devices[count - 1].id == lane->device)
            continue;
        devices[count++] = (struct device_summary){
            .process = lane->process, .id = lane->device, .name = device_name(m, lane->process, lane->device)};
    }
    for (uint32_t i = 0; i < count; i++)
        device_sum(m, &devices[i]);
    *ret_count = count;
    return devices;
}
