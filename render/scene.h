/* scene.h - a figure as a display list: what to draw, in order, and nothing about how.
 *
 * All lengths are px, y grows downwards. Colours are palette slots, so one scene serves both themes. Texts live as long
 * as the arena that the scene was begun with.
 */
#ifndef CUGANTT_SCENE_H
#define CUGANTT_SCENE_H

#include <stdint.h>
#include <stdio.h>

#include "palette.h"
#include "timeline/arena.h"

/* X(enumerator, "name in scene dumps", size in px, weight as in CSS) */
#define TEXT_STYLES(X)                     \
    X(FIGURE, "figure", 24, 700)           \
    X(TITLE, "title", 19, 700)             \
    X(HEADLINE, "headline", 19, 700)       \
    X(SUBTITLE, "subtitle", 13, 400)       \
    X(LANE, "lane", 13.5, 700)             \
    X(LANE_KIND, "lane-kind", 11.5, 400)   \
    X(BAR, "bar", 12.5, 500)               \
    X(BAR_SMALL, "bar-small", 10, 500)     \
    X(AXIS, "axis", 12, 400)               \
    X(NOTE, "note", 14, 400)               \
    X(NOTE_BOLD, "note-bold", 14, 700)     \
    X(BADGE, "badge", 12, 700)             \
    X(LEGEND, "legend", 12.5, 400)         \
    X(FOOT, "foot", 11.5, 400)

enum text_style {
#define X(id, name, size, weight) TEXT_##id,
    TEXT_STYLES(X)
#undef X
        TEXT_STYLE_COUNT
};

enum text_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

enum pattern {
    PATTERN_NONE,
    PATTERN_HATCH,   /* bold diagonals: staged */
    PATTERN_DOTS,    /* waits for the host */
    PATTERN_SLANTS,  /* waits for other work in order: thin diagonals the other way */
    PATTERN_RULES,   /* waits for a resource: horizontal lines */
    PATTERN_CROSSES, /* tracer or unexplained */
    PATTERN_COUNT
};

enum scene_kind {
    SCENE_RECT,  /* x, y, w, h; slot; pattern in colour `ink` */
    SCENE_LINE,  /* from x, y to x + w, y + h; slot; `bend` px thick (0: 1), in dashes if it has any pattern */
    SCENE_ARROW, /* curve from x, y, leaving to the right by `bend`, to x + w, y + h, entering from the left; slot */
    SCENE_BADGE, /* circle around x, y with radius w and `text` in it; slot */
    SCENE_TEXT,  /* baseline at y; x is what `anchor` says; w: widest, longer texts end in an ellipsis (0: any) */
};

struct scene_op {
    uint8_t kind;           /* enum scene_kind */
    uint8_t slot, ink;      /* enum slot */
    uint8_t pattern;        /* enum pattern */
    uint8_t style, anchor;  /* enum text_style, enum text_anchor */
    double x, y, w, h, bend;
    const char *text;
};

struct scene {
    struct arena *arena;
    double width, height;
    struct scene_op *ops;
    uint32_t count, capacity;
};

struct point {
    double x, y;
};

void scene_init(struct scene *scene, struct arena *arena); /* borrows the arena */
void scene_add(struct scene *scene, struct scene_op op);

/* Control points of an arrow, as of a cubic Bézier curve. */
void scene_arrow_points(const struct scene_op *op, struct point ret_points[4]);

/* One line per operation, numbers rounded to 0.01: the same scene gives the same text on every machine. */
void scene_print(const struct scene *scene, FILE *file);

double text_size(enum text_style style); /* px */
int text_weight(enum text_style style);  /* 400 regular, 500 medium, 700 bold */

#endif
