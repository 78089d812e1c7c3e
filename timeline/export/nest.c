#include "nest.h"

#include <stdbool.h>

void nest_init(struct nest *r)
{
    r->count = 0;
}

static bool row_takes(struct nest *r, uint32_t row, int64_t begin, int64_t end)
{
    uint32_t *depth = &r->depth[row];
    while (*depth > 0 && r->ends[row][*depth - 1] <= begin)
        --*depth;
    return *depth == 0 || (*depth < NEST_DEPTH && r->ends[row][*depth - 1] >= end);
}

uint32_t nest_place(struct nest *r, int64_t begin, int64_t end)
{
    uint32_t row = 0;
    while (row < r->count && !row_takes(r, row, begin, end))
        row++;
    if (row == NEST_ROWS)
        return NEST_ROWS - 1;
    if (row == r->count) {
        r->count++;
        r->depth[row] = 0;
    }
    r->ends[row][r->depth[row]++] = end;
    return row;
}
