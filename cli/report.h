/* report.h - what the traced processes told the recorder (tracer/note.h), as lines on stderr. */
#ifndef CUGANTT_REPORT_H
#define CUGANTT_REPORT_H

/* Reads the notes in the file `path` and says one line for each traced process. `program` names what was run, for the
 * message that nothing was recorded; NULL: no such message. */
void report_notes(const char *path, const char *program);

#endif
