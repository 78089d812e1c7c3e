/* drawing.h - figures for tests: texts of fixed width, so that a scene is the same on every machine. */
#ifndef CUGANTT_DRAWING_H
#define CUGANTT_DRAWING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/layout.h"

/* Every character is 0.55 times the style's size wide. */
extern const struct text_measure drawing_measure;

/* A model with its diagnosis and the figure of it. */
struct drawing {
    struct model *model;
    struct diagnosis diagnosis;
    struct layout_trace trace;
    struct layout_request request; /* the whole trace, 1600 px wide, unless changed before drawing_draw() */
    struct arena arena;
    struct scene scene;
};

/* Assembles the recipe (recipe.h) and diagnoses it. */
void drawing_init(struct drawing *drawing, const char *recipe);
void drawing_finish(struct drawing *drawing);

/* The figure as the request says, into `scene`; the test fails if there is none. */
void drawing_draw(struct drawing *drawing);

/* scene_print() into a string in the drawing's arena. */
const char *drawing_text(struct drawing *drawing);

/* The box that a text or badge takes. */
struct text_box {
    double left, top, right, bottom;
};
struct text_box drawing_box(const struct scene_op *op);

#endif
