/* pool.h - the buffers that CUPTI fills, handed out zeroed and taken back.
 *
 * CUPTI asks for a buffer in the program's own threads, so handing one out must cost next to nothing: zeroing and
 * faulting in happen when a buffer comes back and in pool_refill(), which the flush thread calls.
 */
#ifndef CUGANTT_POOL_H
#define CUGANTT_POOL_H

#include <stddef.h>
#include <stdint.h>

/* 8 MiB each: smaller ones cost the program more (measured). CUPTI keeps one for every thread that calls CUDA. */
enum { POOL_BUFFER_BYTES = 8 * 1024 * 1024, POOL_LIMIT = 512 };

/* A zeroed buffer of POOL_BUFFER_BYTES, or NULL when POOL_LIMIT are in use. */
uint8_t *pool_take(void);

/* Gives a buffer back; only its first `used` bytes need to be zeroed. Takes NULL. */
void pool_give(uint8_t *buffer, size_t used);

/* Number of buffers taken so far. */
uint64_t pool_taken(void);

/* How many of the first `taken` buffers were not given back. */
uint32_t pool_outstanding(uint64_t taken);

/* Makes sure that a few buffers are ready, their pages faulted in. */
void pool_refill(void);

#endif
