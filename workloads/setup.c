#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

cudaStream_t setup_non_blocking_stream(void)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

cudaEvent_t setup_event(void)
{
    cudaEvent_t event;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

cudaGraphExec_t setup_graph(cudaStream_t captured)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamEndCapture(captured, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphUpload(ready, captured));
    CHECK(cudaStreamSynchronize(captured));
    return ready;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void host_work(uint64_t duration_ns)
{
    for (uint64_t begin = now_ns(); now_ns() - begin < duration_ns;)
        continue;
}
