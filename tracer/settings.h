/* settings.h - what the recorder asks of the tracer, through the environment of the traced program. */
#ifndef CUGANTT_SETTINGS_H
#define CUGANTT_SETTINGS_H

#include <stdint.h>

/* Environment variables. */
#define SETTING_OUTPUT "CUGANTT_OUTPUT"     /* name of the trace, with placeholders (pattern.h), absolute */
#define SETTING_FLUSH_MS "CUGANTT_FLUSH_MS" /* time between flushes, ms; 0: only full buffers are written */
#define SETTING_TITLE "CUGANTT_TITLE"       /* title of charts; may be unset */
#define SETTING_NOTE "CUGANTT_NOTE"         /* file for reports to the recorder (note.h); may be unset */

enum { SETTING_FLUSH_MS_DEFAULT = 100 };

struct settings {
    const char *output;
    uint32_t flush_ms;
    const char *title; /* NULL: none */
    const char *note;  /* NULL: nobody listens */
};

/* Reads the environment. The strings are copies: programs change their environment. */
void settings_read(struct settings *ret_settings);

#endif
