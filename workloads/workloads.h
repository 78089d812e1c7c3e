/* workloads.h - what the workloads share. Each is a function that does its set-up and then its measured part.
 *
 * The set-up (context, loading of the kernel, memory touched, streams) issues no GPU work, so that a trace from the
 * first to the last operation shows the measured part and nothing else.
 */
#ifndef CUGANTT_WORKLOADS_H
#define CUGANTT_WORKLOADS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

struct workload_options {
    size_t bytes;    /* of each copy */
    uint32_t rounds; /* or chunks */
    bool fixed;      /* without what the workload shows */
};

typedef void workload_main(const struct workload_options *options);

#define X(name, function, mib, rounds, title, fixed, about) workload_main function;
WORKLOADS(X)
#undef X

/* Ends the program with the call, the error and the place, if `call` fails. */
#define CHECK(call) check_result((call), #call, __FILE__, __LINE__)
void check_result(cudaError_t result, const char *call, const char *file, int line);

/* Creates the context and loads the kernel, without launching it. */
void setup_kernel(void);

/* Host memory with all its pages there. */
void *setup_pageable(size_t bytes);
void *setup_pinned(size_t bytes);

void *setup_device(size_t bytes);

/* A stream of cudaStreamCreate(): it and the legacy default stream wait for each other. */
cudaStream_t setup_stream(void);

/* A stream that does not know the default stream. */
cudaStream_t setup_non_blocking_stream(void);

/* An event without time stamps, and a graph of what was captured from the stream, ready to be launched. */
cudaEvent_t setup_event(void);
cudaGraphExec_t setup_graph(cudaStream_t captured);

/* Keeps the host thread busy, outside CUDA. */
void host_work(uint64_t duration_ns);

/* Launches one block that spins for so many nanoseconds on the device's clock. */
cudaError_t spin_launch(uint64_t duration_ns, cudaStream_t stream);

/* The same with `blocks` blocks of 1024 threads each. */
cudaError_t spin_launch_wide(uint64_t duration_ns, unsigned blocks, cudaStream_t stream);

/* Makes the driver load the kernel. */
cudaError_t spin_load(void);

/* Launches the nth of HEAVY_KERNELS kernels with much code, none of which anything loads before. */
enum { HEAVY_KERNELS = 8 };
cudaError_t heavy_launch(unsigned nth, cudaStream_t stream);

#endif
