/* checks.h - what must hold of every figure. */
#ifndef CUGANTT_CHECKS_H
#define CUGANTT_CHECKS_H

#include "drawing.h"

bool check_is_text(const struct scene_op *op); /* also a badge */
bool check_is_bar(const struct scene_op *op);

/* The rectangle of the lane that holds the bar; NULL if none does. */
const struct scene_op *check_lane_of(const struct scene *scene, const struct scene_op *bar);

/* Texts lie on the page and not on each other. */
void check_texts(const struct scene *scene);

/* The same, no number is odd, no arrow crosses a text, and every bar lies in a lane. */
void check_scene(const struct scene *scene);

#endif
