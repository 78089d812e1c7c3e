/* The files of a model: traces of our own, and images of those that other tools recorded. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "timeline/import/import.h"
#include "model_build.h"

/* CUPTI's clock is CLOCK_REALTIME unless the program chose another: then the two were read together. */
static int64_t clock_shift(const struct reader *r)
{
    enum { READ_APART_NS = 1000000 }; /* no difference of clocks, only of the moments at which they were read */
    FOR_EACH_RECORD(r, CGT_CLOCK, cgt_clock, clock) {
        int64_t a = clock->realtime_ns, b = clock->trace_ns;
        if (a < 0 || b < 0 || a >= TIME_LIMIT / 2 || b >= TIME_LIMIT / 2)
            return 0;
        return llabs(a - b) < READ_APART_NS ? 0 : a - b;
    }
    return 0;
}

static bool process_add(struct model *m, struct reader *r, struct error *err)
{
    struct process *grown = ARENA_NEW(&m->arena, struct process, m->process_count + 1);
    if (r == NULL)
        return false;
    if (m->process_count > 0)
        memcpy(grown, m->processes, m->process_count * sizeof *grown);
    grown[m->process_count++] = (struct process){r, reader_base(r), reader_path(r), clock_shift(r), "", false};
    m->processes = grown;
    if (reader_bytes(r) / 8 > UINT32_MAX)
        return error_set(err, reader_path(r), -1, "the trace is larger than 32 GiB");
    return true;
}

static bool file_open(struct model *m, const char *path, struct error *err)
{
    struct images images = {0};
    bool done = import_open(path, &m->arena, &images, err);
    for (uint32_t i = 0; i < images.count; i++) {
        done = done && process_add(m, reader_open_fd(images.fds[i], path, err), err);
        close(images.fds[i]);
    }
    if (done && images.count == 0)
        done = process_add(m, reader_open(path, err), err);
    return done;
}

bool model_open(struct model *m, const char *const *paths, uint32_t count, struct error *err)
{
    for (uint32_t i = 0; i < count; i++)
        if (!file_open(m, paths[i], err))
            return false;
    for (uint32_t i = 0; i < m->process_count; i++) {
        const char *calls = model_property(m, i, "calls");
        m->processes[i].rank = model_property(m, i, "rank");
        m->processes[i].calls_limited = strcmp(calls, "blocking") == 0 || strcmp(calls, "none") == 0;
    }
    return true;
}
