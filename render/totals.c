#include "totals.h"

/* Merges the streams by begin; `next` is each row's next span. */
struct sweep {
    const struct panel *panel;
    uint32_t *next;
    int64_t latest_end_ns;  /* of the spans so far */
    int64_t overlap_end_ns; /* up to here overlap was counted */
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool is_stream(const struct panel *panel, const struct row *row)
{
    return panel->model->lanes[row->lane].kind == LANE_STREAM;
}

static const struct span *next_span(struct sweep *sweep)
{
    const struct panel *panel = sweep->panel;
    uint32_t best = MODEL_NONE;
    for (uint32_t r = 0; r < panel->row_count; r++) {
        if (!is_stream(panel, &panel->rows[r]) || sweep->next[r] == panel->rows[r].last)
            continue;
        if (best == MODEL_NONE ||
            panel->model->spans[sweep->next[r]].begin_ns < panel->model->spans[sweep->next[best]].begin_ns)
            best = r;
    }
    return best == MODEL_NONE ? NULL : &panel->model->spans[sweep->next[best]++];
}

/* With spans sorted by begin, what a new one shares with any earlier one is what it shares with the latest to end. */
static void count_busy(struct sweep *sweep, const struct span *span, struct totals *totals)
{
    const struct scale *scale = &sweep->panel->scale;
    int64_t begin = larger(span->begin_ns, scale->begin_ns), end = smaller(span->end_ns, scale->end_ns);
    int64_t shared_end = smaller(end, sweep->latest_end_ns);
    totals->busy_ns += larger(0, end - larger(begin, sweep->latest_end_ns));
    totals->overlap_ns += larger(0, shared_end - larger(begin, sweep->overlap_end_ns));
    sweep->latest_end_ns = larger(sweep->latest_end_ns, end);
    sweep->overlap_end_ns = larger(sweep->overlap_end_ns, shared_end);
}

static void count_copy(const struct model *model, const struct span *span, struct totals *totals)
{
    uint64_t bytes = model_copy(model, span)->bytes;
    totals->copies++;
    totals->copied_bytes += bytes;
    totals->copied_ns += span->end_ns - span->begin_ns;
    if ((span->flags & SPAN_STAGED) != 0) {
        totals->staged_bytes += bytes;
        totals->staged_ns += span->end_ns - span->begin_ns;
    }
}

static void count_span(const struct model *model, const struct span *span, struct totals *totals)
{
    totals->kernels += span->kind == SPAN_KERNEL;
    totals->memsets += span->kind == SPAN_MEMSET;
    if (span->kind == SPAN_COPY)
        count_copy(model, span, totals);
}

struct totals totals_count(const struct panel *panel)
{
    struct totals totals = {0};
    const struct model *model = panel->model;
    struct sweep sweep = {panel, ARENA_NEW(panel->figure->arena, uint32_t, panel->row_count), panel->scale.begin_ns,
                          panel->scale.begin_ns};
    for (uint32_t r = 0; r < panel->row_count; r++) {
        sweep.next[r] = panel->rows[r].first;
        totals.streams += is_stream(panel, &panel->rows[r]);
    }
    for (const struct span *span = next_span(&sweep); span != NULL; span = next_span(&sweep)) {
        if (!panel_shows(panel, span->begin_ns, span->end_ns))
            continue;
        count_span(model, span, &totals);
        count_busy(&sweep, span, &totals);
    }
    totals.window_ns = smaller(panel->scale.end_ns, model->end_ns) - larger(panel->scale.begin_ns, model->begin_ns);
    return totals;
}
