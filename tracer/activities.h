/* activities.h - what CUPTI is asked to record. */
#ifndef CUGANTT_ACTIVITIES_H
#define CUGANTT_ACTIVITIES_H

#include <stdbool.h>

#include "settings.h"
#include "timeline/error.h"

/* Says what to record. Before the others; borrows `settings` for good. */
void activities_choose(const struct settings *settings);

/* Sets up CUPTI's buffers and thread ids. Before the first context. */
void activities_configure(void);

/* Turns recording on. Kinds that CUPTI refuses are noted in the trace; it is an error only if one is among them without
 * which a trace is of no use. */
bool activities_enable(struct error *err);

/* Turns off, and on again, all kinds but those that CUPTI tells of once (devices, contexts, streams). */
void activities_switch(bool on);

#endif
