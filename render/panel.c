#include "panel.h"

/* Share of the whole trace that is left free on both sides, so that the first and last bars stand clear. */
static const double WINDOW_PAD = 0.012;

static const int64_t FARTHEST_NS = INT64_C(1) << 60; /* 36 years */

/* The request's bounds are anything; so far from the trace they could only overflow. */
static int64_t bound_ns(const struct panel *panel, int64_t offset_ns)
{
    if (offset_ns > FARTHEST_NS)
        offset_ns = FARTHEST_NS;
    if (offset_ns < -FARTHEST_NS)
        offset_ns = -FARTHEST_NS;
    return panel->trace->begin_ns + offset_ns;
}

static void choose_window(struct panel *panel)
{
    const struct layout_trace *trace = panel->trace;
    const struct layout_request *request = panel->figure->request;
    struct scale *scale = &panel->scale;
    int64_t pad_ns = (int64_t)(WINDOW_PAD * (double)(trace->end_ns - trace->begin_ns)) + 1;
    scale->zero_ns = trace->begin_ns;
    scale->begin_ns = trace->begin_ns - pad_ns;
    scale->end_ns = trace->end_ns + pad_ns;
    if (request->from_ns != LAYOUT_AUTO)
        scale->begin_ns = bound_ns(panel, request->from_ns);
    if (request->to_ns != LAYOUT_AUTO)
        scale->end_ns = bound_ns(panel, request->to_ns);
}

bool panel_init(struct panel *panel, struct figure *figure, const struct layout_trace *trace, struct error *err)
{
    *panel = (struct panel){.figure = figure, .trace = trace, .model = trace->model};
    if (trace->model->operation_count == 0)
        return error_set(err, trace->path, -1, "no GPU work in this trace: nothing to draw");
    choose_window(panel);
    if (panel->scale.end_ns <= panel->scale.begin_ns)
        return error_set(err, trace->path, -1,
                         "nothing to draw: the window is not within the trace, which is %.4g ms long",
                         (double)(trace->end_ns - trace->begin_ns) / 1e6);
    if (!rows_choose(panel))
        return error_set(err, trace->path, -1, "no GPU work in the chosen window and streams: nothing to draw");
    strips_choose(panel);
    return true;
}

void panel_draw(struct panel *panel)
{
    findings_choose(panel);
    heading_draw(panel);
    rows_place(panel);
    strips_place(panel);
    rows_draw(panel);
    strips_ground(panel);
    axis_draw(panel);
    rows_label(panel);
    strips_label(panel);
    strips_draw(panel);
    pauses_draw(panel);
    gaps_draw(panel);
    bars_draw(panel);
    critical_draw(panel);
    marks_draw(panel);
    bars_label(panel);
    notes_draw(panel);
}

double row_bar_top(const struct row *row, uint32_t span)
{
    return row->bar_top + row->subrow[span - row->first] * row->bar_pitch;
}

const struct row *panel_row_of(const struct panel *panel, uint32_t span)
{
    if (span == MODEL_NONE)
        return NULL;
    uint32_t index = panel->row_of_lane[panel->model->spans[span].lane];
    if (index == MODEL_NONE)
        return NULL;
    const struct row *row = &panel->rows[index];
    return span >= row->first && span < row->last ? row : NULL;
}
