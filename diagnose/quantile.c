#include "quantile.h"

/* Below QUANTILE_STEPS a bucket a nanosecond; above, the leading bits and the power of two. */
static uint32_t bucket_of(uint64_t ns)
{
    if (ns < QUANTILE_STEPS)
        return (uint32_t)ns;
    uint32_t power = 63 - (uint32_t)__builtin_clzll(ns);        /* 6 or more */
    uint32_t leading = (uint32_t)(ns >> (power - 6)) - QUANTILE_STEPS; /* 0 .. 63 */
    return (power - 5) * QUANTILE_STEPS + leading;
}

/* Middle of a bucket. */
static int64_t value_of(uint32_t bucket)
{
    if (bucket < QUANTILE_STEPS)
        return bucket;
    uint32_t power = bucket / QUANTILE_STEPS + 5;
    int64_t width = INT64_C(1) << (power - 6);
    return (QUANTILE_STEPS + bucket % QUANTILE_STEPS) * width + width / 2;
}

void quantile_add(struct quantiles *q, int64_t ns)
{
    q->buckets[bucket_of((uint64_t)ns)]++;
    q->count++;
}

int64_t quantile_at(const struct quantiles *q, double share)
{
    uint64_t below = (uint64_t)(share * (double)q->count), seen = 0;
    for (uint32_t i = 0; i < QUANTILE_BUCKETS && q->count > 0; i++) {
        seen += q->buckets[i];
        if (seen > below)
            return value_of(i);
    }
    return 0;
}
