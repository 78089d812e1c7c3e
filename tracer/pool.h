/* pool.h - the buffers that CUPTI fills, handed out zeroed and taken back.
 *
 * CUPTI asks for a buffer in the program's own threads, so handing one out must cost next to nothing: zeroing and
 * faulting in happen when a buffer comes back and in pool_refill(), which the flush thread calls.
 */
#ifndef CUGANTT_POOL_H
#define CUGANTT_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 8 MiB each: smaller ones cost the program more (measured). CUPTI keeps one for every thread that calls CUDA. */
enum { POOL_BUFFER_BYTES = 8 * 1024 * 1024, POOL_LIMIT = 512 };

/* A zeroed buffer of POOL_BUFFER_BYTES, or NULL when POOL_LIMIT are in use. */
uint8_t *pool_take(void);

/* Gives a buffer back; only its first `used` bytes need to be zeroed. Takes NULL. */
void pool_give(uint8_t *buffer, size_t used);

/* CUPTI brings a buffer back, with records in its first `valid` bytes. False if it is being looked at: then
 * pool_look_end() gives it to who looks. */
bool pool_back(uint8_t *buffer, size_t valid);

/* The last record of a buffer that was read while CUPTI still had it; NULL: none. */
void *pool_read(const uint8_t *buffer);

/* A buffer that CUPTI has, looked at. The records are places in it, NULL before the first. */
struct pool_look {
    uint8_t *bytes;
    void *read; /* last one that was read */
    void *seen; /* last one that was there */
};

/* Looks at the buffer in place `index` (below POOL_LIMIT). False if CUPTI does not have it. */
bool pool_look_begin(uint32_t index, struct pool_look *ret_look);

/* Keeps what was read and seen. Not 0 if the buffer came back meanwhile: its valid bytes. */
size_t pool_look_end(uint32_t index, const struct pool_look *look);

/* Number of buffers taken so far. */
uint64_t pool_taken(void);

/* How many of the first `taken` buffers were not given back. */
uint32_t pool_outstanding(uint64_t taken);

/* Makes sure that a few buffers are ready, their pages faulted in. */
void pool_refill(void);

#endif
