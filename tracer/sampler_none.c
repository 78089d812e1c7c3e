/* Where CUPTI's headers have no PM sampling (before CUDA 12.6): never, and why. */
#include "sampler.h"

struct sampler *sampler_create(uint32_t device, int64_t interval_ns, struct error *err)
{
    (void)device, (void)interval_ns;
    error_set(err, NULL, -1, "this cugantt was built with a CUPTI older than that of CUDA 12.6");
    return NULL;
}

void sampler_destroy(struct sampler *sampler)
{
    (void)sampler;
}

bool sampler_start(struct sampler *sampler, struct error *err)
{
    (void)sampler;
    return error_set(err, NULL, -1, "there is no sampler");
}

void sampler_stop(struct sampler *sampler)
{
    (void)sampler;
}

struct samples sampler_read(struct sampler *sampler)
{
    (void)sampler;
    return (struct samples){0};
}

size_t sampler_get(struct sampler *sampler, size_t first, size_t limit, struct sample *ret_samples)
{
    (void)sampler, (void)first, (void)limit, (void)ret_samples;
    return 0;
}
