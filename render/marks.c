/* Numbered badges at the places of the findings, and arrows from what was waited for. */
#include <math.h>

#include "looks.h"
#include "panel.h"

enum {
    ARROW_SAMPLES = 24,
    GAP_ROOM_PX = 26, /* from this width on a badge fits into the gap itself */
    SOON_PX = 8,      /* an operation that begins so much later began because of it */
};

static double row_middle(const struct row *row, uint32_t span)
{
    return row_bar_top(row, span) + row->bar_height / 2;
}

/* How far the curve swings out: enough to be seen as a curve, not so far that it runs over other bars. */
static double arrow_bend(double dx, double dy)
{
    return fmin(fmax(fabs(dx) / 2, 16), 40) * fmin(1, fmax(fabs(dy) / 40, 0.5));
}

static struct point arrow_point(const struct point p[4], double t)
{
    double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return (struct point){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

/* Keeps texts off the curve. */
static void reserve_arrow(struct figure *figure, const struct scene_op *arrow)
{
    struct point points[4];
    scene_arrow_points(arrow, points);
    for (int i = 0; i <= ARROW_SAMPLES; i++) {
        struct point p = arrow_point(points, (double)i / ARROW_SAMPLES);
        boxes_add(&figure->taken, (struct box){p.x - 3, p.y - 3, p.x + 3, p.y + 3});
    }
}

/* Where the curve goes: from the end of the blocker to the start of the operation. False if that cannot be shown: one
 * of them is not drawn, both lie on one row, or something else was waited for in between. */
static bool arrow_line(const struct panel *panel, const struct place *place, struct scene_op *ret_arrow)
{
    const struct row *from = panel_row_of(panel, place->blocker), *to = panel_row_of(panel, place->operation);
    if (from == NULL || to == NULL || from == to)
        return false;
    int64_t end_ns = panel->model->spans[place->blocker].end_ns;
    int64_t begin_ns = panel->model->spans[place->operation].begin_ns;
    double x = scale_x(&panel->scale, end_ns), to_x = scale_x(&panel->scale, begin_ns);
    bool is_last_wait = to_x - scale_x(&panel->scale, place->end_ns) < SOON_PX;
    if (!panel_shows(panel, end_ns, end_ns) || !panel_shows(panel, begin_ns, begin_ns) || x > to_x + 6 || !is_last_wait)
        return false;
    double y = row_middle(from, place->blocker), to_y = row_middle(to, place->operation);
    *ret_arrow = (struct scene_op){.kind = SCENE_ARROW,
                                   .slot = SLOT_BADGE,
                                   .x = x,
                                   .y = y,
                                   .w = to_x - x,
                                   .h = to_y - y,
                                   .bend = arrow_bend(to_x - x, to_y - y)};
    return true;
}

/* Of all waits for the same cause in front of the operation: the last, and the blocker that ended last before the
 * operation began. */
static struct place last_wait(const struct panel *panel, const struct place *place, enum cause cause)
{
    const struct span *spans = panel->model->spans;
    const struct piece_list *pieces = panel_pieces(panel, spans[place->operation].lane);
    struct place last = *place;
    int64_t released_ns = INT64_MIN;
    for (uint32_t i = 0; i < pieces->count; i++) {
        struct piece piece = piece_at(pieces, i);
        if (piece.operation != place->operation || piece.cause != cause)
            continue;
        last.end_ns = piece.end_ns > last.end_ns ? piece.end_ns : last.end_ns;
        if (piece.blocker == MODEL_NONE || spans[piece.blocker].end_ns > spans[place->operation].begin_ns ||
            spans[piece.blocker].end_ns <= released_ns)
            continue;
        last.blocker = piece.blocker;
        released_ns = spans[piece.blocker].end_ns;
    }
    return last;
}

static void draw_arrow(const struct panel *panel, const struct place *place, enum cause cause)
{
    struct scene_op arrow;
    struct place last = last_wait(panel, place, cause);
    if (!arrow_line(panel, &last, &arrow))
        return;
    scene_add(panel->figure->scene, arrow);
    reserve_arrow(panel->figure, &arrow);
}

static bool try_badge(const struct panel *panel, struct point at, uint32_t number)
{
    double r = FIGURE_BADGE_RADIUS;
    at.x = fmin(fmax(at.x, panel->scale.left + r), panel->scale.right - r);
    if (boxes_hit(&panel->figure->taken, (struct box){at.x - r - 1, at.y - r - 1, at.x + r + 1, at.y + r + 1}))
        return false;
    figure_badge(panel->figure, at.x, at.y, number);
    return true;
}

/* In stream order, the operation before may run for all of the wait. */
static bool gap_is_free(const struct panel *panel, const struct row *row, const struct place *place)
{
    uint32_t before = place->operation - 1;
    int64_t middle_ns = place->begin_ns + (place->end_ns - place->begin_ns) / 2;
    return place->operation == row->first || panel->model->spans[before].end_ns <= middle_ns;
}

/* In the gap if it is wide enough, else at the upper left corner of what came after it, else near that. A staged copy
 * is marked itself. */
static void draw_badge(const struct panel *panel, const struct place *place, enum cause cause, uint32_t number)
{
    const struct row *row = panel_row_of(panel, place->operation);
    struct extent e = scale_extent(&panel->scale, place->begin_ns, place->end_ns);
    double top = row_bar_top(row, place->operation), middle = top + row->bar_height / 2, bottom = top + row->bar_height;
    bool is_gap = cause != CAUSE_PAGEABLE_STAGING;
    double x = is_gap ? e.right : e.left;
    struct point spots[] = {
        {(e.left + e.right) / 2, middle}, {e.left + 14, middle}, {e.right - 28, middle}, /* in the gap */
        {x + 11, top - 2},    {x + 11, bottom + 2}, {x + 34, top - 2}, {x - 12, top - 2},
        {x + 34, bottom + 2}, {x + 58, top - 2},    {x - 36, top - 2},
    };
    bool fits_gap = is_gap && e.right - e.left >= GAP_ROOM_PX && gap_is_free(panel, row, place);
    for (size_t i = fits_gap ? 0 : 3; i < sizeof spots / sizeof *spots; i++)
        if (try_badge(panel, spots[i], number))
            return;
}

void marks_draw(const struct panel *panel)
{
    for (uint32_t i = 0; i < panel->shown_count; i++)
        for (uint32_t p = 0; p < panel->shown[i].place_count; p++)
            if (cause_has_arrow(panel->shown[i].finding->cause))
                draw_arrow(panel, &panel->shown[i].places[p], panel->shown[i].finding->cause);
    for (uint32_t i = 0; i < panel->shown_count; i++)
        for (uint32_t p = 0; p < panel->shown[i].place_count; p++)
            draw_badge(panel, &panel->shown[i].places[p], panel->shown[i].finding->cause, i + 1);
}
