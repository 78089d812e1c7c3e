#include "paint.h"

#include <math.h>

struct painter {
    cairo_t *cr;
    enum theme theme;
    struct typeset *typeset;
};

static void set_color(const struct painter *p, enum slot slot)
{
    uint32_t c = palette_color(p->theme, slot);
    cairo_set_source_rgba(p->cr, (c >> 24) / 255.0, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0);
}

/* Patterns are anchored to the page, so that neighbours join; spacing and stroke in px. */
struct pattern_look {
    void (*trace)(cairo_t *cr, const struct scene_op *op, double spacing);
    double spacing, stroke;
};

/* Lines "/" : x + y is a multiple of the spacing. */
static void trace_hatch(cairo_t *cr, const struct scene_op *op, double spacing)
{
    double last = op->x + op->w + op->y + op->h;
    for (double c = floor((op->x + op->y) / spacing) * spacing; c <= last + spacing; c += spacing) {
        cairo_move_to(cr, c - op->y + 2, op->y - 2);
        cairo_line_to(cr, c - op->y - op->h - 2, op->y + op->h + 2);
    }
}

/* Lines "\" : x - y is a multiple of the spacing. */
static void trace_slants(cairo_t *cr, const struct scene_op *op, double spacing)
{
    double last = op->x + op->w - op->y;
    for (double c = floor((op->x - op->y - op->h) / spacing) * spacing; c <= last + spacing; c += spacing) {
        cairo_move_to(cr, c + op->y - 2, op->y - 2);
        cairo_line_to(cr, c + op->y + op->h + 2, op->y + op->h + 2);
    }
}

static void trace_rules(cairo_t *cr, const struct scene_op *op, double spacing)
{
    for (double y = op->y + spacing / 2; y < op->y + op->h; y += spacing) {
        cairo_move_to(cr, op->x, y);
        cairo_line_to(cr, op->x + op->w, y);
    }
}

/* Strokes of no length with round ends. */
static void trace_dots(cairo_t *cr, const struct scene_op *op, double spacing)
{
    for (double y = op->y + spacing / 2; y < op->y + op->h; y += spacing)
        for (double x = ceil(op->x / spacing) * spacing; x < op->x + op->w; x += spacing) {
            cairo_move_to(cr, x, y);
            cairo_close_path(cr);
        }
}

static void trace_crosses(cairo_t *cr, const struct scene_op *op, double spacing)
{
    trace_hatch(cr, op, spacing);
    trace_slants(cr, op, spacing);
}

static const struct pattern_look pattern_looks[PATTERN_COUNT] = {
    [PATTERN_HATCH] = {trace_hatch, 7, 2},    [PATTERN_DOTS] = {trace_dots, 6, 1.5},
    [PATTERN_SLANTS] = {trace_slants, 8, 1},  [PATTERN_RULES] = {trace_rules, 5, 1},
    [PATTERN_CROSSES] = {trace_crosses, 9, 1},
};

static void fill_pattern(const struct painter *p, const struct scene_op *op)
{
    const struct pattern_look *look = &pattern_looks[op->pattern];
    cairo_save(p->cr);
    cairo_rectangle(p->cr, op->x, op->y, op->w, op->h);
    cairo_clip(p->cr);
    look->trace(p->cr, op, look->spacing);
    set_color(p, op->ink);
    cairo_set_line_width(p->cr, look->stroke);
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
}

static void paint_rect(const struct painter *p, const struct scene_op *op)
{
    set_color(p, op->slot);
    cairo_rectangle(p->cr, op->x, op->y, op->w, op->h);
    cairo_fill(p->cr);
    if (op->pattern != PATTERN_NONE)
        fill_pattern(p, op);
}

static void paint_line(const struct painter *p, const struct scene_op *op)
{
    static const double dashes[] = {6, 5}; /* px */
    cairo_save(p->cr);
    set_color(p, op->slot);
    cairo_set_line_width(p->cr, op->bend > 0 ? op->bend : 1);
    if (op->pattern != PATTERN_NONE)
        cairo_set_dash(p->cr, dashes, 2, 0);
    cairo_move_to(p->cr, op->x, op->y);
    cairo_line_to(p->cr, op->x + op->w, op->y + op->h);
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
}

/* Curve and head; `extra` px all around, for the halo that keeps it apart from the bars below. */
static void trace_arrow(const struct painter *p, const struct scene_op *op, double extra)
{
    static const double HEAD_LENGTH = 8, HEAD_HALF = 4;
    struct point c[4];
    scene_arrow_points(op, c);
    cairo_set_line_width(p->cr, 1.6 + 2 * extra);
    cairo_move_to(p->cr, c[0].x, c[0].y);
    cairo_curve_to(p->cr, c[1].x, c[1].y, c[2].x, c[2].y, c[3].x - HEAD_LENGTH / 2, c[3].y);
    cairo_stroke(p->cr);
    cairo_move_to(p->cr, c[3].x, c[3].y);
    cairo_line_to(p->cr, c[3].x - HEAD_LENGTH, c[3].y - HEAD_HALF);
    cairo_line_to(p->cr, c[3].x - HEAD_LENGTH, c[3].y + HEAD_HALF);
    cairo_close_path(p->cr);
    cairo_set_line_width(p->cr, 2 * extra);
    cairo_stroke_preserve(p->cr);
    cairo_fill(p->cr);
}

static void paint_arrow(const struct painter *p, const struct scene_op *op)
{
    set_color(p, SLOT_PAGE);
    trace_arrow(p, op, 1.2);
    set_color(p, op->slot);
    trace_arrow(p, op, 0);
}

/* Shapes the operation's text and puts its baseline at y, its anchor at x. */
static void show_text(const struct painter *p, const struct scene_op *op, double max_width)
{
    static const double before[] = {[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1};
    PangoLayout *layout = typeset_text(p->typeset, op->style, op->text, max_width);
    double baseline = (double)pango_layout_get_baseline(layout) / PANGO_SCALE;
    cairo_move_to(p->cr, op->x - before[op->anchor] * typeset_width(layout), op->y - baseline);
    pango_cairo_show_layout(p->cr, layout);
}

static void paint_text(const struct painter *p, const struct scene_op *op)
{
    set_color(p, op->slot);
    show_text(p, op, op->w);
}

static void fill_circle(const struct painter *p, enum slot slot, const struct scene_op *op, double radius)
{
    set_color(p, slot);
    cairo_new_path(p->cr); /* or a line would lead here from the text before */
    cairo_arc(p->cr, op->x, op->y, radius, 0, 2 * M_PI);
    cairo_fill(p->cr);
}

static void paint_badge(const struct painter *p, const struct scene_op *op)
{
    fill_circle(p, SLOT_PAGE, op, op->w + 1.2);
    fill_circle(p, op->slot, op, op->w);
    struct scene_op number = {.slot = SLOT_ON_DARK,
                              .style = TEXT_BADGE,
                              .anchor = ANCHOR_MIDDLE,
                              .x = op->x,
                              .y = op->y + 0.36 * text_size(TEXT_BADGE),
                              .text = op->text};
    paint_text(p, &number);
}

void paint_scene(const struct scene *scene, enum theme theme, struct typeset *typeset, cairo_t *cr)
{
    static void (*const painters[])(const struct painter *, const struct scene_op *) = {
        [SCENE_RECT] = paint_rect,   [SCENE_LINE] = paint_line, [SCENE_ARROW] = paint_arrow,
        [SCENE_BADGE] = paint_badge, [SCENE_TEXT] = paint_text,
    };
    struct painter painter = {cr, theme, typeset};
    for (uint32_t i = 0; i < scene->count; i++)
        painters[scene->ops[i].kind](&painter, &scene->ops[i]);
}
