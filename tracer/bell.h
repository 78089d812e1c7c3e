/* bell.h - one thread waits, any other wakes it, from a signal handler too.
 *
 * Straight on the kernel's futex: POSIX lets a signal handler post a semaphore but not wait for one, and pipes would
 * take numbers out of the program's table of descriptors.
 */
#ifndef CUGANTT_BELL_H
#define CUGANTT_BELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { BELL_FOREVER = -1 };

struct bell {
    _Atomic uint32_t rung; /* once 1, for good */
};

void bell_ring(struct bell *bell);

/* Waits until the bell has been rung. False if it was not within `ms` (or BELL_FOREVER). */
bool bell_wait(struct bell *bell, int64_t ms);

#endif
