/* collect.h - turns CUPTI's activity recording on, takes its buffers, and turns it off.
 *
 * Buffers are converted where CUPTI completes them, on its worker thread or on our flush thread.
 */
#ifndef CUGANTT_COLLECT_H
#define CUGANTT_COLLECT_H

#include <stdbool.h>

#include "settings.h"
#include "timeline/error.h"

/* Starts recording as the settings say (borrowed for good), and every settings->flush_ms (0: never) writes what is
 * there, so that a killed program leaves a trace. */
bool collect_start(const struct settings *settings, struct error *err);

/* Stops: takes what CUPTI has and ends the trace. Returns when that is done. */
void collect_finish(void);

/* In a forked child: from now on neither CUPTI nor the file is touched. */
void collect_abandon(void);

#endif
