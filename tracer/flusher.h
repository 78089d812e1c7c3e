/* flusher.h - the tracer's own thread: writes what is there every so often, and ends the trace.
 */
#ifndef CUGANTT_FLUSHER_H
#define CUGANTT_FLUSHER_H

#include <stdbool.h>
#include <stdint.h>

/* What the thread calls. */
struct flusher_work {
    void (*begin)(void);  /* once */
    void (*flush)(void);  /* every period */
    void (*finish)(void); /* once, after flusher_finish() */
};

/* Starts the thread. A period of 0 ms: no flushes. Borrows `work` for good. */
bool flusher_start(uint32_t period_ms, const struct flusher_work *work);

/* Has the thread call finish() as soon as it can, and end. Safe in signal handlers, and more than once. */
void flusher_finish(void);

#endif
