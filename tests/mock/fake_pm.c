/* PM sampling of the fake libcupti: a device whose bus moves 64 KiB to it and 4 KiB from it in every tenth sample, and
 * next to nothing in the others. Samples lie on CLOCK_REALTIME, from its start to the moment of reading. */
#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake_cupti.h"
#include "tracer/profiler_host.h"

enum { DEVICES = 2, MISSED = 100 };

struct CUpti_PmSampling_Object {
    bool enabled, running, overflowed, is_first;
    uint64_t interval_ns, next_ns, number, stopped_ns;
};

/* What an image of samples holds. */
struct image {
    size_t capacity, count;
    uint64_t begin_ns, interval_ns, number;
    bool is_first; /* since the start: that sample reaches back to long before it, as on the H200 */
};

static struct CUpti_PmSampling_Object objects[DEVICES];

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL ? atol(text) : 0;
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t *ret_device)
{
    *ret_device = (uint32_t)(uintptr_t)context - 1;
    return *ret_device < DEVICES ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_CONTEXT;
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *params)
{
    const struct timespec loading = {0, number_of("FAKE_PM_SETUP_MS") * 1000000};
    nanosleep(&loading, NULL);
    return params->structSize == sizeof *params ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *params)
{
    params->pChipName = "GH100";
    return params->deviceIndex < DEVICES ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_DEVICE;
}

CUptiResult cuptiPmSamplingGetCounterAvailability(CUpti_PmSampling_GetCounterAvailability_Params *params)
{
    if (params->pCounterAvailabilityImage != NULL)
        memset(params->pCounterAvailabilityImage, 1, params->counterAvailabilityImageSize);
    params->counterAvailabilityImageSize = 64;
    return params->deviceIndex < DEVICES ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_DEVICE;
}

CUptiResult cuptiProfilerHostInitialize(struct profiler_host_initialize *params)
{
    bool good = params->size == sizeof *params && params->kind == PROFILER_HOST_PM_SAMPLING &&
                strcmp(params->chip, "GH100") == 0 && params->counter_availability[63] == 1;
    params->ret_host = (struct profiler_host *)(void *)&objects;
    return good ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiProfilerHostDeinitialize(struct profiler_host_deinitialize *params)
{
    return params->host != NULL ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(struct profiler_host_add_metrics *params)
{
    bool known = params->count == 2 && strcmp(params->metrics[0], "pcie__read_bytes.sum") == 0 &&
                 strcmp(params->metrics[1], "pcie__write_bytes.sum") == 0;
    return known ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_METRIC_NAME;
}

CUptiResult cuptiProfilerHostGetConfigImageSize(struct profiler_host_config_size *params)
{
    params->ret_bytes = 16;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImage(struct profiler_host_config *params)
{
    memset(params->config, 7, params->bytes);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(struct profiler_host_passes *params)
{
    params->ret_passes = params->bytes == 16 && params->config[15] == 7 ? 1 : 2;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiPmSamplingEnable(CUpti_PmSampling_Enable_Params *params)
{
    struct CUpti_PmSampling_Object *object = &objects[params->deviceIndex];
    if (number_of("FAKE_PM_REFUSE") != 0)
        return (CUptiResult)number_of("FAKE_PM_REFUSE");
    if (object->enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    object->enabled = true;
    params->pPmSamplingObject = object;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiPmSamplingDisable(CUpti_PmSampling_Disable_Params *params)
{
    params->pPmSamplingObject->enabled = false;
    return CUPTI_SUCCESS;
}

/* It knows no interval in time, as GA100 does not, if so asked. */
CUptiResult cuptiPmSamplingSetConfig(CUpti_PmSampling_SetConfig_Params *params)
{
    bool by_clock = params->triggerMode == CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL;
    if (!by_clock && number_of("FAKE_PM_CLOCK") != 0)
        return CUPTI_ERROR_NOT_SUPPORTED;
    params->pPmSamplingObject->interval_ns = params->samplingInterval;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiPmSamplingGetCounterDataSize(CUpti_PmSampling_GetCounterDataSize_Params *params)
{
    params->counterDataSize = sizeof(struct image) + params->maxSamples;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiPmSamplingCounterDataImageInitialize(CUpti_PmSampling_CounterDataImage_Initialize_Params *params)
{
    struct image *image = (void *)params->pCounterData;
    *image = (struct image){.capacity = params->counterDataSize - sizeof *image};
    return CUPTI_SUCCESS;
}

CUptiResult cuptiPmSamplingStart(CUpti_PmSampling_Start_Params *params)
{
    struct CUpti_PmSampling_Object *object = params->pPmSamplingObject;
    if (!object->enabled || object->running)
        return CUPTI_ERROR_INVALID_OPERATION;
    object->running = object->is_first = true;
    if (object->next_ns == 0 || !object->overflowed)
        object->next_ns = now_ns();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiPmSamplingStop(CUpti_PmSampling_Stop_Params *params)
{
    if (!params->pPmSamplingObject->running)
        return CUPTI_ERROR_INVALID_OPERATION;
    params->pPmSamplingObject->running = false;
    params->pPmSamplingObject->stopped_ns = now_ns();
    return CUPTI_SUCCESS;
}

/* The third reading finds the buffer to have overflowed, if so asked: what comes behind it is missing. */
static bool overflow(struct CUpti_PmSampling_Object *object)
{
    if (number_of("FAKE_PM_OVERFLOW") == 0 || object->overflowed || object->number < 2000)
        return false;
    object->overflowed = true;
    object->next_ns += MISSED * object->interval_ns;
    return true;
}

CUptiResult cuptiPmSamplingDecodeData(CUpti_PmSampling_DecodeData_Params *params)
{
    struct CUpti_PmSampling_Object *object = params->pPmSamplingObject;
    struct image *image = (void *)params->pCounterDataImage;
    uint64_t now = object->running ? now_ns() : object->stopped_ns;
    *image = (struct image){image->capacity, 0, object->next_ns, object->interval_ns, object->number, object->is_first};
    while (object->next_ns + object->interval_ns <= now) {
        image->count += image->count < image->capacity; /* what does not fit is lost, as on the H200 */
        object->number++;
        object->next_ns += object->interval_ns;
    }
    object->is_first = object->is_first && image->count == 0;
    params->decodeStopReason = image->count == image->capacity ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL
                                                               : CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
    params->overflow = overflow(object);
    return object->enabled ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_OPERATION;
}

CUptiResult cuptiPmSamplingGetCounterDataInfo(CUpti_PmSampling_GetCounterDataInfo_Params *params)
{
    const struct image *image = (const void *)params->pCounterDataImage;
    params->numTotalSamples = image->capacity;
    params->numPopulatedSamples = params->numCompletedSamples = image->count;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiPmSamplingCounterDataGetSampleInfo(CUpti_PmSampling_CounterData_GetSampleInfo_Params *params)
{
    const struct image *image = (const void *)params->pCounterDataImage;
    params->startTimestamp = image->begin_ns + params->sampleIndex * image->interval_ns;
    params->endTimestamp = params->startTimestamp + image->interval_ns;
    if (image->is_first && params->sampleIndex == 0)
        params->startTimestamp -= 100000000;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostEvaluateToGpuValues(struct profiler_host_evaluate *params)
{
    const struct image *image = (const void *)params->image;
    uint64_t number = image->number + params->sample;
    bool busy = number % 10 == 9;
    if (params->size != sizeof *params || params->count != 2)
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->values[0] = busy ? 65536 : 0;
    params->values[1] = busy ? 4096 : number % 2 == 0 ? 512 : 0;
    return CUPTI_SUCCESS;
}
