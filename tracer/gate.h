/* gate.h - whether recording is on: inside the range that was asked for, between delay and duration, below the size.
 *
 * While it is off CUPTI records nothing but contexts and streams, so the program runs as if it were not traced. What
 * was issued before it went off is still recorded to its end. The stretches go into the trace as pauses.
 */
#ifndef CUGANTT_GATE_H
#define CUGANTT_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"
#include "timeline/error.h"
#include "timeline/writer.h"

/* Applies the settings (borrowed for good). All kinds must have been enabled. False if the range cannot be noticed. */
bool gate_start(const struct settings *settings, struct error *err);

/* Closes or opens the gate for one reason; it is open when no reason is left. Any thread; waits for nobody. */
void gate_close(enum cgt_pause_reason reason);
void gate_open(enum cgt_pause_reason reason);

/* When the gate was last open: INT64_MAX if it is now, INT64_MIN if it never was. */
int64_t gate_last_open_ns(void);

/* The file has grown to `bytes`: closes the gate when that is what was allowed. Not under the writer's lock. */
void gate_size(uint64_t bytes);

/* Adds the pauses that are over to the trace. Under the writer's lock. */
void gate_write(struct writer *writer);

/* In a forked child: nothing is switched any more, since CUPTI does not work there. */
void gate_abandon(void);

/* At the end: ends a pause that is not over, and says what the user should know. Not under the writer's lock. */
void gate_finish(void);

#endif
