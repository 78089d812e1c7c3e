/* bus_run.h - state while the bus is looked at; shared by the files that do it. */
#ifndef CUGANTT_DIAGNOSE_BUS_RUN_H
#define CUGANTT_DIAGNOSE_BUS_RUN_H

#include "run.h"

_Static_assert((int)DIRECTION_HTOD == (int)BUS_TO_DEVICE && (int)DIRECTION_DTOH == (int)BUS_FROM_DEVICE,
               "one and the same");

enum { BUS_MEETS_SAME = 1, BUS_MEETS_OTHER = 2 }; /* copies of its own direction, or the other, while it ran */

struct bus_candidate {
    int64_t begin_ns, end_ns;
    uint32_t span;
    uint8_t direction, memory, meets;
    uint32_t other; /* candidate of the other direction that ran when it began; MODEL_NONE */
};

/* Part of a sample within a copy. */
struct part {
    int64_t ns;
    double bytes;
};

/* A stretch in which the link was busy. */
struct burst {
    double bytes, ns;
    struct part first, second, before_last, last;
    uint32_t samples;
    uint8_t direction, memory;
};

struct bus_run {
    struct run *run;
    const struct bus *bus;
    double top_rate; /* bytes/ns */
    struct bus_candidate *candidates;
    uint32_t count;
    struct burst *bursts; /* of all copies */
    uint32_t burst_count, burst_room;
    double alone_bytes[2], alone_link[2], alone_back[2]; /* of pinned copies alone, by direction; back: the other way */
    double both_link[2]; /* on the link while pinned copies ran both ways */
};

void bus_lines(struct run *run); /* bus_text.c */

#endif
