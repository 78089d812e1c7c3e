#include "sampler.h"

#include <cupti_pmsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <stdlib.h>

#include "cupti_library.h"
#include "profiler_host.h"

/* "pcie" is the device's view: it reads what goes to it. */
static const char *metrics[] = {"pcie__read_bytes.sum", "pcie__write_bytes.sum"};

enum {
    METRICS = 2,
    DEVICE_BUFFER_BYTES = 64 << 20, /* where the device puts samples until they are read */
    LEAST_SAMPLES = 4096,           /* of an image, */
    MOST_SAMPLES = 65536,           /* which takes 91 bytes for each */
    SYSTEM_CLOCK_MHZ = 1700,        /* about; for devices whose monitors count its cycles rather than time */
};

struct sampler {
    size_t device;
    CUpti_PmSampling_Object *object;
    struct profiler_host *host;
    uint8_t *availability, *config, *image;
    size_t config_bytes, image_bytes, capacity, count;
    bool running;
};

/* X(function without "cupti") */
#define FUNCTIONS(X)                          \
    X(ProfilerInitialize)                     \
    X(DeviceGetChipName)                      \
    X(ProfilerHostInitialize)                 \
    X(ProfilerHostDeinitialize)               \
    X(ProfilerHostConfigAddMetrics)           \
    X(ProfilerHostGetConfigImageSize)         \
    X(ProfilerHostGetConfigImage)             \
    X(ProfilerHostGetNumOfPasses)             \
    X(ProfilerHostEvaluateToGpuValues)        \
    X(PmSamplingGetCounterAvailability)       \
    X(PmSamplingEnable)                       \
    X(PmSamplingDisable)                      \
    X(PmSamplingSetConfig)                    \
    X(PmSamplingGetCounterDataSize)           \
    X(PmSamplingCounterDataImageInitialize)   \
    X(PmSamplingStart)                        \
    X(PmSamplingStop)                         \
    X(PmSamplingDecodeData)                   \
    X(PmSamplingGetCounterDataInfo)           \
    X(PmSamplingCounterDataGetSampleInfo)

static struct {
#define X(name) __typeof__(cupti##name) *name;
    FUNCTIONS(X)
#undef X
} pm;

static const struct symbol {
    const char *name;
    void **target;
} symbols[] = {
#define X(name) {"cupti" #name, (void **)&pm.name},
    FUNCTIONS(X)
#undef X
};

/* What a result means here, and what can be done; CUPTI's own text for all others. */
static const struct reason {
    CUptiResult result;
    const char *text;
} reasons[] = {
#define NOT_PERMITTED                                                                                                   \
    "the driver does not permit it: run as root or with the capability CAP_SYS_ADMIN, or load the kernel module "        \
    "nvidia with NVreg_RestrictProfilingToAdminUsers=0"
#define BUSY "another profiler holds the device's counters"
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, NOT_PERMITTED},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, NOT_PERMITTED},
    {CUPTI_ERROR_HARDWARE_BUSY, BUSY},
    {CUPTI_ERROR_INVALID_OPERATION, BUSY}, /* of Enable: somebody in this process has enabled it */
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, BUSY},
    {CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, BUSY},
    {CUPTI_ERROR_NOT_SUPPORTED, "not supported on this device"},
    {CUPTI_ERROR_INVALID_CHIP_NAME, "this CUPTI does not know the device"},
    {CUPTI_ERROR_INVALID_METRIC_NAME, "the device has no counters of its PCIe link"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "not supported on virtual devices"},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "not supported under confidential computing"},
    {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "not supported on MIG devices"},
    {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "not supported under WSL"},
#undef NOT_PERMITTED
#undef BUSY
};

static bool refuse(struct error *err, const char *step, CUptiResult result)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].result == result)
            return error_set(err, NULL, -1, "%s (%s: CUPTI error %d)", reasons[i].text, step, (int)result);
    return error_set(err, NULL, -1, "%s (%s: CUPTI error %d)", cupti_library_result_text(result), step, (int)result);
}

#define PARAMS(name, type, ...) type##_Params name = {.structSize = type##_Params_STRUCT_SIZE, __VA_ARGS__}

static bool library_find(struct error *err)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if ((*symbols[i].target = cupti_library_symbol(symbols[i].name)) == NULL)
            return error_set(err, NULL, -1, "this CUPTI (version %u) cannot: CUDA 12.6 or newer is needed",
                             cupti.version);
    PARAMS(initialize, CUpti_Profiler_Initialize, .pPriv = NULL);
    CUptiResult result = pm.ProfilerInitialize(&initialize);
    return result == CUPTI_SUCCESS || refuse(err, "initialize", result);
}

/* Which counters are there. CUPTI may look at it as long as the host object lives. */
static bool availability_get(struct sampler *s, struct error *err)
{
    PARAMS(params, CUpti_PmSampling_GetCounterAvailability, .deviceIndex = s->device);
    CUptiResult result = pm.PmSamplingGetCounterAvailability(&params);
    if (result != CUPTI_SUCCESS)
        return refuse(err, "counters", result);
    s->availability = calloc(1, params.counterAvailabilityImageSize + 1);
    if (s->availability == NULL)
        return error_set(err, NULL, -1, "no memory");
    params.pCounterAvailabilityImage = s->availability;
    result = pm.PmSamplingGetCounterAvailability(&params);
    return result == CUPTI_SUCCESS || refuse(err, "counters", result);
}

static bool host_create(struct sampler *s, struct error *err)
{
    PARAMS(chip, CUpti_Device_GetChipName, .deviceIndex = s->device);
    CUptiResult result = pm.DeviceGetChipName(&chip);
    if (result != CUPTI_SUCCESS)
        return refuse(err, "chip", result);
    struct profiler_host_initialize host = {
        .size = sizeof host,
        .kind = PROFILER_HOST_PM_SAMPLING,
        .chip = chip.pChipName,
        .counter_availability = s->availability,
    };
    result = pm.ProfilerHostInitialize(&host);
    if (result != CUPTI_SUCCESS)
        return refuse(err, "host", result);
    s->host = host.ret_host;
    struct profiler_host_add_metrics add = {sizeof add, NULL, s->host, metrics, METRICS};
    result = pm.ProfilerHostConfigAddMetrics(&add);
    return result == CUPTI_SUCCESS || refuse(err, "metrics", result);
}

static bool config_create(struct sampler *s, struct error *err)
{
    struct profiler_host_config_size size = {sizeof size, NULL, s->host, 0};
    CUptiResult result = pm.ProfilerHostGetConfigImageSize(&size);
    if (result != CUPTI_SUCCESS)
        return refuse(err, "configuration", result);
    s->config_bytes = size.ret_bytes;
    s->config = calloc(1, s->config_bytes + 1);
    if (s->config == NULL)
        return error_set(err, NULL, -1, "no memory");
    struct profiler_host_config config = {sizeof config, NULL, s->host, s->config_bytes, s->config};
    result = pm.ProfilerHostGetConfigImage(&config);
    if (result != CUPTI_SUCCESS)
        return refuse(err, "configuration", result);
    struct profiler_host_passes passes = {sizeof passes, NULL, s->config_bytes, s->config, 0};
    result = pm.ProfilerHostGetNumOfPasses(&passes);
    if (result == CUPTI_SUCCESS && passes.ret_passes != 1)
        return error_set(err, NULL, -1, "the device cannot count both directions at once");
    return result == CUPTI_SUCCESS || refuse(err, "configuration", result);
}

static bool image_clear(struct sampler *s, struct error *err)
{
    PARAMS(params, CUpti_PmSampling_CounterDataImage_Initialize, .pPmSamplingObject = s->object,
           .counterDataSize = s->image_bytes, .pCounterData = s->image);
    CUptiResult result = pm.PmSamplingCounterDataImageInitialize(&params);
    return result == CUPTI_SUCCESS || refuse(err, "samples", result);
}

static bool image_create(struct sampler *s, struct error *err)
{
    PARAMS(size, CUpti_PmSampling_GetCounterDataSize, .pPmSamplingObject = s->object, .pMetricNames = metrics,
           .numMetrics = METRICS, .maxSamples = (uint32_t)s->capacity);
    CUptiResult result = pm.PmSamplingGetCounterDataSize(&size);
    if (result != CUPTI_SUCCESS)
        return refuse(err, "samples", result);
    s->image_bytes = size.counterDataSize;
    s->image = calloc(1, s->image_bytes + 1);
    return s->image != NULL ? image_clear(s, err) : error_set(err, NULL, -1, "no memory");
}

/* By time where the device can, which holds whatever its clocks do; else by cycles of its system clock. */
static bool configure(struct sampler *s, int64_t interval_ns, struct error *err)
{
    PARAMS(params, CUpti_PmSampling_SetConfig, .pPmSamplingObject = s->object, .configSize = s->config_bytes,
           .pConfig = s->config, .hardwareBufferSize = DEVICE_BUFFER_BYTES, .samplingInterval = (uint64_t)interval_ns,
           .triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL,
           .hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST);
    CUptiResult result = pm.PmSamplingSetConfig(&params);
    if (result == CUPTI_ERROR_NOT_SUPPORTED || result == CUPTI_ERROR_INVALID_PARAMETER) {
        params.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL;
        params.samplingInterval = (uint64_t)interval_ns * SYSTEM_CLOCK_MHZ / 1000;
        result = pm.PmSamplingSetConfig(&params);
    }
    return result == CUPTI_SUCCESS || refuse(err, "set", result);
}

static bool enable(struct sampler *s, struct error *err)
{
    PARAMS(params, CUpti_PmSampling_Enable, .deviceIndex = s->device);
    CUptiResult result = pm.PmSamplingEnable(&params);
    if (result != CUPTI_SUCCESS)
        return refuse(err, "enable", result);
    s->object = params.pPmSamplingObject;
    return true;
}

static bool set_up(struct sampler *s, int64_t interval_ns, struct error *err)
{
    return library_find(err) && availability_get(s, err) && host_create(s, err) && config_create(s, err) &&
           enable(s, err) && configure(s, interval_ns, err) && image_create(s, err);
}

/* What does not fit into an image is lost, whatever CUPTI says of asking again (H200, CUDA 13.0). */
static size_t capacity_of(int64_t interval_ns)
{
    int64_t samples = SAMPLER_MS * INT64_C(1000000) / interval_ns;
    return samples < LEAST_SAMPLES ? LEAST_SAMPLES : samples > MOST_SAMPLES ? MOST_SAMPLES : (size_t)samples;
}

struct sampler *sampler_create(uint32_t device, int64_t interval_ns, struct error *err)
{
    struct sampler *s = calloc(1, sizeof *s);
    if (s == NULL) {
        error_set(err, NULL, -1, "no memory");
        return NULL;
    }
    s->device = device;
    s->capacity = capacity_of(interval_ns);
    if (set_up(s, interval_ns, err))
        return s;
    sampler_destroy(s);
    return NULL;
}

void sampler_destroy(struct sampler *s)
{
    if (s == NULL)
        return;
    sampler_stop(s);
    if (s->object != NULL) {
        PARAMS(params, CUpti_PmSampling_Disable, .pPmSamplingObject = s->object);
        pm.PmSamplingDisable(&params);
    }
    if (s->host != NULL) {
        struct profiler_host_deinitialize params = {sizeof params, NULL, s->host};
        pm.ProfilerHostDeinitialize(&params);
    }
    free(s->availability);
    free(s->config);
    free(s->image);
    free(s);
}

bool sampler_start(struct sampler *s, struct error *err)
{
    PARAMS(params, CUpti_PmSampling_Start, .pPmSamplingObject = s->object);
    CUptiResult result = pm.PmSamplingStart(&params);
    s->running = result == CUPTI_SUCCESS;
    return s->running || refuse(err, "start", result);
}

void sampler_stop(struct sampler *s)
{
    PARAMS(params, CUpti_PmSampling_Stop, .pPmSamplingObject = s->object);
    if (s->running)
        pm.PmSamplingStop(&params);
    s->running = false;
}

static bool sample_get(struct sampler *s, size_t index, struct sample *ret_sample)
{
    double values[METRICS] = {0};
    PARAMS(times, CUpti_PmSampling_CounterData_GetSampleInfo, .pPmSamplingObject = s->object,
           .pCounterDataImage = s->image, .counterDataImageSize = s->image_bytes, .sampleIndex = index);
    struct profiler_host_evaluate evaluate = {sizeof evaluate, NULL, s->host, s->image, s->image_bytes, index, metrics,
                                              METRICS, values};
    if (pm.PmSamplingCounterDataGetSampleInfo(&times) != CUPTI_SUCCESS ||
        pm.ProfilerHostEvaluateToGpuValues(&evaluate) != CUPTI_SUCCESS)
        return false;
    *ret_sample = (struct sample){(int64_t)times.startTimestamp, (int64_t)times.endTimestamp, values[0], values[1]};
    return ret_sample->begin_ns > 0 && ret_sample->end_ns > ret_sample->begin_ns;
}

size_t sampler_get(struct sampler *s, size_t first, size_t limit, struct sample *ret_samples)
{
    size_t count = 0;
    for (size_t i = first; i < s->count && i < first + limit; i++)
        count += sample_get(s, i, &ret_samples[count]);
    return count;
}

struct samples sampler_read(struct sampler *s)
{
    PARAMS(params, CUpti_PmSampling_DecodeData, .pPmSamplingObject = s->object, .pCounterDataImage = s->image,
           .counterDataImageSize = s->image_bytes);
    PARAMS(info, CUpti_PmSampling_GetCounterDataInfo, .pCounterDataImage = s->image,
           .counterDataImageSize = s->image_bytes);
    s->count = 0;
    if (!image_clear(s, NULL))
        return (struct samples){0};
    CUptiResult result = pm.PmSamplingDecodeData(&params);
    bool overflow = params.overflow != 0 || result == CUPTI_ERROR_OUT_OF_MEMORY;
    if ((result == CUPTI_SUCCESS || overflow) && pm.PmSamplingGetCounterDataInfo(&info) == CUPTI_SUCCESS)
        s->count = info.numCompletedSamples;
    return (struct samples){s->count, overflow};
}
