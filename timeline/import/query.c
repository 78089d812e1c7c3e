#include "query.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { SQL_BYTES = 2048 };

bool query_has_table(sqlite3 *db, const char *table)
{
    sqlite3_stmt *row;
    if (sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master WHERE name = ?", -1, &row, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return found;
}

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
    sqlite3_stmt *row;
    if (sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", -1, &row, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, column, -1, SQLITE_STATIC);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return found;
}

sqlite3_stmt *query_table(sqlite3 *db, const char *table, const char *const *columns)
{
    char sql[SQL_BYTES];
    int n = snprintf(sql, sizeof sql, "SELECT ");
    sqlite3_stmt *rows = NULL;
    if (!query_has_table(db, table))
        return NULL;
    for (int i = 0; columns[i] != NULL && n < SQL_BYTES; i++) {
        bool known = has_column(db, table, columns[i]);
        n += snprintf(sql + n, SQL_BYTES - (size_t)n, known ? "%s\"%s\"" : "%sNULL", i > 0 ? ", " : "", columns[i]);
    }
    if (n < SQL_BYTES)
        n += snprintf(sql + n, SQL_BYTES - (size_t)n, " FROM \"%s\"", table);
    return n < SQL_BYTES && sqlite3_prepare_v2(db, sql, -1, &rows, NULL) == SQLITE_OK ? rows : NULL;
}

int64_t query_integer(sqlite3_stmt *row, int column, int64_t otherwise)
{
    int64_t value = sqlite3_column_int64(row, column);
    return value == 0 && query_is_null(row, column) ? otherwise
                                                    : value; /* asking for the type costs as much: only for 0 */
}

uint32_t query_u32(sqlite3_stmt *row, int column, uint32_t otherwise)
{
    int64_t value = query_integer(row, column, -1);
    return value >= 0 && value < UINT32_MAX ? (uint32_t)value : otherwise;
}

bool query_is_null(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL;
}

const char *query_text(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text != NULL ? (const char *)text : "";
}
