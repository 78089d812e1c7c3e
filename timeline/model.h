/* model.h - a trace in memory: flat arrays, sorted once, read by everything downstream.
 *
 * Spans lie grouped by lane and sorted by begin within it. A span keeps only what sorting and drawing need; the rest
 * stays in its record, which is read in place (model_operation() and the others).
 */
#ifndef CUGANTT_MODEL_H
#define CUGANTT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "error.h"
#include "format.h"

#define MODEL_NONE UINT32_MAX

struct reader;

/* SPAN_GRAPH: a whole launch of a graph, whose nodes were not recorded. SPAN_RANGE: an NVTX range or mark. */
enum span_kind { SPAN_KERNEL, SPAN_COPY, SPAN_MEMSET, SPAN_GRAPH, SPAN_CALL, SPAN_RANGE, SPAN_KIND_COUNT };
enum { SPAN_OPERATION_KINDS = SPAN_GRAPH + 1 }; /* those of the GPU come first */

/* What a call does to the thread that makes it, found from its name (calls.h). */
enum call_class {
    CALL_OTHER,
    CALL_LAUNCH,      /* kernel or graph launch */
    CALL_COPY,        /* any copy, synchronous or not */
    CALL_MEMSET,
    CALL_SYNC,        /* waits for a stream, an event or the device */
    CALL_ALLOC,       /* allocates, frees, pins or unpins */
    CALL_MODULE,      /* loads or compiles code */
    CALL_EVENT,       /* event record, stream wait */
    CALL_HOST_FUNC,   /* puts a host function into a stream */
    CALL_CONTEXT,     /* creates or destroys a context */
    CALL_CLASS_COUNT
};

struct span {
    int64_t begin_ns, end_ns;
    uint32_t record; /* offset of its record in its process's file, in units of 8 bytes */
    uint32_t lane;   /* index into lanes */
    uint32_t peer;   /* GPU operation: the call that issued it; call: the first operation it issued; MODEL_NONE */
    uint8_t kind;    /* enum span_kind */
    uint8_t call_class; /* enum call_class, of calls */
    uint16_t flags;     /* SPAN_* below */
};
_Static_assert(sizeof(struct span) == 32, "ten millions of these must fit");

enum {
    SPAN_STAGED = 1,   /* copy between the host's pageable memory and the device, but for small uploads; also its call */
    SPAN_BLOCKING = 2, /* call that holds its thread until the device is done: synchronous copies and memsets */
    SPAN_HTOD = 4,     /* copy from the host's memory to the device */
    SPAN_DTOH = 8,     /* the other way */
    SPAN_ENGINE = 16,  /* copy that needs the copy engine: small ones go through a compute channel */
    SPAN_FIRST = 32,   /* first run of its kernel in its process: its launch may have loaded the code */
};

enum lane_kind { LANE_THREAD, LANE_RANGE, LANE_STREAM }; /* lanes lie in this order */

struct lane {
    enum lane_kind kind;
    uint32_t process;         /* index into processes */
    uint32_t id;              /* stream id or thread id */
    uint32_t device, context; /* of streams; MODEL_NONE for threads and ranges */
    uint32_t domain;          /* of ranges: string id, 0 for the default domain */
    uint32_t stream_flag;     /* enum cgt_stream_flag */
    int32_t priority;
    bool per_thread;          /* a per-thread default stream */
    const char *name;         /* thread name, "" if not known; domain of ranges, "" for the default domain */
    uint32_t first, count;    /* its spans */
    int64_t busy_ns;          /* union of its spans */
};

struct device {
    uint32_t process;
    struct cgt_device info;
    const char *name;
};

/* The recording of an event or a stream's wait for it, in the order in which the host called. */
struct event_mark {
    int64_t call_ns; /* begin of the call */
    uint64_t event_sync;
    uint32_t event;
    uint32_t lane; /* the recording or the waiting stream; MODEL_NONE if it never ran anything */
    uint32_t process;
    bool is_wait;
};

/* Time that belongs to the tracer or to module loading. Sorted by begin. */
struct overhead {
    int64_t begin_ns, end_ns;
    int64_t reach_ns; /* latest end of this and all before it: how far back a search must look */
    uint32_t kind;    /* enum cgt_overhead_kind */
    uint32_t thread;  /* CGT_NONE: not of one thread */
    uint32_t process;
};

/* Time of which a process recorded nothing, on purpose. Sorted by begin within a process. */
struct pause {
    int64_t begin_ns, end_ns;
    uint32_t process;
    uint32_t reason; /* enum cgt_pause_reason */
};

/* What a device's PCIe link carried in a stretch of time: a sample, or a run of them in which next to nothing moved. */
struct bus_sample {
    int64_t begin_ns, end_ns;
    uint32_t samples;
    uint32_t bytes[2]; /* by enum bus_direction; packet headers included */
};

enum bus_direction { BUS_TO_DEVICE, BUS_FROM_DEVICE };

/* The samples of one device's link, in order, none overlapping another. Between two that do not touch nothing is known. */
struct bus {
    uint32_t process, device;
    uint32_t first, count;   /* of model->bus_samples */
    uint64_t samples;
    int64_t sampled_ns;      /* time that they cover */
    double peak_bytes_per_ns; /* raw rate of the link one way, its packets included; 0: not known */
};

struct loss {
    uint64_t dropped;         /* CUPTI had no room, or the tracer no buffer, or the disk was full */
    uint64_t invalid;         /* operations without usable times */
    uint64_t unmatched;       /* GPU operations without the call that issued them */
    uint64_t unasked;         /* the same where not all calls were to be recorded: no loss */
    uint64_t truncated_bytes; /* behind the last whole block */
    uint64_t skipped_blocks;  /* damaged or of an unknown kind */
    uint64_t malformed;       /* events of an imported file that could not be read */
    uint64_t samples;         /* of the bus, which the device had no room for */
    bool unfinished;          /* no end block: the program died, or still runs */
};

/* How well the clocks of host and device agree: no operation can begin before its call did. */
struct skew {
    uint64_t early;   /* operations that do all the same */
    int64_t worst_ns; /* by how much at most */
    int64_t least_ns; /* shortest time from a call's begin to its operation's; INT64_MAX if there are none */
};

/* One traced process: a file of its own, or its part of a file of another tool (import/import.h). */
struct process {
    struct reader *reader;
    const uint8_t *base; /* of span.record */
    const char *path;
    int64_t shift_ns; /* added to the times of its records: puts all processes on CLOCK_REALTIME */
    const char *rank; /* rank in its job; "" if it has none */
    bool calls_limited; /* only some calls, or none, were to be recorded */
};

struct model {
    struct process *processes;
    struct device *devices;
    struct lane *lanes; /* threads and then ranges by process and id, then streams by process, device, context and id */
    struct span *spans;
    struct event_mark *events;
    struct overhead *overheads;
    struct pause *pauses;
    struct bus *buses;
    struct bus_sample *bus_samples;
    uint32_t process_count, device_count, lane_count, span_count, event_count, overhead_count, pause_count, bus_count, bus_sample_count;

    int64_t begin_ns, end_ns; /* from the first GPU operation to the last; both 0 if there is none */
    uint64_t operation_count, call_count;
    struct loss loss;
    struct skew skew;
    const char **warnings; /* one line each: what is damaged or missing, with offsets */
    uint32_t warning_count;
    bool borrows;       /* the files belong to another model */
    struct arena arena; /* owns all of the above but the files */
};

/* Opens a trace, of ours or of another tool, and builds its model. NULL if the file cannot be read as a trace. */
struct model *model_load(const char *path, struct error *err);

/* The same for several files of one run, on one clock. NULL if any of them cannot be read. */
struct model *model_load_files(const char *const *paths, uint32_t count, struct error *err);

/* One process of a model, on its own; for the life of `all`, whose files it reads. */
struct model *model_of_process(const struct model *all, uint32_t process, struct error *err);
void model_destroy(struct model *model); /* takes NULL */

static inline bool span_is_operation(const struct span *span)
{
    return span->kind < SPAN_OPERATION_KINDS;
}

/* The records behind a span; the kind must fit (model_operation: any GPU operation). */
const struct cgt_operation *model_operation(const struct model *model, const struct span *span);
const struct cgt_kernel *model_kernel(const struct model *model, const struct span *span);
const struct cgt_copy *model_copy(const struct model *model, const struct span *span);
const struct cgt_memset *model_memset(const struct model *model, const struct span *span);
const struct cgt_call *model_call(const struct model *model, const struct span *span);
const struct cgt_range *model_range(const struct model *model, const struct span *span);

/* Full name of a kernel (demangled) or call; what a copy or memset does ("Memcpy HtoD (Pageable -> Device)"). The text
 * lives in `buf` or in the model. */
const char *model_span_name(const struct model *model, const struct span *span, char *buf, size_t size);

/* The same in one or two words, for labels: "spin", "H→D", "cudaMemcpyAsync". */
const char *model_span_label(const struct model *model, const struct span *span, char *buf, size_t size);

/* "rank 3" or "process 510", of several processes; "" where there is but one. */
const char *model_process_name(const struct model *model, uint32_t process, char *buf, size_t size);

/* "stream 13", "stream 7 (default)", "thread 510", "DOMAIN ranges of thread 510"; with the process in
 * front where there are several. */
const char *model_lane_name(const struct model *model, uint32_t lane, char *buf, size_t size);
const char *model_lane_own_name(const struct model *model, uint32_t lane, char *buf, size_t size); /* without process */

/* Time of [begin_ns, end_ns) of which a process recorded nothing, on purpose. */
int64_t model_paused_ns(const struct model *model, uint32_t process, int64_t begin_ns, int64_t end_ns);

/* End of the last pause of a process that was over at `time_ns`; INT64_MIN if there is none. */
int64_t model_resumed_ns(const struct model *model, uint32_t process, int64_t time_ns);

/* Bytes that moved in [begin_ns, end_ns), samples at its ends counted in part; `ret_known_ns` (may be NULL): how much of
 * that time was sampled. */
double model_bus_bytes(const struct model *model, const struct bus *bus, enum bus_direction direction, int64_t begin_ns,
                       int64_t end_ns, int64_t *ret_known_ns);

/* Index of the bus's first sample that ends behind `time_ns`; bus->first + bus->count if there is none. */
uint32_t model_bus_after(const struct model *model, const struct bus *bus, int64_t time_ns);

/* The samples of a device's link; NULL if there are none. */
const struct bus *model_bus_find(const struct model *model, uint32_t process, uint32_t device);

/* How long the program was held so that sampling could begin, ns. */
int64_t model_bus_held_ns(const struct model *model, uint32_t process);

/* Raw rate of a device's PCIe link one way, bytes/ns, by generation and lanes; 0: not known. */
double model_link_rate(const struct cgt_device *device);

/* Value of a property of a process, "" if absent. Keys: FORMAT.md. */
const char *model_property(const struct model *model, uint32_t process, const char *key);

#endif
