/* The one kernel: it keeps a stream busy for a set time, whatever the card, and needs next to nothing of it. */
extern "C" {
#include "workloads.h"
}

/* %globaltimer counts nanoseconds; its resolution is about a microsecond, on some cards 32 ns. */
static __device__ unsigned long long now_ns(void)
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

extern "C" __global__ void spin(unsigned long long duration_ns)
{
    unsigned long long begin = now_ns();
    while (now_ns() - begin < duration_ns)
        continue;
}

extern "C" cudaError_t spin_launch(uint64_t duration_ns, cudaStream_t stream)
{
    spin<<<1, 1, 0, stream>>>(duration_ns);
    return cudaGetLastError();
}

extern "C" cudaError_t spin_launch_wide(uint64_t duration_ns, unsigned blocks, cudaStream_t stream)
{
    spin<<<blocks, 1024, 0, stream>>>(duration_ns);
    return cudaGetLastError();
}

extern "C" cudaError_t spin_load(void)
{
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, spin);
}
