/* table.h - the built-in workloads, one row each: `cugantt run --list`, the program and the tests read it. No CUDA. */
#ifndef CUGANTT_WORKLOADS_TABLE_H
#define CUGANTT_WORKLOADS_TABLE_H

/* X(name, function, default MiB, default rounds, title of its chart, title with --fixed or NULL, what it does) */
#define WORKLOADS(X)                                                                                                   \
    X("pageable", workload_pageable, 64, 2, "Copies from and to pageable host memory",                                 \
      "The same copies, pinned", "cudaMemcpy and cudaMemcpyAsync, both directions, memory from malloc")                \
    X("pinned", workload_pinned, 64, 2, "Copies from and to pinned host memory",                                       \
      NULL, "cudaMemcpy and cudaMemcpyAsync, both directions, memory from cudaMallocHost")                             \
    X("default-stream", workload_default_stream, 0, 3,                                                                 \
      "Kernels in three streams, one of them the legacy default stream",                                               \
      "The same, all other streams non-blocking",                                                                      \
      "kernels on two blocking streams and the legacy default stream: they take turns")                                \
    X("explicit-stream", workload_explicit_stream, 0, 3, "Kernels in three explicit streams",                          \
      NULL, "the same kernels on three streams of their own: they overlap")                                            \
    X("pipeline-pageable", workload_pipeline_pageable, 32, 8, "Chunked pipeline on two streams, pageable host memory", \
      "The same pipeline, pinned", "copy in, kernel, copy out, chunk by chunk on two streams; memory from malloc")     \
    X("pipeline-pinned", workload_pipeline_pinned, 32, 8, "Chunked pipeline on two streams, pinned host memory",       \
      NULL, "copy in, kernel, copy out, chunk by chunk on two streams; memory from cudaMallocHost")                    \
    X("staged-behind-kernel", workload_staged_behind_kernel, 16, 2,                                                    \
      "Staged copies behind a kernel of the same stream",                                                              \
      "The same copies, pinned",                                                                                       \
      "pageable upload and download behind a kernel: the host waits for the kernel, and a second stream for the host") \
    X("copy-engine", workload_copy_engine, 32, 4, "Uploads on two streams",                                            \
      NULL, "pinned uploads on two streams at once: there is one copy engine in each direction")                       \
    X("stream-order", workload_stream_order, 32, 4, "Independent chains in one stream",                                \
      "Each chain in a stream of its own",                                                                             \
      "copy in, kernel, copy out, several independent times, all in one stream")                                       \
    X("event-chain", workload_event_chain, 0, 6, "Two streams that wait for each other's events",                      \
      "The same without the waits", "kernels on two streams, each told to wait for the other's last")                  \
    X("device-full", workload_device_full, 0, 3, "Three streams of kernels that fill the device",                      \
      NULL, "kernels on three streams, each with more blocks than the device holds")                                   \
    X("hardware-queue", workload_hardware_queue, 0, 4, "Eight streams on one hardware queue",                          \
      "Eight streams on queues of their own", "kernels issued stream by stream with CUDA_DEVICE_MAX_CONNECTIONS=1")    \
    X("launch-queue", workload_launch_queue, 0, 1200, "More launches than the queue holds",                            \
      "The other stream's work first",                                                                                 \
      "so many launches that the call blocks, with another stream's work behind them")                                 \
    X("launch-blocking", workload_launch_blocking, 0, 4, "Two streams with CUDA_LAUNCH_BLOCKING=1",                    \
      "Two streams without it", "kernels on two streams with CUDA_LAUNCH_BLOCKING=1, which makes each launch wait")    \
    X("launch-latency", workload_launch_latency, 0, 200, "Kernels too short for their launches",                       \
      "The same kernels in a graph", "very short kernels, one after another in one stream")                            \
    X("graph-order", workload_graph_order, 0, 4, "A graph whose branches wait for each other",                         \
      NULL, "a graph in which one branch waits for the other at every step")                                           \
    X("host-callback", workload_host_callback, 0, 4, "Host functions in a stream",                                     \
      "The same functions beside the stream", "kernels with host functions between them, of 500 us each")              \
    X("host-sync", workload_host_sync, 0, 6, "Synchronised after every step",                                          \
      "Synchronised once", "short kernels on two streams with a cudaDeviceSynchronize after each pair")                \
    X("host-alloc", workload_host_alloc, 8, 4, "Allocated and freed in the loop",                                      \
      "Allocated from the stream's pool",                                                                              \
      "cudaMallocHost, cudaMalloc and the freeing of both in every step of a loop")                                    \
    X("host-module-load", workload_host_module_load, 0, 1, "Kernels that run for the first time",                      \
      "The same, loaded eagerly", "first launches of eight kernels, with lazy loading")                                \
    X("host-busy", workload_host_busy, 0, 100, "Launches with work on the host between",                               \
      "The same kernels in a graph", "short kernels, with 20 us of other work on the host before each launch")         \
    X("per-thread-stream", workload_per_thread_stream, 0, 4, "Two threads, one default stream",                        \
      "Each thread's own default stream",                                                                              \
      "two threads with a stream each and launches to the default stream between them")                                \
    X("probe", workload_probe, 256, 5, "Copy rates of this machine by size",                                           \
      NULL, "measures this machine: copy rates, launches, queues; prints a table")                          \
    X("staging", workload_staging, 16, 1, "What a staged copy really does: pageable, pinned, both directions",         \
      NULL, "pageable and pinned copies of three sizes, both directions; to be recorded with --pcie")                  \
    X("both-ways", workload_both_ways, 32, 1, "Pinned copies in, out, and both at once",                               \
      NULL, "pinned copies in, out and both at once on two streams; to be recorded with --pcie")                       \
    X("to-device-a", workload_to_device_a, 763, 3, "to_device, again and again",                                       \
      NULL, "copies of 800 MB from pageable memory on the default stream")                                             \
    X("to-device-b", workload_to_device_b, 763, 3, "synchronize with nothing pending",                                 \
      NULL, "synchronise calls after all is done")                                                                     \
    X("to-device-c", workload_to_device_c, 763, 3, "to_device, then synchronize",                                      \
      NULL, "a pageable copy, then a synchronise call")                                                                \
    X("to-device-d", workload_to_device_d, 763, 3, "to_device on a stream",                                            \
      NULL, "pageable copies with cudaMemcpyAsync on a stream")                                                        \
    X("to-device-e", workload_to_device_e, 763, 3, "to_device on a stream, then synchronize",                          \
      NULL, "a pageable copy on a stream, then a synchronise call")                                                    \
    X("to-device-f", workload_to_device_f, 763, 3, "synchronize, then to_device on a stream",                          \
      NULL, "a synchronise call, then a pageable copy on a stream")                                                    \
    X("to-device-g", workload_to_device_g, 763, 1, "to_device behind kernels: default stream, pageable memory",        \
      NULL, "kernels, then a pageable copy on the default stream: the host waits for both")                            \
    X("to-device-g-stream", workload_to_device_g_stream, 763, 1,                                                       \
      "to_device beside kernels: non-blocking stream, pageable memory",                                                \
      NULL, "the same with the copy on a non-blocking stream")                                                         \
    X("to-device-g-pinned", workload_to_device_g_pinned, 763, 1,                                                       \
      "to_device behind kernels: default stream, pinned memory",                                                       \
      NULL, "the same with a pinned copy on the default stream")                                                       \
    X("to-device-g-stream-pinned", workload_to_device_g_stream_pinned, 763, 1,                                         \
      "to_device beside kernels: non-blocking stream, pinned memory",                                                  \
      NULL, "the same with a pinned copy on a non-blocking stream")                                                    \
    X("to-device-h", workload_to_device_h, 763, 1, "One to_device; see what the link does",                            \
      NULL, "one pageable copy of 800 MB; to be recorded with --pcie")                                                 \
    X("to-device-i", workload_to_device_i, 763, 2, "to_device from pinned memory",                                     \
      NULL, "copies of 800 MB from pinned memory, on the default stream and on a stream")

#endif
