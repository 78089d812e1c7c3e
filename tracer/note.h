/* note.h - what each traced process tells the recorder, one line a time, in a file that both know by name.
 *
 * A file rather than an inherited descriptor, because launchers close what they do not know before they start ranks.
 * A process that starts a trace claims its path ("open"); the end of it follows as "done". "none" and "failed" have
 * no trace. A process with an "open" and no "done" ended before its tracer could finish.
 */
#ifndef CUGANTT_NOTE_H
#define CUGANTT_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct note {
    char status[8]; /* "open", "done", "none", "failed" */
    long process;
    uint64_t operations, calls, lost;
    char path[4096];   /* empty if the process has no trace */
    char reason[512];  /* why it failed, or what went wrong; may be empty */
};

/* Appends `note` to the file `name`. Nothing happens if `name` is NULL or cannot be written. */
void note_append(const char *name, const struct note *note);

/* Appends the "open" note `claim` unless another claim of the same path is there already: then false.
 * True if `name` is NULL or cannot be written. Processes that claim at once are kept apart by a file lock. */
bool note_claim(const char *name, const struct note *claim);

/* Parses one line (without line end). False if it is none. */
bool note_parse(const char *line, struct note *ret_note);

#endif
