/* typeset.h - text styles in pango's terms, the same for measuring and for painting. */
#ifndef CUGANTT_TYPESET_H
#define CUGANTT_TYPESET_H

#include <pango/pangocairo.h>

#include "layout.h"

struct typeset;

/* Never NULL. Positions do not depend on hinting, so all outputs agree on them. */
struct typeset *typeset_create(void);
void typeset_destroy(struct typeset *typeset); /* takes NULL */

/* Measures with `typeset`, which it borrows. */
struct text_measure typeset_measure(struct typeset *typeset);

/* The text, shaped; valid until the next call. `max_width` px, then an ellipsis; 0: any width. */
PangoLayout *typeset_text(struct typeset *typeset, enum text_style style, const char *text, double max_width);

/* Width of a shaped text in px. */
double typeset_width(PangoLayout *layout);

#endif
