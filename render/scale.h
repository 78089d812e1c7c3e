/* scale.h - the time axis of a panel: from nanoseconds to pixels, and its ticks. */
#ifndef CUGANTT_SCALE_H
#define CUGANTT_SCALE_H

#include <stdint.h>

struct scale {
    int64_t begin_ns, end_ns; /* the window, in trace time */
    int64_t zero_ns;          /* what the axis calls 0: the first operation */
    int64_t longest_ns;       /* window of the longest panel: all get its unit */
    double left, right;       /* px: window begin; right edge of the plot */
    double px_per_ns;
};

double scale_x(const struct scale *scale, int64_t time_ns);
/* Where an interval lies, cut to the window. */
struct extent {
    double left, right; /* px */
};
struct extent scale_extent(const struct scale *scale, int64_t begin_ns, int64_t end_ns);

/* Round steps (1, 2 or 5 times a power of ten) at least `min_px` apart. */
struct ticks {
    int64_t first_ns, step_ns; /* from the axis' zero */
    uint32_t count;
    const char *unit; /* "ms": one for all ticks */
    int64_t unit_ns;
    int decimals;
};
struct ticks scale_ticks(const struct scale *scale, double min_px);

/* Label of tick `index`: "0.5". */
const char *tick_text(const struct ticks *ticks, uint32_t index, char *buf, int size);

#endif
