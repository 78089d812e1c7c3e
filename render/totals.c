#include "totals.h"

#include "timeline/sweep.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
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
    totals->graphs += span->kind == SPAN_GRAPH;
    if (span->kind == SPAN_COPY)
        count_copy(model, span, totals);
}

static void count_row(const struct panel *panel, const struct row *row, struct sweep *sweep, struct totals *totals)
{
    const struct scale *scale = &panel->scale;
    for (uint32_t i = row->first; i < row->last; i++) {
        const struct span *span = &panel->model->spans[i];
        if (!panel_shows(panel, span->begin_ns, span->end_ns))
            continue;
        count_span(panel->model, span, totals);
        sweep_add(sweep, larger(span->begin_ns, scale->begin_ns), smaller(span->end_ns, scale->end_ns));
    }
}

struct totals totals_count(const struct panel *panel)
{
    struct totals totals = {0};
    struct sweep sweep;
    const struct lane *before = NULL;
    uint32_t of_device = 0;
    sweep_init(&sweep);
    for (uint32_t r = 0; r < panel->row_count; r++) {
        const struct lane *lane = &panel->model->lanes[panel->rows[r].lane];
        if (lane->kind != LANE_STREAM)
            continue;
        bool same = before != NULL && before->process == lane->process && before->device == lane->device;
        of_device = same ? of_device + 1 : 1;
        totals.streams = of_device > totals.streams ? of_device : totals.streams;
        before = lane;
        count_row(panel, &panel->rows[r], &sweep, &totals);
    }
    sweep_sort(&sweep);
    totals.busy_ns = sweep_time(&sweep, 1, NULL, NULL, NULL);
    totals.overlap_ns = sweep_time(&sweep, 2, NULL, NULL, NULL);
    sweep_finish(&sweep);
    int64_t begin_ns = larger(panel->scale.begin_ns, panel->model->begin_ns);
    int64_t end_ns = smaller(panel->scale.end_ns, panel->model->end_ns);
    totals.window_ns = end_ns - begin_ns;
    if (panel->model->process_count == 1)
        totals.window_ns -= model_paused_ns(panel->model, 0, begin_ns, end_ns);
    return totals;
}
