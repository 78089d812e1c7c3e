/* parallel.h - the same work for many items, on all processors. */
#ifndef CUGANTT_PARALLEL_H
#define CUGANTT_PARALLEL_H

#include <stdint.h>

/* Calls work(context, i) for each i < count, in no particular order and several at once; returns when all are done. */
void parallel_for(uint32_t count, void (*work)(void *context, uint32_t index), void *context);

#endif
