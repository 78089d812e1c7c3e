/* calls.h - which API calls may hold the thread that makes them, for recordings of those alone. */
#ifndef CUGANTT_TRACER_CALLS_H
#define CUGANTT_TRACER_CALLS_H

#include <cupti.h>
#include <stdbool.h>

/* Can this CUPTI record single calls of the kind (runtime or driver)? */
bool calls_choosable(CUpti_ActivityKind kind);

/* Has CUPTI record the calls that synchronise, copy, set, allocate, free, pin, or load code. */
void calls_enable_blocking(void);

#endif
