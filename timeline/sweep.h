/* sweep.h - how many intervals run at each moment: unions and overlaps, never sums. */
#ifndef CUGANTT_SWEEP_H
#define CUGANTT_SWEEP_H

#include <stdint.h>

/* Begins and ends of intervals, each sorted on its own: that is all a depth needs. */
struct sweep {
    int64_t *begins, *ends;
    uint32_t count, capacity;
};

void sweep_init(struct sweep *sweep);
void sweep_finish(struct sweep *sweep);

/* Adds [begin, end); empty intervals are left out. */
void sweep_add(struct sweep *sweep, int64_t begin_ns, int64_t end_ns);
void sweep_sort(struct sweep *sweep); /* before sweep_time() */

/* Time with `depth` or more intervals running. The stretches go to `ret_begins` and `ret_ends` (room for `count` each)
 * and their number to `ret_count`, unless NULL. */
int64_t sweep_time(const struct sweep *sweep, uint32_t depth, int64_t *ret_begins, int64_t *ret_ends, uint32_t *ret_count);

#endif
