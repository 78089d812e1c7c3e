/* totals.h - what a panel shows, in numbers. Internal to the layout. */
#ifndef CUGANTT_TOTALS_H
#define CUGANTT_TOTALS_H

#include "panel.h"

struct totals {
    uint64_t kernels, graphs, copies, memsets;
    uint64_t copied_bytes;
    uint64_t staged_bytes;
    int64_t copied_ns, staged_ns; /* summed */
    int64_t window_ns;            /* the part of the window from the first operation to the last, less pauses */
    int64_t busy_ns, overlap_ns;  /* unions: one or more operations running, two or more; within the window */
    uint32_t streams;             /* drawn of one device, the most */
};

struct totals totals_count(const struct panel *panel);

#endif
