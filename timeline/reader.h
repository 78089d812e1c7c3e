/* reader.h - maps a trace file, checks it block by block, and gives its records in place.
 *
 * What is damaged is skipped and named: a block whose checksum is wrong, bytes that are no block, an incomplete tail.
 */
#ifndef CUGANTT_READER_H
#define CUGANTT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "format.h"

struct block {
    uint16_t kind;         /* enum cgt_kind, always known */
    uint32_t count;
    uint32_t record_bytes; /* stride; at least the size of the kind's struct */
    const uint8_t *records;
    uint64_t offset;       /* of the block's header in the file */
    int64_t t_min, t_max;
};

struct reader;

/* Fails on files that are no trace, or of a newer major version. */
struct reader *reader_open(const char *path, struct error *err);

/* The same of an open file, which stays the caller's; `path` is for messages. */
struct reader *reader_open_fd(int fd, const char *path, struct error *err);
void reader_close(struct reader *reader); /* takes NULL */

const char *reader_path(const struct reader *reader);
uint32_t reader_block_count(const struct reader *reader);
const struct block *reader_block(const struct reader *reader, uint32_t index);

/* Lowest address of all records; records are at multiples of 8 bytes from it. */
const uint8_t *reader_base(const struct reader *reader);
uint64_t reader_bytes(const struct reader *reader);

/* Text of a string id: "" for 0, "?" for an id that the file does not define. */
const char *reader_string(const struct reader *reader, uint32_t id);
uint32_t reader_string_limit(const struct reader *reader); /* all ids are below */

uint64_t reader_truncated_bytes(const struct reader *reader);
uint64_t reader_skipped_blocks(const struct reader *reader); /* damaged, or of an unknown kind */
uint32_t reader_warning_count(const struct reader *reader);
const char *reader_warning(const struct reader *reader, uint32_t index); /* one line, without the file's name */

#endif
