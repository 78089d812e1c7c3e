/* diagnosed.h - a recipe and what is said of it, for the tests of rules. */
#ifndef CUGANTT_DIAGNOSED_H
#define CUGANTT_DIAGNOSED_H

#include "diagnose/critical.h"
#include "diagnose/diagnose.h"
#include "recipe.h"
#include "unit.h"

#define STREAMS "context 1 null=7\nstream 7 null\nstream 13 blocking\nstream 14 blocking\nstream 15 non-blocking\n"

struct result {
    struct model *model;
    struct arena arena;
    struct diagnosis d;
};

/* Diagnoses the recipe, and checks what holds for every trace: the pieces of an operation lie end to end, all of them sum to
 * the gaps, and the critical path's steps to the wall time; and replayed with nothing removed the trace is what it was. */
struct result diagnosed(const char *recipe);
void diagnosed_end(struct result *r);
void pieces_check(const struct result *r);

const struct finding *found(const struct result *r, enum cause cause); /* NULL: not found */
bool untold(const struct result *r, enum cause cause);                 /* "cannot tell" */

#endif
