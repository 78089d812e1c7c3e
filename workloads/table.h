/* table.h - the built-in workloads, one row each: `cugantt run --list`, the program and the tests read it. No CUDA. */
#ifndef CUGANTT_WORKLOADS_TABLE_H
#define CUGANTT_WORKLOADS_TABLE_H

/* X(name, function, default MiB, default rounds, title of its chart, what it does) */
#define WORKLOADS(X)                                                                                              \
    X("pageable", workload_pageable, 64, 2, "Copies from and to pageable host memory",                            \
      "cudaMemcpy and cudaMemcpyAsync, both directions, memory from malloc")                                      \
    X("pinned", workload_pinned, 64, 2, "Copies from and to pinned host memory",                                  \
      "cudaMemcpy and cudaMemcpyAsync, both directions, memory from cudaMallocHost")                              \
    X("default-stream", workload_default_stream, 0, 3,                                                            \
      "Kernels in three streams, one of them the legacy default stream",                                          \
      "kernels on two blocking streams and the legacy default stream: they take turns")                           \
    X("explicit-stream", workload_explicit_stream, 0, 3, "Kernels in three explicit streams",                     \
      "the same kernels on three streams of their own: they overlap")                                             \
    X("pipeline-pageable", workload_pipeline_pageable, 32, 8,                                                     \
      "Chunked pipeline on two streams, pageable host memory",                                                    \
      "copy in, kernel, copy out, chunk by chunk on two streams; memory from malloc")                             \
    X("pipeline-pinned", workload_pipeline_pinned, 32, 8,                                                         \
      "Chunked pipeline on two streams, pinned host memory",                                                      \
      "copy in, kernel, copy out, chunk by chunk on two streams; memory from cudaMallocHost")                     \
    X("staging", workload_staging, 16, 1, "What a staged copy really does: pageable, pinned, both directions",    \
      "pageable and pinned copies of three sizes, both directions; to be recorded with --pcie")                   \
    X("both-ways", workload_both_ways, 32, 1, "Pinned copies in, out, and both at once",                          \
      "pinned copies in, out and both at once on two streams; to be recorded with --pcie")                        \
    X("to-device-a", workload_to_device_a, 763, 3, "to_device, again and again",                                  \
      "copies of 800 MB from pageable memory on the default stream")                                              \
    X("to-device-b", workload_to_device_b, 763, 3, "synchronize with nothing pending",                            \
      "synchronise calls after all is done")                                                                      \
    X("to-device-c", workload_to_device_c, 763, 3, "to_device, then synchronize",                                 \
      "a pageable copy, then a synchronise call")                                                                 \
    X("to-device-d", workload_to_device_d, 763, 3, "to_device on a stream",                                       \
      "pageable copies with cudaMemcpyAsync on a stream")                                                         \
    X("to-device-e", workload_to_device_e, 763, 3, "to_device on a stream, then synchronize",                     \
      "a pageable copy on a stream, then a synchronise call")                                                     \
    X("to-device-f", workload_to_device_f, 763, 3, "synchronize, then to_device on a stream",                     \
      "a synchronise call, then a pageable copy on a stream")                                                     \
    X("to-device-g", workload_to_device_g, 763, 1, "to_device behind kernels: default stream, pageable memory",   \
      "kernels, then a pageable copy on the default stream: the host waits for both")                             \
    X("to-device-g-stream", workload_to_device_g_stream, 763, 1,                                                  \
      "to_device beside kernels: non-blocking stream, pageable memory",                                           \
      "the same with the copy on a non-blocking stream")                                                          \
    X("to-device-g-pinned", workload_to_device_g_pinned, 763, 1,                                                  \
      "to_device behind kernels: default stream, pinned memory",                                                  \
      "the same with a pinned copy on the default stream")                                                        \
    X("to-device-g-stream-pinned", workload_to_device_g_stream_pinned, 763, 1,                                    \
      "to_device beside kernels: non-blocking stream, pinned memory",                                             \
      "the same with a pinned copy on a non-blocking stream")                                                     \
    X("to-device-h", workload_to_device_h, 763, 1, "One to_device; see what the link does",                       \
      "one pageable copy of 800 MB; to be recorded with --pcie")                                                  \
    X("to-device-i", workload_to_device_i, 763, 2, "to_device from pinned memory",                                \
      "copies of 800 MB from pinned memory, on the default stream and on a stream")

#endif
