/* sampler.h - samples what one device's PCIe link carries, by its performance monitors (CUPTI's PM sampling).
 *
 * It needs no context. One thread at a time. Only CUPTI is called; nothing is written.
 */
#ifndef CUGANTT_SAMPLER_H
#define CUGANTT_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline/error.h"

struct sampler;

enum { SAMPLER_MS = 100 }; /* of samples fit into one reading; at intervals below 1.5 us fewer */

struct sample {
    int64_t begin_ns, end_ns; /* on the clock of CUPTI's records */
    double to_device_bytes, from_device_bytes;
};

struct samples {
    size_t count;
    bool overflow; /* the device had no room for some */
};

/* Sets everything up for the device of this CUDA index, a sample every `interval_ns`; takes tenths of a second. NULL
 * if it cannot be had: `err` says why, and what would allow it. CUPTI loads libraries meanwhile. */
struct sampler *sampler_create(uint32_t device, int64_t interval_ns, struct error *err);
void sampler_destroy(struct sampler *sampler); /* takes NULL; stops. Not while the program exits: CUPTI crashed then */

bool sampler_start(struct sampler *sampler, struct error *err);
void sampler_stop(struct sampler *sampler);

/* Takes what the device has; samples that were taken before are gone. To be called often enough: what does not fit into
 * SAMPLER_MS is lost. */
struct samples sampler_read(struct sampler *sampler);

/* Those from `first` on, up to `limit` of them, and never beyond the count of the last reading. Returns how many: fewer
 * if some have no times. */
size_t sampler_get(struct sampler *sampler, size_t first, size_t limit, struct sample *ret_samples);

#endif
