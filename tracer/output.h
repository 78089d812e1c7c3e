/* output.h - the trace file of this process: its name, its lock, its beginning and its end.
 *
 * One lock guards the writer. It is never held across a CUPTI call: CUPTI calls back into the tracer while it holds
 * locks of its own.
 */
#ifndef CUGANTT_OUTPUT_H
#define CUGANTT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"
#include "timeline/writer.h"

/* Before anything else. Borrows `settings` for good. */
void output_configure(const struct settings *settings);

/* Locks the writer. The first call creates the file, so that a program without GPU work leaves none.
 * NULL, and nothing is locked, if there is no file or no longer one. */
struct writer *output_lock(void);
void output_unlock(void);

/* Locks the writer if the file was created. */
struct writer *output_lock_existing(void);

/* A property to be written when the file is created; empty ones are not. Borrows `key`. Before the first output_lock(),
 * and few of them. */
void output_property(const char *key, const char *value);

/* Something went wrong that the recorder is to say beside the numbers. */
void output_remark(const char *reason);

/* Ends the trace and reports to the recorder. Records that come later are dropped. */
void output_finish(void);

/* Tells the recorder, and the user on stderr, that this process is not recorded. */
void output_fail(const char *reason);

/* Around fork(): the child closes its copy of the file and never writes again. */
void output_fork_prepare(void);
void output_fork_parent(void);
void output_fork_child(void);

#endif
