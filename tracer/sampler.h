/* sampler.h - samples what one device's PCIe link carries, with the device's performance monitors (CUPTI's PM sampling).
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

struct sample {
    int64_t begin_ns, end_ns; /* on the clock of CUPTI's records */
    double to_device_bytes, from_device_bytes;
};

struct samples {
    size_t count;
    bool more;     /* there are more: ask again */
    bool overflow; /* the device had no room for some */
};

enum { SAMPLER_BATCH = 1024 }; /* samples at once */

/* Sets everything up for the device of this CUDA index, a sample every `interval_ns`; takes tenths of a second. NULL
 * if it cannot be had: `err` says why, and what would allow it. */
struct sampler *sampler_create(uint32_t device, int64_t interval_ns, struct error *err);
void sampler_destroy(struct sampler *sampler); /* takes NULL; stops */

bool sampler_start(struct sampler *sampler, struct error *err);
void sampler_stop(struct sampler *sampler);

/* The oldest samples that were not read yet go to `ret_samples`, which has room for SAMPLER_BATCH. */
struct samples sampler_read(struct sampler *sampler, struct sample *ret_samples);

#endif
