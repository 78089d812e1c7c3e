/* figure.h - what the parts of one drawing share: the scene so far, where text lies, what the legend must explain. */
#ifndef CUGANTT_FIGURE_H
#define CUGANTT_FIGURE_H

#include <stdbool.h>

#include "boxes.h"
#include "layout.h"

enum {
    FIGURE_MARGIN = 24,       /* px around everything */
    FIGURE_BADGE_RADIUS = 9,  /* px */
    FIGURE_NOTE_LINE = 22,    /* px from line to line of running text */
};

struct figure {
    const struct layout_request *request;
    struct scene *scene;
    struct arena *arena;
    struct boxes taken;
    double left, right; /* px: between the margins */
    double y;           /* px: everything above is done */
    bool seen_bar[SLOT_COUNT], seen_gap[CAUSE_COUNT], seen_staged, seen_critical; /* for the legend */
    bool seen_pause, seen_unsampled;
    uint32_t dense_px; /* columns of crowds: for the legend too */
};

/* Where and how a text is drawn. */
struct text_spot {
    double x, y; /* baseline */
    enum text_style style;
    enum slot slot;
    enum text_anchor anchor;
    double max_width; /* 0: as wide as it is */
};

/* An empty page of the request's width; and its height, when everything is on it. */
void figure_begin(struct figure *figure, const struct layout_request *request, struct scene *scene);
void figure_end(struct figure *figure);

double figure_text_width(const struct figure *figure, enum text_style style, const char *text);

/* The box of a text that is `width` wide. */
struct box figure_text_box(const struct text_spot *spot, double width);

/* Draws the text, whatever lies there; returns its width. Copies `text`. */
double figure_text(struct figure *figure, const struct text_spot *spot, const char *text);

/* Baseline that puts the text's capitals into the middle. */
double figure_baseline(double middle_y, enum text_style style);

void figure_rect(struct figure *figure, enum slot slot, struct box box);
void figure_badge(struct figure *figure, double x, double y, uint32_t number);

/* Running text: words fill lines from `indent` to `right`, styles may change within a line. */
struct flow {
    struct figure *figure;
    double indent, right; /* px */
    double x, y;          /* where the next word begins: x, baseline */
};
void flow_text(struct flow *flow, enum text_style style, enum slot slot, const char *text);

#endif
