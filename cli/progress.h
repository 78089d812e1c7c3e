/* progress.h - a bar on the terminal for imports that take longer than a second; silent where stderr is no terminal. */
#ifndef CUGANTT_PROGRESS_H
#define CUGANTT_PROGRESS_H

void progress_init(void);

#endif
