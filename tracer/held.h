/* held.h - keeps the buffers of a program that has only asked about GPUs so far, until it uses one.
 *
 * So importing a library that counts devices leaves no file, and the trace of a program that goes on to use the GPU
 * has its first calls too.
 */
#ifndef CUGANTT_HELD_H
#define CUGANTT_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A program that fills more of them without using a GPU gets its file all the same. */
enum { HELD_LIMIT = 16 };

struct held_buffer {
    uint8_t *bytes;
    size_t valid; /* bytes that hold records */
};

/* Are buffers passed on at once? */
bool held_passing(void);

/* Takes `buffer`, and gives in `ret_ready` (HELD_LIMIT + 1 elements) those that are to be converted now: none as long
 * as no buffer came with `work`, all held ones in order when the first does, only `buffer` from then on. */
size_t held_pass(struct held_buffer buffer, bool work, struct held_buffer *ret_ready);

#endif
