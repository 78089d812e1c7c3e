#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads.h"

void check_result(cudaError_t result, const char *call, const char *file, int line)
{
    if (result == cudaSuccess)
        return;
    fprintf(stderr, "cugantt-workloads: %s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(result),
            cudaGetErrorName(result));
    exit(1);
}

void setup_kernel(void)
{
    CHECK(cudaFree(NULL)); /* creates the context */
    CHECK(spin_load());
}

void *setup_pageable(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) {
        fprintf(stderr, "cugantt-workloads: no host memory for %zu bytes\n", bytes);
        exit(1);
    }
    memset(memory, 1, bytes); /* page faults happen here, not inside the first copy */
    return memory;
}

void *setup_pinned(size_t bytes)
{
    void *memory;
    CHECK(cudaMallocHost(&memory, bytes));
    memset(memory, 1, bytes);
    return memory;
}

void *setup_device(size_t bytes)
{
    void *memory;
    CHECK(cudaMalloc(&memory, bytes));
    return memory;
}

cudaStream_t setup_stream(void)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    return stream;
}
