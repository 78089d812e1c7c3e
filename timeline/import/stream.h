/* stream.h - a file, gzipped or not, as a window that slides over its text; and the JSON values in it one by one.
 *
 * The window holds at most one value at a time beyond what was read ahead, so a file of any size takes the memory of
 * its largest event.
 */
#ifndef CUGANTT_STREAM_H
#define CUGANTT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "import.h"
#include "loose.h"

struct stream;

struct stream *stream_open(const char *path, struct error *err);
void stream_close(struct stream *stream); /* takes NULL */

/* The next byte that is not white space, left in place; -1 at the end of the text. */
int stream_peek(struct stream *stream);
void stream_skip(struct stream *stream, uint32_t bytes); /* of what stream_peek() has shown */

/* Takes the value that begins at the next byte; the slice holds until the next call. False if the text ends inside it,
 * or if it is absurdly long: then nothing is taken. */
bool stream_value(struct stream *stream, struct loose *ret_value);

/* Skips to where the next event seems to begin: a '{' and a member "ph", or "cat" or "name". False: none to the end. */
bool stream_resync(struct stream *stream);

uint64_t stream_offset(const struct stream *stream); /* in the text, of the next byte */
uint64_t stream_bytes_read(const struct stream *stream); /* of the text, so far */

/* Part of the file (not of its text) that has been read, 0..1. */
double stream_done(struct stream *stream);

/* Why reading stopped before the end of the file (damaged or cut gzip); NULL if it did not. */
const char *stream_failure(const struct stream *stream);

#endif
