#include "calls.h"

#include <ctype.h>
#include <string.h>

/* First match wins, so longer prefixes stand before shorter ones. */
static const struct call_row {
    const char *prefix;
    enum call_class call_class;
} rows[] = {
    {"cudaLaunchHostFunc", CALL_HOST_FUNC},
    {"cudaStreamAddCallback", CALL_HOST_FUNC},
    {"cuLaunchHostFunc", CALL_HOST_FUNC},
    {"cuStreamAddCallback", CALL_HOST_FUNC},
    {"cudaLaunch", CALL_LAUNCH},
    {"cudaGraphLaunch", CALL_LAUNCH},
    {"cuLaunch", CALL_LAUNCH},
    {"cuGraphLaunch", CALL_LAUNCH},
    {"cudaMemcpy", CALL_COPY},
    {"cudaMemPrefetch", CALL_COPY},
    {"cuMemcpy", CALL_COPY},
    {"cuMemPrefetch", CALL_COPY},
    {"cudaMemset", CALL_MEMSET},
    {"cuMemset", CALL_MEMSET},
    {"cudaDeviceSynchronize", CALL_SYNC},
    {"cudaThreadSynchronize", CALL_SYNC},
    {"cudaStreamSynchronize", CALL_SYNC},
    {"cudaEventSynchronize", CALL_SYNC},
    {"cuCtxSynchronize", CALL_SYNC},
    {"cuStreamSynchronize", CALL_SYNC},
    {"cuEventSynchronize", CALL_SYNC},
    {"cudaMalloc", CALL_ALLOC},
    {"cudaFree", CALL_ALLOC},
    {"cudaHostAlloc", CALL_ALLOC},
    {"cudaHostRegister", CALL_ALLOC},
    {"cudaHostUnregister", CALL_ALLOC},
    {"cudaMemPoolCreate", CALL_ALLOC},
    {"cudaMemPoolDestroy", CALL_ALLOC},
    {"cudaMemPoolTrim", CALL_ALLOC},
    {"cuMemAlloc", CALL_ALLOC},
    {"cuMemFree", CALL_ALLOC},
    {"cuMemHostAlloc", CALL_ALLOC},
    {"cuMemHostRegister", CALL_ALLOC},
    {"cuMemHostUnregister", CALL_ALLOC},
    {"cuMemCreate", CALL_ALLOC},
    {"cuMemMap", CALL_ALLOC},
    {"cuMemUnmap", CALL_ALLOC},
    {"cuMemRelease", CALL_ALLOC},
    {"cuMemSetAccess", CALL_ALLOC},
    {"cuMemPoolCreate", CALL_ALLOC},
    {"cuMemPoolDestroy", CALL_ALLOC},
    {"cuMemPoolTrim", CALL_ALLOC},
    /* the runtime loads a kernel's code when its attributes are first asked for */
    {"cudaFuncGetAttributes", CALL_MODULE},
    {"cudaLibrary", CALL_MODULE},
    {"cuLibrary", CALL_MODULE},
    {"cuModule", CALL_MODULE},
    {"cuLink", CALL_MODULE},
    {"cuKernelGetFunction", CALL_MODULE},
    {"cudaGraphInstantiate", CALL_MODULE},
    {"cuGraphInstantiate", CALL_MODULE},
    {"cudaEventRecord", CALL_EVENT},
    {"cudaStreamWaitEvent", CALL_EVENT},
    {"cuEventRecord", CALL_EVENT},
    {"cuStreamWaitEvent", CALL_EVENT},
    {"cuCtxCreate", CALL_CONTEXT},
    {"cuCtxDestroy", CALL_CONTEXT},
    {"cuDevicePrimaryCtx", CALL_CONTEXT},
    {"cudaDeviceReset", CALL_CONTEXT},
    {"cudaInitDevice", CALL_CONTEXT},
    /* of AMD's calls these have no equal in CUDA's runtime */
    {"hipModuleLaunch", CALL_LAUNCH},
    {"hipExtModuleLaunch", CALL_LAUNCH},
    {"hipExtLaunch", CALL_LAUNCH},
    {"hipHccModuleLaunch", CALL_LAUNCH},
    {"hipModule", CALL_MODULE},
    {"hipHostMalloc", CALL_ALLOC},
    {"hipHostFree", CALL_ALLOC},
};

/* AMD's runtime names its calls as CUDA's does, with another first syllable. */
static bool begins_with(const char *name, const char *prefix)
{
    const char *cuda = "cuda", *hip = "hip";
    if (strncmp(name, hip, strlen(hip)) == 0 && strncmp(prefix, cuda, strlen(cuda)) == 0) {
        name += strlen(hip);
        prefix += strlen(cuda);
    }
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

enum call_class call_classify(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (begins_with(name, rows[i].prefix))
            return rows[i].call_class;
    return CALL_OTHER;
}

bool call_is_synchronous_copy(const char *name)
{
    return call_classify(name) == CALL_COPY && strstr(name, "Async") == NULL && strstr(name, "Prefetch") == NULL;
}

int call_short_length(const char *name)
{
    const char *end = name + strlen(name);
    for (const char *p = strchr(name, '_'); p != NULL; p = strchr(p + 1, '_')) {
        bool version = p[1] == 'v' && isdigit((unsigned char)p[2]);
        if (version || strncmp(p, "_ptsz", 5) == 0 || strncmp(p, "_ptds", 5) == 0)
            return (int)(p - name);
    }
    return (int)(end - name);
}
