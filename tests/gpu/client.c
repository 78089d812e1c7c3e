/* gpu-client: a program that profiles itself with CUPTI, as some libraries do. It says how many of its own records it
 * got, and whether CUPTI let it: "subscribe R, register R, enable R, records N". */
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 1 << 20, MEMSETS = 300 };

static int records;

static void CUPTIAPI requested(uint8_t **ret_buffer, size_t *ret_size, size_t *ret_limit)
{
    *ret_buffer = malloc(BUFFER_BYTES);
    *ret_size = BUFFER_BYTES;
    *ret_limit = 0;
}

static void CUPTIAPI completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    CUpti_Activity *record = NULL;
    (void)context, (void)stream, (void)size;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        records += record->kind == CUPTI_ACTIVITY_KIND_MEMSET;
    free(buffer);
}

static void CUPTIAPI called(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)user, (void)domain, (void)id, (void)data;
}

int main(void)
{
    CUpti_SubscriberHandle subscriber;
    void *memory = NULL;
    int subscribe = cuptiSubscribe(&subscriber, called, NULL);
    int reg = cuptiActivityRegisterCallbacks(requested, completed);
    int enable = cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    if (cudaMalloc(&memory, 4096) != cudaSuccess)
        return 90;
    for (int i = 0; i < MEMSETS; i++)
        if (cudaMemsetAsync(memory, i, 4096, 0) != cudaSuccess)
            return 91;
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 92;
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    printf("subscribe %d, register %d, enable %d, records %d\n", subscribe, reg, enable, records);
    return 0;
}
