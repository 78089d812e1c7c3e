/* quantile.h - medians of many durations without keeping them: counts by size, 1 % apart. */
#ifndef CUGANTT_QUANTILE_H
#define CUGANTT_QUANTILE_H

#include <stdint.h>

enum { QUANTILE_STEPS = 64, QUANTILE_BUCKETS = 58 * QUANTILE_STEPS }; /* steps between two powers of two */

struct quantiles {
    uint64_t count;
    uint32_t buckets[QUANTILE_BUCKETS];
};

void quantile_add(struct quantiles *quantiles, int64_t ns); /* not negative */

/* The duration below which `share` (0 to 1) of them lie, to within 1 %; 0 if there are none. */
int64_t quantile_at(const struct quantiles *quantiles, double share);

#endif
