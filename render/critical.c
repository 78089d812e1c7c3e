/* The critical path, as one line through the rows: below the bar of what ran or waited, from row to row where it changes. */
#include "panel.h"

enum { THICKNESS = 4 }; /* px */
static const double LEAST_APART = 1.5; /* px from one change of rows to the next that is drawn */

/* The stretch of the line that is being made: along one row. */
struct stretch {
    bool is_open;
    double left, right, y; /* px: y is the line's top */
};

static void rect(const struct panel *panel, struct box box)
{
    figure_rect(panel->figure, SLOT_CRITICAL, box);
    boxes_add(&panel->figure->taken, box);
}

static void stretch_draw(const struct panel *panel, const struct stretch *s)
{
    if (s->is_open)
        rect(panel, (struct box){s->left, s->y, s->right, s->y + THICKNESS});
}

/* The line's top in the row of the step; false if that row is not drawn. */
static bool step_y(const struct panel *panel, const struct critical_step *step, double *ret_y)
{
    uint32_t index = step->lane == MODEL_NONE ? MODEL_NONE : panel->row_of_lane[step->lane];
    if (index == MODEL_NONE)
        return false;
    const struct row *row = &panel->rows[index];
    bool is_drawn = step->span != MODEL_NONE && step->span >= row->first && step->span < row->last;
    double top = is_drawn ? row_bar_top(row, step->span) : row->bar_top;
    *ret_y = top + row->bar_height - THICKNESS / 2.0;
    return true;
}

/* From row to row, at the moment of the change; of many changes within a pixel the first. */
static void change_draw(const struct panel *panel, const struct stretch *s, double x, double y)
{
    double top = s->y < y ? s->y : y, bottom = s->y < y ? y : s->y;
    rect(panel, (struct box){x - THICKNESS / 4.0, top, x + THICKNESS / 4.0, bottom + THICKNESS});
}

void critical_draw(const struct panel *panel)
{
    const struct critical_path *path = panel->trace->critical;
    struct stretch s = {0};
    double changed = -1;
    for (uint32_t i = 0; path != NULL && i < path->count; i++) {
        const struct critical_step *step = &path->steps[i];
        double y;
        if (!panel_shows(panel, step->begin_ns, step->end_ns))
            continue;
        if (!step_y(panel, step, &y)) {
            stretch_draw(panel, &s);
            s.is_open = false;
            continue;
        }
        struct extent e = scale_extent(&panel->scale, step->begin_ns, step->end_ns);
        if (s.is_open && y != s.y && e.left - changed >= LEAST_APART) {
            s.right = e.left;
            stretch_draw(panel, &s);
            change_draw(panel, &s, e.left, y);
            changed = e.left;
            s.is_open = false;
        }
        if (!s.is_open)
            s = (struct stretch){true, e.left, e.right, y};
        s.right = e.right;
        panel->figure->seen_critical = true;
    }
    stretch_draw(panel, &s);
}
