#include "pass.h"

#include <stdlib.h>

static const struct release no_release = {INT64_MIN, MODEL_NONE};

static void release_raise(struct release *to, struct release by)
{
    if (by.time_ns > to->time_ns)
        *to = by;
}

static struct event_state *event_slot(struct pass *p, const struct event_mark *mark)
{
    uint64_t hash = (mark->event_sync + mark->process) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(hash >> 32) & (p->event_slots - 1);
    for (;; at = (at + 1) & (p->event_slots - 1)) {
        struct event_state *e = &p->events[at];
        if (e->event_sync == UINT64_MAX || (e->event_sync == mark->event_sync && e->process == mark->process))
            return e;
    }
}

static void mark_apply(struct pass *p, const struct event_mark *mark)
{
    if (mark->lane == MODEL_NONE || mark->event_sync == UINT64_MAX)
        return;
    struct stream_state *stream = &p->streams[mark->lane];
    struct event_state *event = event_slot(p, mark);
    if (mark->is_wait) {
        if (event->event_sync == mark->event_sync)
            release_raise(&stream->waited, event->done);
        return;
    }
    event->event_sync = mark->event_sync;
    event->process = mark->process;
    event->done = stream->done;
    release_raise(&event->done, stream->waited);
}

void pass_init(struct pass *p, struct run *run)
{
    const struct model *m = run->model;
    *p = (struct pass){.run = run,
                       .streams = malloc((m->lane_count + 1) * sizeof *p->streams),
                       .contexts = malloc((m->lane_count + 1) * sizeof *p->contexts)};
    if (p->streams == NULL || p->contexts == NULL)
        abort();
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *lane = &m->lanes[i];
        uint32_t c = 0;
        while (c < p->context_count &&
               (p->contexts[c].process != lane->process || p->contexts[c].context != lane->context))
            c++;
        if (c == p->context_count)
            p->contexts[p->context_count++] = (struct context_state){lane->process, lane->context, no_release, no_release};
        p->streams[i] = (struct stream_state){.done = no_release, .waited = no_release, .context = c, .last = MODEL_NONE};
    }
    uint32_t recordings = 0; /* only these take a slot */
    for (uint32_t i = 0; i < m->event_count; i++)
        recordings += !m->events[i].is_wait;
    p->event_slots = 64;
    while (p->event_slots / 4 * 3 < recordings)
        p->event_slots *= 2;
    p->events = malloc(p->event_slots * sizeof *p->events);
    if (p->events == NULL)
        abort();
    for (uint32_t i = 0; i < p->event_slots; i++)
        p->events[i] = (struct event_state){UINT64_MAX, 0, no_release};
}

void pass_finish(struct pass *p)
{
    free(p->streams);
    free(p->contexts);
    free(p->events);
}

void pass_reach(struct pass *p, const struct span *op)
{
    const struct model *m = p->run->model;
    int64_t issued = issue_ns(p->run, op);
    while (p->next_mark < m->event_count && m->events[p->next_mark].call_ns < issued)
        mark_apply(p, &m->events[p->next_mark++]);
}

void pass_holds(const struct pass *p, uint32_t index, struct hold ret_holds[PASS_HOLDS])
{
    const struct span *op = run_span(p->run, index);
    const struct stream_state *stream = &p->streams[op->lane];
    const struct context_state *context = &p->contexts[stream->context];
    uint32_t flag = p->run->model->lanes[op->lane].stream_flag;
    uint32_t engine = engine_blocker(p->run, index);
    ret_holds[0] = (struct hold){stream->waited, CAUSE_EVENT_WAIT, CONFIDENCE_PROVEN};
    ret_holds[1] = (struct hold){flag == CGT_STREAM_NULL       ? context->blocking
                                 : flag == CGT_STREAM_BLOCKING ? context->null
                                                               : no_release,
                                 CAUSE_LEGACY_DEFAULT_STREAM, CONFIDENCE_PROVEN};
    /* no record says that an engine was busy: that a copy starts where another ends does */
    ret_holds[2] = (struct hold){engine == MODEL_NONE ? no_release : (struct release){pass_end_ns(p, engine), engine},
                                 CAUSE_COPY_ENGINE_BUSY, CONFIDENCE_PROBABLE};
}

/* Copy in, compute, copy out: a step back starts a new chain of work, which may be independent of the one before. */
static uint8_t phase_of(const struct span *op)
{
    int direction = copy_direction(op);
    return direction == DIRECTION_HTOD ? 0 : direction == DIRECTION_DTOH ? 2 : 1;
}

bool pass_is_chain(const struct pass *p, uint32_t index)
{
    const struct span *op = run_span(p->run, index);
    const struct stream_state *stream = &p->streams[op->lane];
    return stream->last != MODEL_NONE && phase_of(op) == 0 && stream->phase > 0;
}

void pass_issue(struct pass *p, uint32_t index)
{
    const struct span *op = run_span(p->run, index);
    struct stream_state *stream = &p->streams[op->lane];
    struct context_state *context = &p->contexts[stream->context];
    uint32_t flag = p->run->model->lanes[op->lane].stream_flag;
    struct release done = {pass_end_ns(p, index), index};
    release_raise(&stream->done, done);
    stream->waited = no_release;
    stream->last = index;
    stream->phase = phase_of(op);
    if (flag == CGT_STREAM_BLOCKING)
        release_raise(&context->blocking, done);
    if (flag == CGT_STREAM_NULL)
        release_raise(&context->null, done);
}
