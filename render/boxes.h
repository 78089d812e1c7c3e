/* boxes.h - the places of a figure that are taken, so that no text lies on another. */
#ifndef CUGANTT_BOXES_H
#define CUGANTT_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/arena.h"

struct box {
    double left, top, right, bottom; /* px */
};

struct boxes {
    struct arena *arena;
    struct box *items;
    uint32_t count, capacity;
};

void boxes_add(struct boxes *boxes, struct box box);
bool boxes_hit(const struct boxes *boxes, struct box box); /* does it overlap any? */

#endif
