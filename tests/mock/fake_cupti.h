/* fake_cupti.h - a libcupti without a GPU: the host program says what it records.
 *
 * The environment sets how it behaves:
 *     FAKE_CUPTI_VERSION   its API version (default 130001)
 *     FAKE_CUPTI_BUSY      set: it refuses to be used a second time
 *     FAKE_CUPTI_SUBSCRIBED  set: another subscriber is there, though activity callbacks can be taken from it
 *     FAKE_CUPTI_PENDING   set: some operation never ends, so that only a forced flush gives buffers back
 *     FAKE_CUPTI_REFUSE    an activity kind, by number, that cannot be enabled
 *     FAKE_PM_REFUSE       result, by number, with which PM sampling refuses to be enabled (fake_pm.c)
 *     FAKE_PM_SETUP_MS     time that its set-up takes
 *     FAKE_PM_OVERFLOW     set: a hundred samples are lost once
 *     FAKE_PM_CLOCK        set: it knows no interval in time
 */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Puts a copy of a record into the current buffer, as the library of this version would. If no buffer is to be had the
 * record is dropped. */
void fake_record(const void *record, size_t size);

/* Lets CUPTI's worker thread complete the current buffer: what FlushAll does, from the thread that calls it. */
void fake_complete(void);

/* Asks for `count` buffers and gives none back until the next flush. */
void fake_take_buffers(unsigned count);

/* Records that CUPTI had no room for. */
void fake_drop(size_t count);

/* Another profiler in the program registers its callbacks: it gets all buffers from now on. */
void fake_take_over(void);

/* Takes the library's lock for good: the calling thread is stopped inside CUPTI. */
void fake_hold_lock(void);

/* What cudaProfilerStart() (else Stop) does: tells the subscriber, if there is one. */
void fake_profiler(bool start);

/* A context is made on the device of this index: tells the subscriber, if it wants to know. */
void fake_context(uint32_t device);

/* How often the tracer has registered its callbacks. */
int fake_registrations(void);

#endif
