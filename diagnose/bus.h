/* bus.h - what the PCIe link did while copies ran, from samples of it: nothing where it was not sampled.
 *
 * The counters count packets with their headers. Bytes and rates here are those of the copies: the bytes of a copy's
 * record, spread over its time as the link carried them.
 */
#ifndef CUGANTT_DIAGNOSE_BUS_H
#define CUGANTT_DIAGNOSE_BUS_H

#include "timeline/model.h"

enum bus_memory { BUS_STAGED, BUS_PINNED, BUS_MEMORY_COUNT };

/* A copy that had its direction to itself, all of whose time was sampled. */
struct bus_copy {
    uint32_t span;
    uint8_t direction, memory; /* enum bus_direction, enum bus_memory */
    uint32_t bursts;           /* stretches in which the link was busy */
    uint64_t bytes;
    int64_t call_ns;           /* from the begin of its call to the end of call and copy */
    int64_t busy_ns;           /* of it, the link was busy with the copy */
};

/* Sums over the copies of one direction and kind of memory. */
struct bus_copies {
    uint32_t count, bursts;
    uint64_t bytes;
    int64_t call_ns, busy_ns;
    /* of bursts of staged copies: median, first and ninth decile; 0: not known */
    uint64_t chunk_bytes, chunk_low_bytes, chunk_high_bytes;
    int64_t burst_ns; /* median length; 0: not known */
};

struct bus_report {
    int64_t interval_ns;      /* 0: the link was not sampled */
    double peak_bytes_per_ns; /* raw rate of the (fastest) link one way; 0: not known */
    struct bus_copy *items;   /* by device and time; at most BUS_ITEMS, the sums have all */
    uint32_t item_count;
    struct bus_copies sums[2][BUS_MEMORY_COUNT]; /* by direction */
    uint32_t coarse;          /* copies too short for the samples */
    uint32_t shared;          /* copies that shared the link with others of their direction */
    uint32_t beside;          /* copies that ran beside some of the other direction, and so tell nothing of one alone */
    int64_t both_ns;          /* pinned copies in both directions at once */
    double alone[2], both[2]; /* bytes/ns of pinned copies by direction, without and with the other; 0: not known */
    const char **lines;       /* all that in words */
    uint32_t line_count;
};

enum { BUS_ITEMS = 1000 };

#endif
