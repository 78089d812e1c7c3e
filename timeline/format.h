/* format.h - the bytes of a trace file (.cgt). FORMAT.md describes the same in prose; the two change together.
 *
 * A file is one struct cgt_file_header and then blocks: a struct cgt_block_header and its payload of `count` records
 * of `record_bytes` each. Everything is little-endian; every record starts at a multiple of 8 bytes. Times are
 * signed 64-bit nanoseconds on one clock (CLOCK_REALTIME unless a clock record says otherwise).
 */
#ifndef CUGANTT_FORMAT_H
#define CUGANTT_FORMAT_H

#include <stdint.h>

#define CGT_MAGIC "cugantt\n"
#define CGT_BLOCK_MAGIC 0x42544743u /* "CGTB" */
#define CGT_NONE UINT32_MAX         /* no such id */

enum {
    CGT_VERSION_MAJOR = 1, /* a reader refuses a newer major version */
    CGT_VERSION_MINOR = 2, /* new kinds and fields appended to records: older readers skip them */
};

struct cgt_file_header {
    char magic[8];
    uint16_t major, minor;
    uint32_t header_bytes; /* size of this header: the first block starts here */
    uint64_t reserved;
};

struct cgt_block_header {
    uint32_t magic;
    uint16_t kind;         /* enum cgt_kind; unknown kinds are skipped by payload_bytes and counted */
    uint16_t version;      /* 1; grows only when the meaning of existing fields changes */
    uint32_t count;        /* records */
    uint32_t record_bytes; /* bytes from one record to the next; more than a reader knows: ignore the rest */
    uint64_t payload_bytes;
    int64_t t_min, t_max;  /* earliest begin and latest end in the block; both 0 for untimed kinds */
    uint32_t payload_crc;  /* crc32 of the payload */
    uint32_t header_crc;   /* crc32 of this header up to here: a damaged payload can still be skipped by size */
};

/* X(enumerator, number, struct, time fields: 0 none, 1 time_ns first, 2 begin_ns and end_ns first, "name") */
#define CGT_KINDS(X)                                      \
    X(STRING, 1, cgt_string, 0, "string")                 \
    X(PROPERTY, 2, cgt_property, 0, "property")           \
    X(CLOCK, 3, cgt_clock, 0, "clock")                    \
    X(DEVICE, 4, cgt_device, 0, "device")                 \
    X(CONTEXT, 5, cgt_context, 0, "context")              \
    X(STREAM, 6, cgt_stream, 0, "stream")                 \
    X(THREAD, 7, cgt_thread, 0, "thread")                 \
    X(KERNEL, 16, cgt_kernel, 2, "kernel")                \
    X(COPY, 17, cgt_copy, 2, "copy")                      \
    X(MEMSET, 18, cgt_memset, 2, "memset")                \
    X(CALL, 19, cgt_call, 2, "call")                      \
    X(SYNC, 20, cgt_sync, 2, "sync")                      \
    X(EVENT, 21, cgt_event, 1, "event")                   \
    X(MEMORY, 22, cgt_memory, 1, "memory")                \
    X(OVERHEAD, 23, cgt_overhead, 2, "overhead")          \
    X(GRAPH, 24, cgt_graph, 2, "graph")                   \
    X(RANGE, 25, cgt_range, 2, "range")                   \
    X(PAUSE, 26, cgt_pause, 2, "pause")                   \
    X(BUS, 27, cgt_bus, 2, "bus")                         \
    X(LOSS, 32, cgt_loss, 1, "loss")                      \
    X(END, 33, cgt_end, 1, "end")

enum cgt_kind {
#define X(id, number, type, times, name) CGT_##id = number,
    CGT_KINDS(X)
#undef X
};

/* A name. The bytes (no terminating zero) lie behind the last record of the same block, at `offset` from there.
 * A string is written before the first record that uses its id. Id 0 is the empty string and is never written. */
struct cgt_string {
    uint32_t id;
    uint32_t offset, length;
    uint32_t reserved;
};

/* Key and value are string ids. Keys: see FORMAT.md. */
struct cgt_property {
    uint32_t key, value;
};

/* The clocks, read together; one record at the start, one at the end. trace_ns is the clock of all other records. */
struct cgt_clock {
    int64_t trace_ns, realtime_ns, monotonic_ns;
};

struct cgt_device {
    uint32_t id, name;
    uint32_t compute_major, compute_minor;
    uint32_t sm_count, copy_engines;
    uint32_t max_warps_per_sm, max_blocks_per_sm, registers_per_sm, shared_bytes_per_sm;
    uint64_t memory_bytes;
    uint32_t pcie_generation, pcie_lanes; /* 0: not known */
    uint32_t memory_bus_mb_per_s;         /* device memory bandwidth, MB/s; 0: not known */
    uint32_t threads_per_warp;
};

struct cgt_context {
    uint32_t id, device;
    uint32_t null_stream; /* id of the legacy default stream */
    uint32_t reserved;
};

enum cgt_stream_flag {
    CGT_STREAM_UNKNOWN = 0,
    CGT_STREAM_BLOCKING = 1,     /* waits for the legacy default stream, and it for this one */
    CGT_STREAM_NON_BLOCKING = 2,
    CGT_STREAM_NULL = 3,         /* the legacy default stream itself */
};

struct cgt_stream {
    uint32_t context, id;
    int32_t priority; /* smaller is more urgent */
    uint32_t flag;    /* enum cgt_stream_flag */
    uint32_t correlation; /* of the call that created it; 0: not known */
    uint32_t reserved;
};

struct cgt_thread {
    uint32_t id, name; /* kernel thread id (gettid) and its name */
};

enum cgt_channel_type { CGT_CHANNEL_UNKNOWN = 0, CGT_CHANNEL_COMPUTE = 1, CGT_CHANNEL_COPY_ENGINE = 2 };

/* What all GPU operations begin with: readers handle kernel, copy, memset and graph alike through it. */
#define CGT_OPERATION_FIELDS                                                   \
    int64_t begin_ns, end_ns;                                                  \
    uint32_t correlation; /* of the call that issued it; 0: none */            \
    uint32_t device, context, stream;                                          \
    uint32_t channel, channel_type; /* hardware queue; enum cgt_channel_type */ \
    uint32_t graph;                 /* graph it was launched from; 0: none */  \
    uint32_t graph_node

struct cgt_operation {
    CGT_OPERATION_FIELDS;
};

struct cgt_kernel {
    CGT_OPERATION_FIELDS;
    uint32_t name; /* as the compiler wrote it, so usually mangled */
    uint32_t grid[3], block[3];
    uint32_t registers_per_thread;
    uint32_t static_shared_bytes, dynamic_shared_bytes;
    uint32_t local_bytes_per_thread;
    uint32_t launch_type;
};

enum cgt_copy_kind {
    CGT_COPY_UNKNOWN = 0,
    CGT_COPY_HTOD = 1,
    CGT_COPY_DTOH = 2,
    CGT_COPY_HTOA = 3,
    CGT_COPY_ATOH = 4,
    CGT_COPY_ATOA = 5,
    CGT_COPY_ATOD = 6,
    CGT_COPY_DTOA = 7,
    CGT_COPY_DTOD = 8,
    CGT_COPY_HTOH = 9,
    CGT_COPY_PTOP = 10,
};

enum cgt_memory_kind {
    CGT_MEMORY_UNKNOWN = 0,
    CGT_MEMORY_PAGEABLE = 1,
    CGT_MEMORY_PINNED = 2,
    CGT_MEMORY_DEVICE = 3,
    CGT_MEMORY_ARRAY = 4,
    CGT_MEMORY_MANAGED = 5,
    CGT_MEMORY_DEVICE_STATIC = 6,
    CGT_MEMORY_MANAGED_STATIC = 7,
};

struct cgt_copy {
    CGT_OPERATION_FIELDS;
    uint64_t bytes;
    uint32_t copy_kind;                /* enum cgt_copy_kind */
    uint32_t source_kind, target_kind; /* enum cgt_memory_kind */
    uint32_t asynchronous;             /* 1: issued by an asynchronous call, 0: synchronous, CGT_NONE: not known */
    uint32_t source_device, target_device;
};

struct cgt_memset {
    CGT_OPERATION_FIELDS;
    uint64_t bytes;
    uint32_t value;
    uint32_t memory_kind;  /* enum cgt_memory_kind */
    uint32_t asynchronous; /* as in cgt_copy */
    uint32_t reserved;
};

enum cgt_call_domain { CGT_CALL_DRIVER = 1, CGT_CALL_RUNTIME = 2 };

struct cgt_call {
    int64_t begin_ns, end_ns;
    uint32_t correlation;
    uint32_t thread; /* kernel thread id (gettid) */
    uint32_t name;
    uint32_t domain; /* enum cgt_call_domain */
    int32_t result;  /* CUDA error code, 0: success */
    uint32_t reserved;
};

enum cgt_sync_type {
    CGT_SYNC_EVENT = 1,       /* the host waits for an event */
    CGT_SYNC_STREAM_WAIT = 2, /* a stream is told to wait for an event */
    CGT_SYNC_STREAM = 3,      /* the host waits for a stream */
    CGT_SYNC_CONTEXT = 4,     /* the host waits for all streams */
};

struct cgt_sync {
    int64_t begin_ns, end_ns;
    uint32_t correlation, type;
    uint32_t context, stream; /* CGT_NONE where the type has none */
    uint64_t event_sync;      /* names one recording of the event; UINT64_MAX: none */
    uint32_t event;
    uint32_t reserved;
};

struct cgt_event {
    int64_t time_ns; /* when the device passed it; 0 unless asked for, since asking costs */
    uint32_t correlation, context, stream, event;
    uint64_t event_sync;
};

enum cgt_memory_operation { CGT_MEMORY_ALLOCATE = 1, CGT_MEMORY_RELEASE = 2 };

struct cgt_memory {
    int64_t time_ns;
    uint64_t address, bytes;
    uint32_t correlation;
    uint32_t operation; /* enum cgt_memory_operation */
    uint32_t kind;      /* enum cgt_memory_kind */
    uint32_t device, context, stream;
};

/* Time that tracing or the driver's own housekeeping took; the numbers are CUPTI's. */
enum cgt_overhead_kind {
    CGT_OVERHEAD_COMPILER = 1,
    CGT_OVERHEAD_BUFFER_FLUSH = 1 << 16,
    CGT_OVERHEAD_INSTRUMENTATION = 2 << 16,
    CGT_OVERHEAD_RESOURCE = 3 << 16,
    CGT_OVERHEAD_MODULE_LOAD = 4 << 16,
    CGT_OVERHEAD_FUNCTION_LOAD = 5 << 16,
    CGT_OVERHEAD_COMMAND_BUFFER_FULL = 6 << 16,
    CGT_OVERHEAD_BUFFER_REQUEST = 7 << 16,
};

struct cgt_overhead {
    int64_t begin_ns, end_ns;
    uint32_t kind;   /* enum cgt_overhead_kind */
    uint32_t thread; /* CGT_NONE: not of one thread */
    uint32_t correlation;
    uint32_t reserved;
};

/* A whole launch of a graph, from the begin of its first node to the end of its last, in place of its nodes. */
struct cgt_graph {
    CGT_OPERATION_FIELDS;
};

enum cgt_range_type {
    CGT_RANGE_PUSHED = 1,  /* pushed and popped by one thread: these nest */
    CGT_RANGE_STARTED = 2, /* started by the thread, ended by any: these may overlap */
    CGT_RANGE_MARK = 3,    /* a moment: ends where it begins */
};

/* What the program says that it does (NVTX). */
struct cgt_range {
    int64_t begin_ns, end_ns;
    uint32_t thread; /* that pushed, started or marked */
    uint32_t type;   /* enum cgt_range_type */
    uint32_t name;
    uint32_t domain; /* string: whose range it is; 0: the default domain */
    uint32_t color;  /* 0xAARRGGBB as the program asked for; 0: none */
    uint32_t open;   /* 1: it had not ended when the recording did, which is then its end_ns */
};

enum cgt_pause_reason {
    CGT_PAUSE_DELAY = 1,    /* recording was to begin later */
    CGT_PAUSE_RANGE = 2,    /* outside of what was asked for: cudaProfilerStart() to Stop(), or an NVTX range */
    CGT_PAUSE_DURATION = 3, /* recorded for as long as was asked for */
    CGT_PAUSE_SIZE = 4,     /* the file had reached its size */
    CGT_PAUSE_PROFILER = 5, /* another profiler in the program had taken CUPTI over */
};

/* A stretch of time of which nothing was recorded, on purpose. What had begun before it may reach into it. */
struct cgt_pause {
    int64_t begin_ns, end_ns;
    uint32_t reason; /* enum cgt_pause_reason */
    uint32_t reserved;
};

/* What a device's PCIe link carried, from the device's own counters: packet headers included, so a copy shows as more
 * bytes than its own. One sample, or a run of them in which next to nothing moved (at most 1 KiB either way in each). */
struct cgt_bus {
    int64_t begin_ns, end_ns;
    uint32_t device;
    uint32_t samples;           /* 1, or how many the run has */
    uint32_t to_device_bytes;   /* UINT32_MAX: that or more */
    uint32_t from_device_bytes;
};

enum cgt_loss_kind {
    CGT_LOSS_DROPPED = 1, /* records that CUPTI had no room for */
    CGT_LOSS_INVALID = 2, /* operations without usable times: counted here, not written */
    CGT_LOSS_REFUSED = 3, /* buffer requests that the tracer could not serve */
    CGT_LOSS_UNKNOWN = 4, /* records of a kind that the tracer does not know */
    CGT_LOSS_WRITE = 5,   /* records that could not be written (disk full) */
    CGT_LOSS_TRUNCATED = 6, /* bytes behind the last whole event of an imported file */
    CGT_LOSS_MALFORMED = 7, /* events of an imported file that could not be read */
    CGT_LOSS_SAMPLES = 8,   /* samples of the bus that the device had no room for */
};

struct cgt_loss {
    int64_t time_ns;
    uint64_t count;
    uint32_t kind; /* enum cgt_loss_kind */
    uint32_t reserved;
};

/* Last block of a trace that was finished in order. Without it the program ended before the tracer could finish. */
struct cgt_end {
    int64_t time_ns;
    uint64_t operations, calls; /* records written, for a check against what is read */
};

_Static_assert(sizeof(struct cgt_file_header) == 24, "on disk");
_Static_assert(sizeof(struct cgt_block_header) == 48, "on disk");
_Static_assert(sizeof(struct cgt_string) == 16, "on disk");
_Static_assert(sizeof(struct cgt_property) == 8, "on disk");
_Static_assert(sizeof(struct cgt_clock) == 24, "on disk");
_Static_assert(sizeof(struct cgt_device) == 64, "on disk");
_Static_assert(sizeof(struct cgt_context) == 16, "on disk");
_Static_assert(sizeof(struct cgt_stream) == 24, "on disk");
_Static_assert(sizeof(struct cgt_thread) == 8, "on disk");
_Static_assert(sizeof(struct cgt_operation) == 48, "on disk");
_Static_assert(sizeof(struct cgt_kernel) == 96, "on disk");
_Static_assert(sizeof(struct cgt_copy) == 80, "on disk");
_Static_assert(sizeof(struct cgt_memset) == 72, "on disk");
_Static_assert(sizeof(struct cgt_call) == 40, "on disk");
_Static_assert(sizeof(struct cgt_sync) == 48, "on disk");
_Static_assert(sizeof(struct cgt_event) == 32, "on disk");
_Static_assert(sizeof(struct cgt_memory) == 48, "on disk");
_Static_assert(sizeof(struct cgt_overhead) == 32, "on disk");
_Static_assert(sizeof(struct cgt_graph) == 48, "on disk");
_Static_assert(sizeof(struct cgt_range) == 40, "on disk");
_Static_assert(sizeof(struct cgt_pause) == 24, "on disk");
_Static_assert(sizeof(struct cgt_bus) == 32, "on disk");
_Static_assert(sizeof(struct cgt_loss) == 24, "on disk");
_Static_assert(sizeof(struct cgt_end) == 24, "on disk");

#endif
