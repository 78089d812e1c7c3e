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
      "copy in, kernel, copy out, chunk by chunk on two streams; memory from cudaMallocHost")                          \
    X("staging", workload_staging, 16, 1, "What a staged copy really does: pageable, pinned, both directions",    \
      "pageable and pinned copies of three sizes, both directions; to be recorded with --pcie")                   \
    X("both-ways", workload_both_ways, 32, 1, "Pinned copies in, out, and both at once",                          \
      "pinned copies in, out and both at once on two streams; to be recorded with --pcie")

#endif
