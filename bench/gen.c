/* gen N FILE - writes a trace of N operations on eight streams, each with its call: food for benchmarks of the viewer.
 *
 * Kernels and copies of 2 to 20 us, issued by two threads (each to its own four streams) ahead of the device, with an event wait now and then and a
 * synchronisation every 10,000 operations. The same N gives the same file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "timeline/writer.h"

enum { STREAMS = 8, THREADS = 2, SYNC_EVERY = 10000, WAIT_EVERY = 50 };

struct state {
    struct writer *writer;
    uint64_t random;
    int64_t host_ns[THREADS], stream_ns[STREAMS], engine_ns[2];
    uint32_t correlation;
    uint32_t launch, copy, wait, record, sync, kernels[4];
};

static uint32_t draw(struct state *s, uint32_t below)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s->random >> 33) % below;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static uint32_t call(struct state *s, int thread, uint32_t name, int64_t ns)
{
    struct cgt_call call = {.begin_ns = s->host_ns[thread],
                            .end_ns = s->host_ns[thread] + ns,
                            .correlation = ++s->correlation,
                            .thread = 100 + (uint32_t)thread,
                            .name = name,
                            .domain = CGT_CALL_RUNTIME};
    s->host_ns[thread] = call.end_ns + 200;
    writer_add(s->writer, CGT_CALL, &call);
    return call.correlation;
}

static void kernel_add(struct state *s, int thread, uint32_t stream)
{
    struct cgt_kernel k = {.correlation = call(s, thread, s->launch, 2500),
                           .context = 1,
                           .stream = 13 + stream,
                           .channel_type = CGT_CHANNEL_COMPUTE,
                           .name = s->kernels[draw(s, 4)],
                           .grid = {132, 1, 1},
                           .block = {256, 1, 1}};
    k.begin_ns = later(s->host_ns[thread], s->stream_ns[stream]) + 1000 + draw(s, 1000);
    k.end_ns = s->stream_ns[stream] = k.begin_ns + 2000 + draw(s, 18000);
    writer_add(s->writer, CGT_KERNEL, &k);
}

static void copy_add(struct state *s, int thread, uint32_t stream)
{
    uint32_t up = draw(s, 2);
    struct cgt_copy c = {.correlation = call(s, thread, s->copy, 2500),
                         .context = 1,
                         .stream = 13 + stream,
                         .channel_type = CGT_CHANNEL_COPY_ENGINE,
                         .copy_kind = up ? CGT_COPY_HTOD : CGT_COPY_DTOH,
                         .source_kind = up ? CGT_MEMORY_PINNED : CGT_MEMORY_DEVICE,
                         .target_kind = up ? CGT_MEMORY_DEVICE : CGT_MEMORY_PINNED,
                         .asynchronous = 1};
    int64_t ready = later(later(s->host_ns[thread], s->stream_ns[stream]), s->engine_ns[up]);
    c.begin_ns = ready + 1000 + draw(s, 1000);
    c.end_ns = s->stream_ns[stream] = s->engine_ns[up] = c.begin_ns + 2000 + draw(s, 18000);
    c.bytes = (uint64_t)(c.end_ns - c.begin_ns) * 50;
    writer_add(s->writer, CGT_COPY, &c);
}

static void wait_add(struct state *s, int thread, uint32_t from, uint32_t to)
{
    struct cgt_event event = {.correlation = call(s, thread, s->record, 1000), .context = 1, .stream = 13 + from, .event = 1};
    event.event_sync = event.correlation;
    writer_add(s->writer, CGT_EVENT, &event);
    struct cgt_sync wait = {.begin_ns = s->host_ns[thread], .end_ns = s->host_ns[thread] + 500, .type = CGT_SYNC_STREAM_WAIT,
                            .context = 1, .stream = 13 + to, .event = 1, .event_sync = event.event_sync};
    wait.correlation = call(s, thread, s->wait, 1000);
    writer_add(s->writer, CGT_SYNC, &wait);
    s->stream_ns[to] = later(s->stream_ns[to], s->stream_ns[from]);
}

static void sync_all(struct state *s)
{
    int64_t end = 0;
    for (int i = 0; i < STREAMS; i++)
        end = later(end, s->stream_ns[i]);
    for (int i = 0; i < THREADS; i++) {
        call(s, i, s->sync, later(end - s->host_ns[i], 1000));
        s->host_ns[i] = later(end, s->host_ns[i]);
    }
}

static void generate(struct state *s, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t stream = draw(s, STREAMS);
        int thread = (int)(stream % THREADS);
        if (draw(s, 5) == 0)
            copy_add(s, thread, stream);
        else
            kernel_add(s, thread, stream);
        if (i % WAIT_EVERY == 0)
            wait_add(s, thread, stream, (stream + THREADS) % STREAMS);
        if (i % SYNC_EVERY == SYNC_EVERY - 1)
            sync_all(s);
    }
}

static void describe(struct state *s)
{
    struct cgt_device device = {.id = 0, .name = writer_string(s->writer, "generated"), .sm_count = 132};
    struct cgt_context context = {1, 0, 7, 0};
    writer_add(s->writer, CGT_DEVICE, &device);
    writer_add(s->writer, CGT_CONTEXT, &context);
    for (uint32_t i = 0; i < STREAMS; i++) {
        struct cgt_stream stream = {1, 13 + i, 0, i % 2 ? CGT_STREAM_BLOCKING : CGT_STREAM_NON_BLOCKING, 0, 0};
        writer_add(s->writer, CGT_STREAM, &stream);
    }
    s->launch = writer_string(s->writer, "cudaLaunchKernel_v7000");
    s->copy = writer_string(s->writer, "cudaMemcpyAsync_v3020");
    s->wait = writer_string(s->writer, "cudaStreamWaitEvent_v3020");
    s->record = writer_string(s->writer, "cudaEventRecord_v3020");
    s->sync = writer_string(s->writer, "cudaDeviceSynchronize_v3020");
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "kernel_%d", i);
        s->kernels[i] = writer_string(s->writer, name);
    }
}

int main(int argc, char **argv)
{
    struct error err;
    struct state s = {.random = 1, .host_ns = {1000000000, 1000000100}};
    long long count = argc == 3 ? atoll(argv[1]) : 0;
    if (count <= 0) {
        fprintf(stderr, "usage: gen N FILE\n");
        return 2;
    }
    int fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0666);
    s.writer = fd < 0 ? NULL : writer_create(fd, argv[2], &err);
    if (s.writer == NULL) {
        perror(argv[2]);
        return 1;
    }
    describe(&s);
    generate(&s, (uint64_t)count);
    bool done = writer_finish(s.writer, s.stream_ns[0], &err);
    writer_destroy(s.writer);
    if (!done)
        fprintf(stderr, "gen: %s: %s\n", err.file, err.what);
    return !done;
}
