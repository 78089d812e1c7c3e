/* Draws the spans of a row as bars of their own, from three pixels on; narrower ones are left to crowd.c. */
#include "bars.h"

#include <math.h>
#include <stdio.h>

#include "looks.h"
#include "panel.h"

/* A label is cut to no less than this share of it, and to no less than CUT_PX. Of calls, whose
 * colour says most, it is not cut. */
static const double LEAST_LABEL = 0.4, LEAST_CALL_LABEL = 1;

enum {
    SPACED_PX = 4, /* from this width on a bar leaves a pixel to the one before it */
    LABEL_PX = 18, /* narrower bars get no label */
    CUT_PX = 60,
    LABEL_PAD = 3, /* px on each side of a label */
};

bool span_extent(const struct panel *panel, uint32_t index, struct extent *ret_extent)
{
    const struct span *span = &panel->model->spans[index];
    if (!panel_shows(panel, span->begin_ns, span->end_ns))
        return false;
    *ret_extent = scale_extent(&panel->scale, span->begin_ns, span->end_ns);
    return true;
}

/* `last_right`: where the bar before it on the same sub-row ended. */
static void draw_bar(const struct panel *panel, struct box box, const struct span_look *look, double *last_right)
{
    box.left = round(box.left);
    box.right = round(box.right);
    if (box.left <= *last_right && box.right - box.left >= SPACED_PX)
        box.left = *last_right + 1;
    *last_right = box.right;
    panel->figure->seen_bar[look->fill] = true;
    panel->figure->seen_staged |= look->is_staged;
    scene_add(panel->figure->scene, (struct scene_op){.kind = SCENE_RECT,
                                                      .slot = look->fill,
                                                      .ink = SLOT_STAGED_INK,
                                                      .pattern = look->is_staged ? PATTERN_HATCH : PATTERN_NONE,
                                                      .x = box.left,
                                                      .y = box.top,
                                                      .w = box.right - box.left,
                                                      .h = box.bottom - box.top});
}

static void draw_row(const struct panel *panel, const struct row *row)
{
    double last_right[ROW_SUBROWS];
    struct extent extent;
    for (uint32_t s = 0; s < ROW_SUBROWS; s++)
        last_right[s] = -1;
    crowd_draw(panel, row);
    for (uint32_t i = row->first; i < row->last; i++) {
        if (!span_extent(panel, i, &extent) || extent.right - extent.left < BAR_PX)
            continue;
        struct span_look look = span_look(panel->model, &panel->model->spans[i]);
        double top = row_bar_top(row, i);
        draw_bar(panel, (struct box){extent.left, top, extent.right, top + row->bar_height}, &look,
                 &last_right[row->subrow[i - row->first]]);
    }
}

void bars_draw(const struct panel *panel)
{
    for (uint32_t i = 0; i < panel->row_count; i++)
        draw_row(panel, &panel->rows[i]);
}

/* "H→D 8.5 GB/s"; "" if the span is no copy or has no length. */
static const char *copy_text(const struct panel *panel, const struct span *span, const char *label, char *buf, int size)
{
    char rate[32];
    buf[0] = '\0';
    if (span->kind != SPAN_COPY || span->end_ns <= span->begin_ns)
        return buf;
    double bytes = (double)model_copy(panel->model, span)->bytes;
    rate_text(bytes / (double)(span->end_ns - span->begin_ns), rate, sizeof rate);
    snprintf(buf, (size_t)size, "%s %s", label, rate);
    return buf;
}

struct label_room {
    struct box bar;
    struct span_look look;
    enum text_style style;
    double least_share; /* of the label that must be seen */
};

/* Writes the text into the middle of the bar if it has room there and nothing else lies there. */
static bool try_label(const struct panel *panel, const struct label_room *room, const char *text)
{
    struct figure *figure = panel->figure;
    double space = room->bar.right - room->bar.left - 2 * LABEL_PAD;
    double width = figure_text_width(figure, room->style, text);
    if (text[0] == '\0' || (width > space && space < fmax(CUT_PX, room->least_share * width)))
        return false;
    struct text_spot spot = {.x = (room->bar.left + room->bar.right) / 2,
                             .y = figure_baseline((room->bar.top + room->bar.bottom) / 2, room->style),
                             .style = room->style,
                             .slot = room->look.ink,
                             .anchor = ANCHOR_MIDDLE,
                             .max_width = space};
    struct box box = figure_text_box(&spot, fmin(width, space));
    if (boxes_hit(&figure->taken, box))
        return false;
    if (room->look.is_staged)
        figure_rect(figure, room->look.fill, (struct box){box.left - 4, box.top - 1, box.right + 4, box.bottom + 1});
    figure_text(figure, &spot, text);
    return true;
}

static void label_span(const struct panel *panel, const struct row *row, uint32_t index)
{
    const struct span *span = &panel->model->spans[index];
    struct extent extent;
    if (!span_extent(panel, index, &extent) || extent.right - extent.left < LABEL_PX)
        return;
    double top = row_bar_top(row, index);
    struct label_room room = {.bar = {extent.left, top, extent.right, top + row->bar_height},
                              .look = span_look(panel->model, span),
                              .style = row->bar_height >= 15 ? TEXT_BAR : TEXT_BAR_SMALL,
                              .least_share = span->kind == SPAN_CALL ? LEAST_CALL_LABEL : LEAST_LABEL};
    char label[256], rated[288];
    const char *name = model_span_label(panel->model, span, label, sizeof label);
    copy_text(panel, span, name, rated, sizeof rated);
    double space = extent.right - extent.left - 2 * LABEL_PAD;
    bool rate_fits = figure_text_width(panel->figure, room.style, rated) <= space;
    if (!rate_fits || !try_label(panel, &room, rated))
        try_label(panel, &room, name);
}

void bars_label(const struct panel *panel)
{
    for (uint32_t i = 0; i < panel->row_count; i++)
        for (uint32_t span = panel->rows[i].first; span < panel->rows[i].last; span++)
            label_span(panel, &panel->rows[i], span);
}
