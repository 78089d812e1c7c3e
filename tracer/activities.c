#include "activities.h"

#include <stdio.h>
#include <string.h>

#include "cupti_library.h"
#include "output.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct activity {
    CUpti_ActivityKind kind;
    const char *name;
    bool required; /* without it a trace is of no use */
} activities[] = {
    {CUPTI_ACTIVITY_KIND_DEVICE, "device", false},
    {CUPTI_ACTIVITY_KIND_CONTEXT, "context", false},
    {CUPTI_ACTIVITY_KIND_STREAM, "stream", false},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernel", true}, /* KIND_KERNEL would make kernels wait for each other */
    {CUPTI_ACTIVITY_KIND_MEMCPY, "copy", true},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, "peer-copy", false},
    {CUPTI_ACTIVITY_KIND_MEMSET, "memset", false},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "runtime", true},
    {CUPTI_ACTIVITY_KIND_DRIVER, "driver", false},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "sync", false},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "event", false},
    {CUPTI_ACTIVITY_KIND_MEMORY2, "memory", false},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "overhead", false},
};

static const struct size_attribute {
    CUpti_ActivityAttribute attribute;
    size_t value;
} size_attributes[] = {
    /* Room for timestamps on the device: some 125,000 operations a buffer, 2 GiB at the very most. */
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, 4 << 20},
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, 512},
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, 3},
};

/* Calls that only ask, take no time and come with every launch, most of them from the runtime, CUPTI and PyTorch
 * themselves: recording them would cost the program more than they do. By callback id, since the names are newer than
 * some headers; ids never change. */
static const struct quiet_call {
    CUpti_CallbackId id;
    const char *name;
    CUptiResult (**enable)(CUpti_CallbackId id, uint8_t enable);
} quiet_calls[] = {
    {10, "cudaGetLastError", &cupti.ActivityEnableRuntimeApi},
    {11, "cudaPeekAtLastError", &cupti.ActivityEnableRuntimeApi},
    {17, "cudaGetDevice", &cupti.ActivityEnableRuntimeApi},
    {317, "cudaStreamIsCapturing", &cupti.ActivityEnableRuntimeApi},
    {304, "cuCtxGetCurrent", &cupti.ActivityEnableDriverApi},
    {392, "cuDevicePrimaryCtxGetState", &cupti.ActivityEnableDriverApi},
    {719, "cuKernelGetName", &cupti.ActivityEnableDriverApi},
};

_Static_assert(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020 == 17, "as CUPTI has it");
_Static_assert(CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000 == 317, "as CUPTI has it");
_Static_assert(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxGetState == 392, "as CUPTI has it");

void activities_configure(void)
{
    uint8_t zeroed = 1;
    size_t size = sizeof zeroed;
    cupti.ActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
    for (size_t i = 0; i < COUNT(size_attributes); i++) {
        size_t value = size_attributes[i].value;
        size = sizeof value;
        cupti.ActivitySetAttribute(size_attributes[i].attribute, &size, &value);
    }
    if (cupti.SetThreadIdType != NULL)
        cupti.SetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
}

/* A list of names, separated by spaces; what does not fit is left out. */
static void name_append(char *list, size_t size, const char *name)
{
    size_t length = strlen(list);
    if (length + strlen(name) + 2 <= size)
        snprintf(list + length, size - length, "%s%s", length > 0 ? " " : "", name);
}

static void silence_calls(void)
{
    char silenced[256] = "";
    for (size_t i = 0; i < COUNT(quiet_calls); i++)
        if (*quiet_calls[i].enable != NULL && (*quiet_calls[i].enable)(quiet_calls[i].id, 0) == CUPTI_SUCCESS)
            name_append(silenced, sizeof silenced, quiet_calls[i].name);
    output_property("calls_not_recorded", silenced);
}

bool activities_enable(struct error *err)
{
    char refused[256] = "";
    for (size_t i = 0; i < COUNT(activities); i++) {
        CUptiResult result = cupti.ActivityEnable(activities[i].kind);
        if (result == CUPTI_SUCCESS)
            continue;
        if (activities[i].required)
            return error_set(err, NULL, -1, "CUPTI does not record %s: %s", activities[i].name,
                             cupti_library_result_text(result));
        name_append(refused, sizeof refused, activities[i].name);
    }
    output_property("not_recorded", refused);
    silence_calls();
    return true;
}
