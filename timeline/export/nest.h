/* nest.h - spans of one lane that overlap without nesting get rows of their own: viewers allow only nesting in a row.
 */
#ifndef CUGANTT_NEST_H
#define CUGANTT_NEST_H

#include <stdint.h>

enum { NEST_ROWS = 32, NEST_DEPTH = 64 };

struct nest {
    int64_t ends[NEST_ROWS][NEST_DEPTH]; /* of the spans that are open, the innermost last */
    uint32_t depth[NEST_ROWS];
    uint32_t count; /* rows in use */
};

void nest_init(struct nest *nest);

/* The row of the next span; spans come in order of their begins, of equal ones the longest first. The last row takes
 * what no other can. */
uint32_t nest_place(struct nest *nest, int64_t begin_ns, int64_t end_ns);

#endif
