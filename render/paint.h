/* paint.h - draws a scene with cairo. Decides nothing: what lies where is in the scene. */
#ifndef CUGANTT_PAINT_H
#define CUGANTT_PAINT_H

#include <cairo.h>

#include "scene.h"
#include "typeset.h"

void paint_scene(const struct scene *scene, enum theme theme, struct typeset *typeset, cairo_t *cr);

#endif
