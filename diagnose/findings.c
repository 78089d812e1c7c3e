#include <stdlib.h>
#include <string.h>

#include "causes.h"
#include "facts.h"
#include "timeline/parallel.h"

static void finding_add(struct run *run, enum cause cause, const struct facts *facts, int64_t cost_ns)
{
    struct diagnosis *d = run->out;
    int64_t wall = d->end_ns - d->begin_ns - d->paused_ns;
    if (facts->count == 0 || (double)cost_ns < cause_row(cause)->min_share * (double)wall)
        return;
    struct place *places = ARENA_NEW(run->arena, struct place, facts->place_count);
    memcpy(places, facts->places, facts->place_count * sizeof *places);
    d->findings[d->finding_count++] = (struct finding){
        .cause = cause,
        .confidence = facts->longest.confidence,
        .count = facts->count,
        .cost_ns = cost_ns,
        .text = cause == CAUSE_PAGEABLE_STAGING ? bus_sentence(run, facts_text(run, facts, cause_row(cause)->text))
                                                : facts_text(run, facts, cause_row(cause)->text),
        .advice = cause_row(cause)->advice,
        .predicted_wall_ns = -1,
        .places = places,
        .place_count = facts->place_count,
    };
}

static int finding_compare(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    if (x->cost_ns != y->cost_ns)
        return x->cost_ns > y->cost_ns ? -1 : 1;
    return (int)x->cause - (int)y->cause;
}

static void cannot_tell(struct run *run, enum cause cause, const char *needs)
{
    run->out->cannot_tell[run->out->cannot_tell_count++] = (struct cannot_tell){cause, needs};
}

static bool streams_unknown(const struct model *m)
{
    uint32_t streams = 0, unknown = 0;
    for (uint32_t i = 0; i < m->lane_count; i++) {
        streams += m->lanes[i].kind == LANE_STREAM;
        unknown += m->lanes[i].kind == LANE_STREAM && m->lanes[i].stream_flag == CGT_STREAM_UNKNOWN;
    }
    return streams > 1 && unknown > 0;
}

/* The program made streams wait for events, but the trace does not say which. */
static bool events_unknown(const struct model *m)
{
    for (uint32_t l = 0; l < m->lane_count; l++)
        for (uint32_t i = 0; m->lanes[l].kind == LANE_THREAD && m->event_count == 0 && i < m->lanes[l].count; i++)
            if (m->spans[m->lanes[l].first + i].call_class == CALL_EVENT)
                return true;
    return false;
}

/* A kernel waited, nothing says for what, and whether the device had room for it cannot be reckoned. */
static bool limits_unknown(const struct run *run)
{
    uint32_t streams = 0;
    for (uint32_t l = 0; l < run->model->lane_count; l++)
        streams += run->model->lanes[l].kind == LANE_STREAM;
    bool asked = streams > 1 && run->out->lost_ns[CAUSE_UNEXPLAINED] > 0;
    for (uint32_t l = 0; l < run->model->lane_count && asked; l++)
        for (uint32_t i = 0; i < run->pieces[l].count; i++) {
            struct piece piece = piece_at(&run->pieces[l], i);
            const struct span *op = run_span(run, piece.operation);
            if (piece.cause == CAUSE_UNEXPLAINED && op->kind == SPAN_KERNEL && likely_share(run, op) <= 0)
                return true;
        }
    return false;
}

static void cannot_tell_build(struct run *run)
{
    const struct model *m = run->model;
    run->out->cannot_tell = ARENA_NEW(run->arena, struct cannot_tell, CAUSE_COUNT);
    if (streams_unknown(m))
        cannot_tell(run, CAUSE_LEGACY_DEFAULT_STREAM, "stream flags (which streams are blocking): record with cugantt");
    if (events_unknown(m))
        cannot_tell(run, CAUSE_EVENT_WAIT, "which event each stream waits for: record with cugantt");
    if (m->loss.unmatched + m->loss.unasked > 0)
        cannot_tell(run, CAUSE_HOST_BUSY, "the API calls that issued the operations: record runtime and driver calls");
    if (run->memory_unknown)
        cannot_tell(run, CAUSE_PAGEABLE_STAGING, "the kind of host memory of each copy: record with cugantt");
    else if (run->staged.count > 0 && run->staged.items[0].confidence == CONFIDENCE_POSSIBLE)
        cannot_tell(run, CAUSE_PAGEABLE_STAGING, "the pinned rate of this machine: a trace of `cugantt run probe`, for --probe, or a pinned copy of 1 MiB or more in this one");
    if (limits_unknown(run))
        cannot_tell(run, CAUSE_DEVICE_FULL, "what each device holds (multiprocessors, warps): record with cugantt");
    if (m->loss.dropped > 0 || m->loss.skipped_blocks > 0 || m->loss.truncated_bytes > 0)
        cannot_tell(run, CAUSE_UNEXPLAINED, "a whole trace: records of this one were lost");
}

enum { SUM_FACTS, SUM_UNIONS, SUM_COUNT };

struct sums {
    struct run *run;
    struct facts *facts;
    int64_t cost_ns[CAUSE_COUNT];
};

/* Of the two only the facts take from the arena. */
static void sum(void *sums, uint32_t which)
{
    struct sums *s = sums;
    if (which == SUM_FACTS)
        facts_gather(s->run, s->facts);
    else
        pieces_unions(s->run, s->cost_ns);
}

void findings_build(struct run *run)
{
    struct diagnosis *d = run->out;
    struct facts *facts = ARENA_NEW(run->arena, struct facts, CAUSE_COUNT);
    struct sums sums = {.run = run, .facts = facts};
    int64_t *cost_ns = sums.cost_ns;
    parallel_for(SUM_COUNT, sum, &sums);
    /* staged copies lose only what pinned memory would have saved of them */
    cost_ns[CAUSE_PAGEABLE_STAGING] = d->lost_ns[CAUSE_PAGEABLE_STAGING];
    d->findings = ARENA_NEW(run->arena, struct finding, CAUSE_COUNT);
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        if (cause != CAUSE_PAGEABLE_STAGING)
            d->lost_ns[cause] = facts[cause].total_ns;
        finding_add(run, (enum cause)cause, &facts[cause], cost_ns[cause]);
    }
    qsort(d->findings, d->finding_count, sizeof *d->findings, finding_compare);
    cannot_tell_build(run);
}
