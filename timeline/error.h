/* error.h - why an operation failed, in one line that a user can act on. */
#ifndef CUGANTT_ERROR_H
#define CUGANTT_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct error {
    char file[256];  /* path the failure is about; empty if none */
    int64_t offset;  /* byte offset in that file; -1 if none */
    char what[384];  /* what happened and what was expected */
};

/* Fills `err` (may be NULL). `file` may be NULL, `offset` -1. Always returns false, so that callers can return it. */
bool error_set(struct error *err, const char *file, int64_t offset, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes "file: offset N: what" into `buf` of `size` bytes and returns it. */
const char *error_text(const struct error *err, char *buf, int size);

#endif
