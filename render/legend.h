/* legend.h - what the colours and patterns of a figure mean, and where its data came from. Internal to the layout. */
#ifndef CUGANTT_LEGEND_H
#define CUGANTT_LEGEND_H

#include "figure.h"

/* Only what the panels contain. */
void legend_draw(struct figure *figure);

/* A line per trace: what was lost, then provenance. */
void footer_draw(struct figure *figure);

#endif
