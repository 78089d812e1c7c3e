/* profiler_host.h - the part of CUPTI's profiler host interface that sampling needs, declared anew: NVIDIA's header of
 * CUDA 13.0 includes a C++ one, so that C cannot read it. Names, order and types are the interface's; it knows the
 * version of a struct by its size.
 */
#ifndef CUGANTT_PROFILER_HOST_H
#define CUGANTT_PROFILER_HOST_H

#include <cupti_result.h>
#include <stddef.h>
#include <stdint.h>

struct profiler_host; /* CUPTI's own */

enum { PROFILER_HOST_PM_SAMPLING = 1 }; /* of the two kinds of profilers */

struct profiler_host_initialize {
    size_t size;
    void *unused;
    int kind; /* PROFILER_HOST_PM_SAMPLING */
    const char *chip;
    const uint8_t *counter_availability;
    struct profiler_host *ret_host;
};

struct profiler_host_deinitialize {
    size_t size;
    void *unused;
    struct profiler_host *host;
};

struct profiler_host_add_metrics {
    size_t size;
    void *unused;
    struct profiler_host *host;
    const char **metrics;
    size_t count;
};

struct profiler_host_config_size {
    size_t size;
    void *unused;
    struct profiler_host *host;
    size_t ret_bytes;
};

struct profiler_host_config {
    size_t size;
    void *unused;
    struct profiler_host *host;
    size_t bytes;
    uint8_t *config;
};

struct profiler_host_passes {
    size_t size;
    void *unused;
    size_t bytes;
    uint8_t *config;
    size_t ret_passes;
};

struct profiler_host_evaluate {
    size_t size;
    void *unused;
    struct profiler_host *host;
    const uint8_t *image;
    size_t image_bytes;
    size_t sample;
    const char **metrics;
    size_t count;
    double *values;
};

/* None of them has padding at its end, which CUPTI would not count. */
_Static_assert(sizeof(struct profiler_host_initialize) == 48, "as CUPTI has it");
_Static_assert(sizeof(struct profiler_host_deinitialize) == 24, "as CUPTI has it");
_Static_assert(sizeof(struct profiler_host_add_metrics) == 40, "as CUPTI has it");
_Static_assert(sizeof(struct profiler_host_config_size) == 32, "as CUPTI has it");
_Static_assert(sizeof(struct profiler_host_config) == 40, "as CUPTI has it");
_Static_assert(sizeof(struct profiler_host_passes) == 40, "as CUPTI has it");
_Static_assert(sizeof(struct profiler_host_evaluate) == 72, "as CUPTI has it");

CUptiResult cuptiProfilerHostInitialize(struct profiler_host_initialize *params);
CUptiResult cuptiProfilerHostDeinitialize(struct profiler_host_deinitialize *params);
CUptiResult cuptiProfilerHostConfigAddMetrics(struct profiler_host_add_metrics *params);
CUptiResult cuptiProfilerHostGetConfigImageSize(struct profiler_host_config_size *params);
CUptiResult cuptiProfilerHostGetConfigImage(struct profiler_host_config *params);
CUptiResult cuptiProfilerHostGetNumOfPasses(struct profiler_host_passes *params);
CUptiResult cuptiProfilerHostEvaluateToGpuValues(struct profiler_host_evaluate *params);

#endif
