/* bars.h - spans as bars, wide ones one by one, small ones merged. Internal to the layout. */
#ifndef CUGANTT_BARS_H
#define CUGANTT_BARS_H

#include "panel.h"

enum { BAR_PX = 3 }; /* from this width on a span is a bar of its own */

/* Where a span lies, cut to the window. False if it does not touch it. */
bool span_extent(const struct panel *panel, uint32_t span, struct extent *ret_extent);

/* Draws the spans of a row that are narrower than a bar. Where several share a pixel column, it is filled to the share
 * of its time that they cover, stacked by colour. One that stands alone is a full-height line. */
void crowd_draw(const struct panel *panel, const struct row *row);

#endif
