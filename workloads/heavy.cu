/* Kernels with much code, so that loading one takes time. The driver loads each when it is first launched, unless told to
 * load all at the start (CUDA_MODULE_LOADING=EAGER). */
extern "C" {
#include "workloads.h"
}

/* 4096 instructions, 64 KiB. As one text, since unrolling a loop takes the compiler minutes. */
#define FOUR(text) text text text text
#define MANY(text) FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(text))))))

template <int NTH> static __global__ void heavy(float *result)
{
    float value = threadIdx.x;
    if (result == nullptr)
        return;
    asm volatile(MANY("fma.rn.f32 %0, %0, %1, %1;\n\t") : "+f"(value) : "f"(result[NTH]));
    result[threadIdx.x] = value;
}

extern "C" cudaError_t heavy_launch(unsigned nth, cudaStream_t stream)
{
    static void (*const kernels[HEAVY_KERNELS])(float *) = {heavy<0>, heavy<1>, heavy<2>, heavy<3>,
                                                            heavy<4>, heavy<5>, heavy<6>, heavy<7>};
    kernels[nth]<<<1, 32, 0, stream>>>(nullptr);
    return cudaGetLastError();
}
