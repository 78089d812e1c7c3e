/* sheet.h - the tables of an nsys database that is being written. Only its exporter includes this. */
#ifndef CUGANTT_SHEET_H
#define CUGANTT_SHEET_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "timeline/import/idmap.h"

#define NIL INT64_MIN /* NULL in a row of numbers */

enum { OPERATION_COLUMNS = 12 }; /* what the rows of GPU operations begin with */

enum sheet {
    SHEET_KERNEL,
    SHEET_COPY,
    SHEET_MEMSET,
    SHEET_GRAPH,
    SHEET_CALL,
    SHEET_SYNC,
    SHEET_EVENT,
    SHEET_OVERHEAD,
    SHEET_NVTX,
    SHEET_STREAM,
    SHEET_CONTEXT,
    SHEET_THREAD,
    SHEET_PAUSE,
    SHEET_LOSS,
    SHEET_LONG_ID,
    SHEET_COUNT
};

struct sheets {
    sqlite3 *db;
    sqlite3_stmt *insert[SHEET_COUNT], *insert_string;
    struct idmap strings; /* hash of a text -> its id */
    uint32_t string_count;
    bool failed; /* of any statement: nothing is written after it */
};

/* Makes the table of strings. */
void sheets_init(struct sheets *sheets, sqlite3 *db);
void sheets_finish(struct sheets *sheets);

void sheets_execute(struct sheets *sheets, const char *sql);

/* INSERT of one row with texts among its values. */
void sheets_insert(struct sheets *sheets, const char *sql, const char *const *texts, int count);

/* Adds a row of numbers. The table is made with its first row, as nsys makes none that would be empty. */
void sheet_add(struct sheets *sheets, enum sheet sheet, const int64_t *values);

/* Id of a text, which is written with its first use. */
int64_t sheet_string(struct sheets *sheets, const char *text);

#endif
