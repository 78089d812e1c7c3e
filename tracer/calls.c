#include "calls.h"

#include <string.h>

#include "cupti_library.h"

/* Beginnings of names. Asynchronous copies are among them: from pageable memory they block. */
static const char *const blocking[] = {
    "cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaMemcpy",
    "cudaMemset", "cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaHostRegister", "cudaHostUnregister",
    "cudaMemPoolTrim", "cudaMemPoolDestroy", "cudaGraphInstantiate", "cudaLibraryLoad", "cudaDeviceReset",
    "cudaInitDevice", "cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize", "cuMemcpy", "cuMemset",
    "cuMemAlloc", "cuMemFree", "cuMemHostAlloc", "cuMemHostRegister", "cuMemHostUnregister", "cuMemCreate",
    "cuMemMap", "cuMemUnmap", "cuMemRelease", "cuMemPoolTrim", "cuMemPoolDestroy", "cuModuleLoad", "cuLibraryLoad",
    "cuLinkComplete", "cuGraphInstantiate", "cuCtxCreate", "cuCtxDestroy", "cuDevicePrimaryCtx",
};

/* Callback ids of either domain lie below, with some room for newer libraries. */
enum { IDS = 2048 };

static const struct domain {
    CUpti_ActivityKind kind;
    CUpti_CallbackDomain domain;
    CUptiResult (**enable)(CUpti_CallbackId id, uint8_t enable);
} domains[] = {
    {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_CB_DOMAIN_RUNTIME_API, &cupti.ActivityEnableRuntimeApi},
    {CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API, &cupti.ActivityEnableDriverApi},
};

enum { DOMAINS = sizeof domains / sizeof *domains };

bool calls_choosable(CUpti_ActivityKind kind)
{
    for (int i = 0; i < DOMAINS; i++)
        if (domains[i].kind == kind)
            return *domains[i].enable != NULL;
    return false;
}

static bool blocks(CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    const char *name = NULL;
    if (cupti.GetCallbackName(domain, id, &name) != CUPTI_SUCCESS || name == NULL)
        return false;
    for (size_t i = 0; i < sizeof blocking / sizeof *blocking; i++)
        if (strncmp(name, blocking[i], strlen(blocking[i])) == 0)
            return true;
    return false;
}

void calls_enable_blocking(void)
{
    for (int i = 0; i < DOMAINS; i++)
        for (CUpti_CallbackId id = 1; id < IDS && *domains[i].enable != NULL; id++)
            if (blocks(domains[i].domain, id))
                (*domains[i].enable)(id, 1);
}
