/* progress.h - on a terminal, what takes longer than a second says so; silent where stderr is no terminal. */
#ifndef CUGANTT_PROGRESS_H
#define CUGANTT_PROGRESS_H

/* From here on, "what, 3 s" or a bar of how much was imported, until the end; nothing else may print meanwhile. */
void progress_begin(const char *what);
void progress_end(void);

#endif
