/* threads.h - the host threads that called CUDA, and their names. Under the writer's lock. */
#ifndef CUGANTT_THREADS_H
#define CUGANTT_THREADS_H

#include <stdint.h>

#include "timeline/writer.h"

/* Writes the thread, if it is new: it may be gone, and its name with it, when the trace ends. */
void threads_see(struct writer *writer, uint32_t thread);

/* Writes all threads that are still there again: programs name their threads late. */
void threads_write(struct writer *writer);

#endif
