/* writer.h - writes a trace: records go in one by one, checksummed blocks come out.
 *
 * Records collect in one block per kind. A full block is written at once; writer_flush() writes the others, so that
 * what was flushed survives the death of the program. Strings are always written before the records that use them.
 * A failed write (disk full) cuts the file back to its last whole block, counts what was lost and goes on: the loss
 * is written as soon as a write succeeds again. Not thread-safe: the caller holds a lock of its own.
 */
#ifndef CUGANTT_WRITER_H
#define CUGANTT_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "format.h"

struct writer;

struct writer_counts {
    uint64_t operations; /* kernels, copies, memsets and graphs handed in */
    uint64_t calls;
    uint64_t lost;  /* records that could not be written */
    uint64_t bytes; /* size of the file so far */
};

/* Writes the file header to `fd` (takes it, closes it at the end; also on failure). `path` is for messages. */
struct writer *writer_create(int fd, const char *path, struct error *err);

/* Id of `text`, the same for the same text; 0 for NULL and "". */
uint32_t writer_string(struct writer *writer, const char *text);

/* Adds a record of the kind's struct. False if it was lost. */
bool writer_add(struct writer *writer, enum cgt_kind kind, const void *record);

/* Adds a property: strings for key and value. */
void writer_property(struct writer *writer, const char *key, const char *value);

/* Writes all pending blocks. False (errno in `err`) if any of them, now or before, could not be written. */
bool writer_flush(struct writer *writer, struct error *err);

/* Flushes, and writes the end block with `time_ns`. */
bool writer_finish(struct writer *writer, int64_t time_ns, struct error *err);

struct writer_counts writer_counts(const struct writer *writer);

/* Closes the file without writing anything: also what a forked child does with its parent's writer. Takes NULL. */
void writer_destroy(struct writer *writer);

#endif
