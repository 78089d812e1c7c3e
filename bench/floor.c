/* floor.c - the least that tracing through CUPTI can cost: a client that asks for the records that cugantt records by default
 * and throws them away. An injection library (CUDA_INJECTION64_PATH), linked with libcupti. */
#include <cupti.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 8 << 20, POOL = 64 };

static uint8_t *pool[POOL];
static int pooled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void CUPTIAPI requested(uint8_t **buffer, size_t *size, size_t *most)
{
    pthread_mutex_lock(&lock);
    *buffer = pooled > 0 ? pool[--pooled] : NULL;
    pthread_mutex_unlock(&lock);
    if (*buffer == NULL)
        *buffer = calloc(1, BUFFER_BYTES);
    *size = BUFFER_BYTES;
    *most = 0;
}

static void CUPTIAPI completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)size;
    memset(buffer, 0, valid);
    pthread_mutex_lock(&lock);
    if (pooled < POOL) {
        pool[pooled++] = buffer;
        buffer = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(buffer);
}

static void *flush(void *unused)
{
    for (;;) {
        usleep(100000);
        cuptiActivityFlushAll(0);
    }
    return unused;
}

int InitializeInjection(void)
{
    static const CUpti_ActivityKind kinds[] = {
        CUPTI_ACTIVITY_KIND_DEVICE,  CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM,
        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
        CUPTI_ACTIVITY_KIND_MEMSET,  CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_MEMORY2,
        CUPTI_ACTIVITY_KIND_OVERHEAD};
    uint8_t zeroed = 1;
    size_t size = sizeof zeroed;
    pthread_t thread;
    cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
    cuptiActivityRegisterCallbacks(requested, completed);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        cuptiActivityEnable(kinds[i]);
    pthread_create(&thread, NULL, flush, NULL);
    return 1;
}
