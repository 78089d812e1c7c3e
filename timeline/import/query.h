/* query.h - rows of a table whose columns are not known beforehand: those that it lacks read as NULL. */
#ifndef CUGANTT_QUERY_H
#define CUGANTT_QUERY_H

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

bool query_has_table(struct sqlite3 *db, const char *table);

/* All rows of a table, with `columns` (ends with NULL) in their order. NULL if the table is missing, or the database
 * cannot be read (sqlite3_errcode() tells them apart). */
struct sqlite3_stmt *query_table(struct sqlite3 *db, const char *table, const char *const *columns);

int64_t query_integer(struct sqlite3_stmt *row, int column, int64_t otherwise);
uint32_t query_u32(struct sqlite3_stmt *row, int column, uint32_t otherwise); /* also where the number does not fit */
bool query_is_null(struct sqlite3_stmt *row, int column);
const char *query_text(struct sqlite3_stmt *row, int column); /* "" for NULL; until the next step */

#endif
