/* probe.h - what `cugantt run probe` measured of a machine, read from the properties of its trace (FORMAT.md, probe.*). */
#ifndef CUGANTT_DIAGNOSE_PROBE_H
#define CUGANTT_DIAGNOSE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

struct model;

enum probe_direction { PROBE_TO_DEVICE, PROBE_FROM_DEVICE, PROBE_DIRECTIONS };
enum probe_memory { PROBE_PAGEABLE, PROBE_PINNED, PROBE_MEMORIES };
enum { PROBE_POINTS = 32, PROBE_TEXTS = 4, PROBE_TEXT_SIZE = 256 };

/* Rates of copies by size, from the call to the end of the copy; sizes rise. */
struct probe_curve {
    uint32_t count;
    double bytes[PROBE_POINTS], bytes_per_ns[PROBE_POINTS];
};

/* 0: not measured. */
struct probe {
    struct probe_curve curves[PROBE_DIRECTIONS][PROBE_MEMORIES];
    double same_direction, both_directions; /* bytes/ns of two pinned copies at once, together */
    const char *host, *device; /* where: the host's name, the process' first device; they live in the model */
    bool waits_known[PROBE_DIRECTIONS];
    double waits_from[PROBE_DIRECTIONS]; /* bytes of the smallest pageable copy whose call waits for its stream; 0: none does */
    double launch_ns, round_trip_ns, copy_engines, queue_depth, concurrent_kernels;
};

/* Reads them from the first process of the model that has some. False: none has all four curves. */
bool probe_read(const struct model *model, struct probe *ret_probe);

/* What a copy of so many bytes takes, ns: between two sizes that were measured on the line through their times, above them at
 * the rate of the largest, below them as long as the smallest. */
double probe_copy_ns(const struct probe_curve *curve, double bytes);

/* What it says apart from the curves, in sentences. Returns how many. */
uint32_t probe_texts(const struct probe *probe, char ret_texts[PROBE_TEXTS][PROBE_TEXT_SIZE]);

#endif
