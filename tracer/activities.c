#include "activities.h"

#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "cupti_library.h"
#include "output.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    REQUIRED = 1, /* without it a trace is of no use */
    ALWAYS = 2,   /* also while recording is off: CUPTI tells of it once, when it is made */
    CALLS = 4,    /* not if calls are chosen one by one, or not wanted */
    GRAPHS = 8,   /* only if launches of graphs are wanted whole: CUPTI then has no records of their nodes */
};

/* In the order in which they are turned on; off in the reverse, so that no work is recorded without its call. */
static const struct activity {
    CUpti_ActivityKind kind;
    const char *name;
    int flags;
} activities[] = {
    {CUPTI_ACTIVITY_KIND_DEVICE, "device", ALWAYS},
    {CUPTI_ACTIVITY_KIND_CONTEXT, "context", ALWAYS},
    {CUPTI_ACTIVITY_KIND_STREAM, "stream", ALWAYS},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "runtime", REQUIRED | CALLS},
    {CUPTI_ACTIVITY_KIND_DRIVER, "driver", CALLS},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "sync", 0},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "event", 0},
    {CUPTI_ACTIVITY_KIND_MEMORY2, "memory", 0},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "overhead", 0},
    {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, "graph", GRAPHS},
    {CUPTI_ACTIVITY_KIND_MEMSET, "memset", 0},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, "peer-copy", 0},
    {CUPTI_ACTIVITY_KIND_MEMCPY, "copy", REQUIRED},
    /* KIND_KERNEL would make kernels wait for each other */
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernel", REQUIRED},
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

/* Calls that only ask, take next to no time and come in numbers, most of them from the runtime, CUPTI and PyTorch
 * themselves: recording them would cost the program more than they do. In a small PyTorch training loop they were
 * 38,000 of 43,000 calls. By callback id, since the names are newer than
 * some headers; ids never change. */
static const struct quiet_call {
    CUpti_CallbackId id;
    const char *name;
    CUptiResult (**enable)(CUpti_CallbackId id, uint8_t enable);
} quiet_calls[] = {
    {10, "cudaGetLastError", &cupti.ActivityEnableRuntimeApi},
    {11, "cudaPeekAtLastError", &cupti.ActivityEnableRuntimeApi},
    {12, "cudaGetErrorString", &cupti.ActivityEnableRuntimeApi},
    {17, "cudaGetDevice", &cupti.ActivityEnableRuntimeApi},
    {151, "cudaPointerGetAttributes", &cupti.ActivityEnableRuntimeApi},
    {200, "cudaDeviceGetAttribute", &cupti.ActivityEnableRuntimeApi},
    {210, "cudaOccupancyMaxActiveBlocksPerMultiprocessor", &cupti.ActivityEnableRuntimeApi},
    {251, "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", &cupti.ActivityEnableRuntimeApi},
    {317, "cudaStreamIsCapturing", &cupti.ActivityEnableRuntimeApi},
    {318, "cudaStreamIsCapturing_ptsz", &cupti.ActivityEnableRuntimeApi},
    {433, "cudaOccupancyMaxActiveClusters", &cupti.ActivityEnableRuntimeApi},
    {9, "cuDeviceGetAttribute", &cupti.ActivityEnableDriverApi},
    {304, "cuCtxGetCurrent", &cupti.ActivityEnableDriverApi},
    {374, "cuOccupancyMaxActiveBlocksPerMultiprocessor", &cupti.ActivityEnableDriverApi},
    {392, "cuDevicePrimaryCtxGetState", &cupti.ActivityEnableDriverApi},
    {451, "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", &cupti.ActivityEnableDriverApi},
    {626, "cuGetProcAddress", &cupti.ActivityEnableDriverApi},
    {676, "cuOccupancyMaxActiveClusters", &cupti.ActivityEnableDriverApi},
    {677, "cuGetProcAddress_v2", &cupti.ActivityEnableDriverApi},
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

static const struct settings *settings;

void activities_choose(const struct settings *borrowed)
{
    settings = borrowed;
}

static bool calls_are(const char *choice)
{
    return strcmp(settings->calls, choice) == 0;
}

static bool is_wanted(const struct activity *activity)
{
    if ((activity->flags & CALLS) != 0)
        return !calls_are("none") && !(calls_are("blocking") && calls_choosable(activity->kind));
    return (activity->flags & GRAPHS) == 0 || settings->whole_graphs;
}

/* CUPTI forgets the choice of single calls whenever their kind is turned on. `ret_silenced` gets their names. */
static void calls_choose(char *ret_silenced, size_t size)
{
    *ret_silenced = '\0';
    if (calls_are("blocking"))
        calls_enable_blocking();
    for (size_t i = 0; calls_are("") && i < COUNT(quiet_calls); i++)
        if (*quiet_calls[i].enable != NULL && (*quiet_calls[i].enable)(quiet_calls[i].id, 0) == CUPTI_SUCCESS)
            name_append(ret_silenced, size, quiet_calls[i].name);
}

static void properties_set(const char *silenced, const char *refused)
{
    output_property("not_recorded", refused);
    output_property("calls_not_recorded", silenced);
    output_property("calls", settings->calls);
    output_property("graphs", settings->whole_graphs ? "whole" : "");
}

bool activities_enable(struct error *err)
{
    char refused[256] = "", silenced[1024];
    for (size_t i = 0; i < COUNT(activities); i++) {
        if (!is_wanted(&activities[i]))
            continue;
        CUptiResult result = cupti.ActivityEnable(activities[i].kind);
        if (result == CUPTI_SUCCESS)
            continue;
        if ((activities[i].flags & REQUIRED) != 0)
            return error_set(err, NULL, -1, "CUPTI does not record %s: %s", activities[i].name,
                             cupti_library_result_text(result));
        name_append(refused, sizeof refused, activities[i].name);
    }
    calls_choose(silenced, sizeof silenced);
    properties_set(silenced, refused);
    return true;
}

static void switch_off(void)
{
    for (size_t i = COUNT(activities); i-- > 0;)
        if ((activities[i].flags & ALWAYS) == 0)
            cupti.ActivityDisable(activities[i].kind);
}

void activities_switch(bool on)
{
    char silenced[1024];
    if (!on) {
        switch_off();
        return;
    }
    for (size_t i = 0; i < COUNT(activities); i++)
        if ((activities[i].flags & ALWAYS) == 0 && is_wanted(&activities[i]))
            cupti.ActivityEnable(activities[i].kind);
    calls_choose(silenced, sizeof silenced);
}
