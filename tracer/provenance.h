/* provenance.h - where a trace comes from: program, machine, versions, environment, clocks. */
#ifndef CUGANTT_PROVENANCE_H
#define CUGANTT_PROVENANCE_H

#include "settings.h"
#include "timeline/writer.h"

/* Writes the properties (keys: timeline/FORMAT.md). */
void provenance_write(struct writer *writer, const struct settings *settings);

/* Writes the clocks, read together, and returns the trace's time of now: CUPTI's, which is CLOCK_REALTIME on Linux
 * as long as nobody registers a clock of his own. CUPTI is not asked, since the writer is locked. */
int64_t provenance_clocks(struct writer *writer);

#endif
