/* range.h - the part of the program that is to be recorded, where it marks that itself: between cudaProfilerStart() and
 * cudaProfilerStop(), or while an NVTX range of a name is open. It opens and closes the gate.
 */
#ifndef CUGANTT_RANGE_H
#define CUGANTT_RANGE_H

#include <stdbool.h>

#include "settings.h"
#include "timeline/error.h"

/* Begins to watch. NVTX may have told of ranges before: then the gate is opened. */
bool range_watch(const struct settings *settings, struct error *err);

/* An NVTX range of the name was entered or left, by any thread: they may overlap. */
void range_enter(void);
void range_leave(void);

#endif
