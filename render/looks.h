/* looks.h - how spans and gaps look: colour, pattern, words for the legend. */
#ifndef CUGANTT_LOOKS_H
#define CUGANTT_LOOKS_H

#include <stdbool.h>

#include "diagnose/diagnose.h"
#include "palette.h"
#include "scene.h"

struct span_look {
    enum slot fill, ink; /* bar, label on it */
    bool is_staged;      /* hatched */
};
struct span_look span_look(const struct model *model, const struct span *span);

/* Shading of a gap by what it waited for. False if it needs none. */
struct gap_look {
    enum slot slot;
    enum pattern pattern;
    const char *words;
    double least_px; /* narrower ones are not worth a colour */
};
bool gap_look(enum cause cause, struct gap_look *ret_look);

/* A stretch that was not recorded on purpose, as a rectangle without a place. */
struct scene_op pause_look(void);

/* Whether an arrow from what was waited for says something: not where that is just the program itself. */
bool cause_has_arrow(enum cause cause);

/* What a bar's colour means; NULL if the slot is none of a bar. */
const char *bar_words(enum slot slot);

#endif
