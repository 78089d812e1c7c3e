/* nsys_rows.h - tables of an nsys export, row by row, as records. Shared by the files that read nsys; nobody else
 * includes it. */
#ifndef CUGANTT_NSYS_ROWS_H
#define CUGANTT_NSYS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "idmap.h"
#include "image.h"

struct sqlite3;
struct sqlite3_stmt;

struct nsys {
    struct image_set *set;
    struct sqlite3 *db;
    struct sqlite3_stmt *string; /* StringIds by id; NULL if there are none */
    import_progress *progress;
    struct image *last;     /* rows come in runs of one process */
    const char *failure;    /* why the first table that could not be read to its end was not */
    const char *failed_table;
    uint64_t total_rows, done_rows;
};

/* Of one process. */
struct nsys_image {
    struct idmap names;   /* string id of the export -> string id of the image */
    uint64_t invalid;     /* operations and calls without usable times */
    struct idmap domains; /* NVTX domain -> string id of its name */
    struct idmap threads; /* thread ids of more than 24 bits, by what the export has of them */
    bool has_pid;         /* the recorded one is known: that of the tables may be made up */
};

/* One table. */
struct nsys_table {
    const char *name;
    const char *const *columns;
    void (*read)(struct nsys *n, struct sqlite3_stmt *row);
    bool counts; /* its rows are many: they make the progress */
};

/* Operations and calls first: they make the images that the others add to. Ends with a row without a name. */
extern const struct nsys_table nsys_tables[];

/* The image of the process of a globalPid or globalTid; `make` one if there is none yet. NULL: none. */
struct image *nsys_image_of(struct nsys *n, int64_t global_id, bool make);
struct image *nsys_image_of_pid(struct nsys *n, uint32_t pid);

#endif
