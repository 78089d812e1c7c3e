/* activities.h - what CUPTI is asked to record. */
#ifndef CUGANTT_ACTIVITIES_H
#define CUGANTT_ACTIVITIES_H

#include <stdbool.h>

#include "timeline/error.h"

/* Sets up CUPTI's buffers and thread ids. Before the first context. */
void activities_configure(void);

/* Turns recording on. Kinds that CUPTI refuses are noted in the trace; it is an error only if one is among them without
 * which a trace is of no use. */
bool activities_enable(struct error *err);

#endif
