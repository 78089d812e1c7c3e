/* import.h - reads what other tools recorded: one image, a trace of our own in an anonymous file, for each process.
 *
 * The kind of a file is found from its first bytes. Images hold only what a model is built from, so memory is bounded
 * by the operations and calls in the file, not by its size. What a file does not say stays unknown in the records.
 */
#ifndef CUGANTT_IMPORT_H
#define CUGANTT_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/arena.h"
#include "timeline/error.h"

struct images {
    int *fds;       /* one a process, at its start; the caller closes them */
    uint32_t count; /* 0: the file is none of the foreign kinds, so it should be a trace of our own */
};

/* Called now and then with what part of the file is done (0..1); `done` 1 ends a series. */
typedef void import_progress(double done);

/* Who is told of the progress of imports from now on; NULL: nobody. */
void import_set_progress(import_progress *progress);

/* Imports `path` if it is of a foreign kind; `ret_images` lives in `arena`. Fails on foreign files that cannot be read,
 * and on known kinds that no importer reads: `err` then says what the file is and what to do with it. */
bool import_open(const char *path, struct arena *arena, struct images *ret_images, struct error *err);

#endif
