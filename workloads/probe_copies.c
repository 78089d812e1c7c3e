#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

enum {
    SMALLEST = 4096,
    MOST_ROUNDS = 64,
    PENDING_NS = 20 * 1000 * 1000, /* kernel in front of a copy, to see whether its call waits */
};

static const struct {
    const char *name, *arrow;
    enum cudaMemcpyKind kind;
} directions[2] = {{"to_device", "to device", cudaMemcpyHostToDevice}, {"from_device", "from device", cudaMemcpyDeviceToHost}};

static const char *const memories[2] = {"pageable", "pinned"};

struct place {
    size_t bytes;
    void *host[2]; /* pageable, pinned */
    void *device, *other;
    cudaStream_t stream, beside;
};

static void copy_start(const struct place *p, int direction, int memory, size_t bytes, cudaStream_t stream)
{
    void *device = stream == p->stream ? p->device : p->other;
    void *to = direction == 0 ? device : p->host[memory], *from = direction == 0 ? p->host[memory] : device;
    CHECK(cudaMemcpyAsync(to, from, bytes, directions[direction].kind, stream));
}

/* Bytes per nanosecond from call to end, the median. */
static double rate(const struct place *p, int direction, int memory, size_t bytes, uint32_t rounds)
{
    double times[MOST_ROUNDS];
    for (uint32_t round = 0; round < rounds; round++) {
        double begin = probe_now_ns();
        copy_start(p, direction, memory, bytes, p->stream);
        CHECK(cudaStreamSynchronize(p->stream));
        times[round] = probe_now_ns() - begin;
    }
    return (double)bytes / probe_median(times, rounds);
}

static void size_print(size_t bytes)
{
    if (bytes >= 1 << 20)
        printf("%8zu MiB", bytes >> 20);
    else
        printf("%8zu KiB", bytes >> 10);
}

static void rates(const struct place *p, uint32_t rounds)
{
    char notes[2][2][512] = {{"", ""}, {"", ""}};
    printf("copies, GB/s     to device: pageable    pinned   from device: pageable    pinned\n");
    for (size_t bytes = SMALLEST; bytes <= p->bytes; bytes *= 4) {
        size_print(bytes);
        for (int direction = 0; direction < 2; direction++)
            for (int memory = 0; memory < 2; memory++) {
                char *note = notes[direction][memory];
                double found = rate(p, direction, memory, bytes, rounds);
                snprintf(note + strlen(note), 512 - strlen(note), "%s%zu:%.4g", note[0] ? "," : "", bytes, found);
                printf(memory == 0 ? "%23.2f" : "%10.2f", found);
            }
        printf("\n");
    }
    for (int direction = 0; direction < 2; direction++)
        for (int memory = 0; memory < 2; memory++) {
            char key[64];
            snprintf(key, sizeof key, "probe.rate.%s.%s", directions[direction].name, memories[memory]);
            probe_note(key, "%s", notes[direction][memory]);
        }
}

/* The smallest pageable copy whose call waits for the kernel in front of it in its stream; 0: none does. */
static size_t waits_from(const struct place *p, int direction)
{
    for (size_t bytes = 1024; bytes <= p->bytes && bytes <= 64 << 20; bytes *= 2) {
        CHECK(spin_launch(PENDING_NS, p->stream));
        double begin = probe_now_ns();
        copy_start(p, direction, 0, bytes, p->stream);
        double took = probe_now_ns() - begin;
        CHECK(cudaStreamSynchronize(p->stream));
        if (took > PENDING_NS * 0.75)
            return bytes;
    }
    return 0;
}

/* Two pinned copies at once, the second in `other` direction: bytes per nanosecond of both together. */
static double together(const struct place *p, int direction, int other, uint32_t rounds)
{
    double times[MOST_ROUNDS];
    size_t bytes = p->bytes / 2;
    for (uint32_t round = 0; round < rounds; round++) {
        double begin = probe_now_ns();
        copy_start(p, direction, 1, bytes, p->stream);
        copy_start(p, other, 1, bytes, p->beside);
        CHECK(cudaStreamSynchronize(p->stream));
        CHECK(cudaStreamSynchronize(p->beside));
        times[round] = probe_now_ns() - begin;
    }
    return 2 * (double)bytes / probe_median(times, rounds);
}

void probe_copies(const struct workload_options *options)
{
    uint32_t rounds = options->rounds < MOST_ROUNDS ? options->rounds : MOST_ROUNDS;
    int engines, device;
    struct place p = {.bytes = options->bytes,
                      .host = {setup_pageable(options->bytes), setup_pinned(options->bytes)},
                      .device = setup_device(options->bytes),
                      .other = setup_device(options->bytes),
                      .stream = setup_non_blocking_stream(),
                      .beside = setup_non_blocking_stream()};
    rates(&p, rounds);
    for (int direction = 0; direction < 2; direction++) {
        size_t bytes = waits_from(&p, direction);
        char key[64];
        snprintf(key, sizeof key, "probe.waits_from.%s", directions[direction].name);
        probe_note(key, "%zu", bytes);
        printf("pageable copies %s whose call waits for work in front of them in the stream: ", directions[direction].arrow);
        printf(bytes == 0 ? "none\n" : bytes <= 1024 ? "all\n" : "from %zu KiB on\n", bytes >> 10);
    }
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, device));
    double same = together(&p, 0, 0, rounds), both = together(&p, 0, 1, rounds), one = rate(&p, 0, 1, options->bytes, rounds);
    probe_note("probe.copy_engines", "%d", engines);
    probe_note("probe.rate.same_direction", "%.4g", same);
    probe_note("probe.rate.both_directions", "%.4g", both);
    printf("copy engines: %d; pinned copies on two streams at once: %.3g times the rate of one in one direction, %.3g in both\n", engines,
           same / one, both / one);
}
