/* "Is cuda.to_device asynchronous, and which stream does it use?" - the experiments behind that question, in C. Each prints
 * what its timed part took on the host; docs/to_device.md has the story.
 *
 * You should see, letter by letter:
 *   a  copies from pageable memory: the driver stages them, the call lasts as long as the copy
 *   b  a synchronise call with nothing pending: microseconds
 *   c  the same after a copy: nothing is pending any more, since the copy's call has waited for all but its end
 *   d  the copy on a stream: cudaMemcpyAsync from pageable memory holds the host just as long
 *   e  as c, with the stream
 *   f  synchronise, then the copy on the stream: the copy is what takes the time
 *   g  kernels, then the copy: it waits for them - and which of the default stream and pageable memory makes the host wait
 *      shows in the other three: stream (non-blocking, pageable), pinned (default stream), stream and pinned
 *   h  one copy: with --pcie its bursts
 *   i  copies from pinned memory: the link's rate; on a stream the call returns at once
 */
#include <stdio.h>
#include <time.h>

#include "workloads.h"

enum { KERNEL_NS = 2000 * 1000, KERNELS = 100, DEFAULT_STREAM = 0, BLOCKING = 1, NON_BLOCKING = 2 };

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Where the copies come from and go. */
struct upload {
    size_t bytes;
    void *host, *device;
    int kind; /* of stream */
    cudaStream_t stream;
};

static struct upload upload_make(const struct workload_options *options, bool pinned, int kind)
{
    struct upload u = {.bytes = options->bytes, .kind = kind};
    setup_kernel();
    u.host = pinned ? setup_pinned(u.bytes) : setup_pageable(u.bytes);
    u.device = setup_device(u.bytes);
    if (kind == BLOCKING)
        CHECK(cudaStreamCreate(&u.stream)); /* as numba.cuda.stream() makes them */
    if (kind == NON_BLOCKING)
        CHECK(cudaStreamCreateWithFlags(&u.stream, cudaStreamNonBlocking));
    return u;
}

/* What to_device() calls: without a stream the synchronous copy. */
static void copy(const struct upload *u)
{
    if (u->kind == DEFAULT_STREAM)
        CHECK(cudaMemcpy(u->device, u->host, u->bytes, cudaMemcpyHostToDevice));
    else
        CHECK(cudaMemcpyAsync(u->device, u->host, u->bytes, cudaMemcpyHostToDevice, u->stream));
}

static void said(const char *what, double begin_ms)
{
    printf("%s: %.3f ms\n", what, now_ms() - begin_ms);
}

static void timed_copies(const struct workload_options *options, bool pinned, int kind)
{
    struct upload u = upload_make(options, pinned, kind);
    for (uint32_t round = 0; round < options->rounds; round++) {
        double begin = now_ms();
        copy(&u);
        said("copy call", begin);
        if (kind != DEFAULT_STREAM)
            CHECK(cudaStreamSynchronize(u.stream));
    }
}

/* A copy, not timed, as on the line of %%timeit; then the synchronise call. */
static void timed_synchronise(const struct workload_options *options, int kind)
{
    struct upload u = upload_make(options, false, kind);
    for (uint32_t round = 0; round < options->rounds; round++) {
        copy(&u);
        double begin = now_ms();
        CHECK(cudaDeviceSynchronize());
        said("synchronise", begin);
    }
}

static void behind_kernels(const struct workload_options *options, bool pinned, int kind)
{
    struct upload u = upload_make(options, pinned, kind);
    double begin = now_ms();
    for (int i = 0; i < KERNELS; i++)
        CHECK(spin_launch(KERNEL_NS, 0));
    said("launches", begin);
    copy(&u);
    said("and copy call", begin);
    CHECK(cudaDeviceSynchronize());
    said("and synchronise", begin);
}

void workload_to_device_a(const struct workload_options *options)
{
    timed_copies(options, false, DEFAULT_STREAM);
}

void workload_to_device_b(const struct workload_options *options)
{
    struct upload u = upload_make(options, false, DEFAULT_STREAM);
    copy(&u);
    CHECK(cudaDeviceSynchronize());
    for (uint32_t round = 0; round < options->rounds; round++) {
        double begin = now_ms();
        CHECK(cudaDeviceSynchronize());
        said("synchronise", begin);
    }
}

void workload_to_device_c(const struct workload_options *options)
{
    timed_synchronise(options, DEFAULT_STREAM);
}

void workload_to_device_d(const struct workload_options *options)
{
    timed_copies(options, false, BLOCKING);
}

void workload_to_device_e(const struct workload_options *options)
{
    timed_synchronise(options, BLOCKING);
}

void workload_to_device_f(const struct workload_options *options)
{
    struct upload u = upload_make(options, false, BLOCKING);
    for (uint32_t round = 0; round < options->rounds; round++) {
        CHECK(cudaDeviceSynchronize());
        double begin = now_ms();
        copy(&u);
        said("copy call", begin);
    }
}

void workload_to_device_g(const struct workload_options *options)
{
    behind_kernels(options, false, DEFAULT_STREAM);
}

void workload_to_device_g_stream(const struct workload_options *options)
{
    behind_kernels(options, false, NON_BLOCKING);
}

void workload_to_device_g_pinned(const struct workload_options *options)
{
    struct upload u = upload_make(options, true, DEFAULT_STREAM);
    double begin = now_ms();
    for (int i = 0; i < KERNELS; i++)
        CHECK(spin_launch(KERNEL_NS, 0));
    said("launches", begin);
    CHECK(cudaMemcpyAsync(u.device, u.host, u.bytes, cudaMemcpyHostToDevice, 0));
    said("and copy call", begin);
    CHECK(cudaDeviceSynchronize());
    said("and synchronise", begin);
}

void workload_to_device_g_stream_pinned(const struct workload_options *options)
{
    behind_kernels(options, true, NON_BLOCKING);
}

void workload_to_device_h(const struct workload_options *options)
{
    timed_copies(options, false, DEFAULT_STREAM);
}

void workload_to_device_i(const struct workload_options *options)
{
    timed_copies(options, true, DEFAULT_STREAM);
    timed_copies(options, true, BLOCKING);
}
