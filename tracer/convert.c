#include "convert.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_library.h"
#include "link.h"
#include "loss.h"
#include "threads.h"

/* CUPTI API versions that appended fields. */
enum { CUDA_12_2 = 20, CUDA_12_8 = 26, CUDA_13_0 = 130000 };

/* The appended fields, by their place in the record. */
enum {
    OVERHEAD_CORRELATION = sizeof(CUpti_ActivityOverhead),
    OVERHEAD_DATA = OVERHEAD_CORRELATION + 8,
    SYNC_EVENT_SYNC = sizeof(CUpti_ActivitySynchronization),
    EVENT_TIME = 40,
    EVENT_SYNC = 48,
};

#if CUPTI_API_VERSION >= 130000
_Static_assert(offsetof(CUpti_ActivityOverhead3, correlationId) == OVERHEAD_CORRELATION, "as CUPTI has it");
_Static_assert(offsetof(CUpti_ActivityOverhead3, overheadData) == OVERHEAD_DATA, "as CUPTI has it");
_Static_assert(offsetof(CUpti_ActivitySynchronization2, cudaEventSyncId) == SYNC_EVENT_SYNC, "as CUPTI has it");
_Static_assert(offsetof(CUpti_ActivityCudaEvent2, deviceTimestamp) == EVENT_TIME, "as CUPTI has it");
_Static_assert(offsetof(CUpti_ActivityCudaEvent2, cudaEventSyncId) == EVENT_SYNC, "as CUPTI has it");
#endif

static uint64_t read_u64(const void *record, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const uint8_t *)record + offset, sizeof value);
    return value;
}

static uint32_t read_u32(const void *record, size_t offset)
{
    uint32_t value;
    memcpy(&value, (const uint8_t *)record + offset, sizeof value);
    return value;
}

/* Adds a record that begins with begin_ns and end_ns. False if these are of no use: CUPTI gives 0, 1 << 63 or an end
 * before the begin when its device buffers ran out or the work never ran. */
static bool add_span(struct writer *w, enum cgt_kind kind, const void *record)
{
    int64_t times[2];
    memcpy(times, record, sizeof times);
    if (times[0] <= 0 || times[1] < times[0])
        return false;
    writer_add(w, kind, record);
    return true;
}

/* CUPTI_SYNCHRONIZATION_INVALID_VALUE has 32 bits also where the field has 64. */
static uint64_t event_sync_id(uint64_t id)
{
    return id == UINT32_MAX ? UINT64_MAX : id;
}

#define OPERATION(r)                                                                                       \
    .begin_ns = (int64_t)(r)->start, .end_ns = (int64_t)(r)->end, .correlation = (r)->correlationId,       \
    .device = (r)->deviceId, .context = (r)->contextId, .stream = (r)->streamId, .channel = (r)->channelID, \
    .channel_type = (uint32_t)(r)->channelType, .graph = (r)->graphId,                                     \
    .graph_node = (r)->graphId != 0 ? (uint32_t)(r)->graphNodeId : 0

static bool convert_kernel(struct writer *w, const void *record)
{
    const CUpti_ActivityKernel7 *r = record;
    struct cgt_kernel out = {
        OPERATION(r),
        .name = writer_string(w, r->name),
        .grid = {(uint32_t)r->gridX, (uint32_t)r->gridY, (uint32_t)r->gridZ},
        .block = {(uint32_t)r->blockX, (uint32_t)r->blockY, (uint32_t)r->blockZ},
        .registers_per_thread = r->registersPerThread,
        .static_shared_bytes = (uint32_t)r->staticSharedMemory,
        .dynamic_shared_bytes = (uint32_t)r->dynamicSharedMemory,
        .local_bytes_per_thread = r->localMemoryPerThread,
        .launch_type = r->launchType,
    };
    return add_span(w, CGT_KERNEL, &out);
}

static bool convert_copy(struct writer *w, const void *record)
{
    const CUpti_ActivityMemcpy5 *r = record;
    struct cgt_copy out = {
        OPERATION(r),
        .bytes = r->bytes,
        .copy_kind = r->copyKind,
        .source_kind = r->srcKind,
        .target_kind = r->dstKind,
        .asynchronous = (r->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0,
        .source_device = r->deviceId,
        .target_device = r->deviceId,
    };
    return add_span(w, CGT_COPY, &out);
}

static bool convert_peer_copy(struct writer *w, const void *record)
{
    const CUpti_ActivityMemcpyPtoP4 *r = record;
    struct cgt_copy out = {
        OPERATION(r),
        .bytes = r->bytes,
        .copy_kind = r->copyKind,
        .source_kind = r->srcKind,
        .target_kind = r->dstKind,
        .asynchronous = (r->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0,
        .source_device = r->srcDeviceId,
        .target_device = r->dstDeviceId,
    };
    return add_span(w, CGT_COPY, &out);
}

static bool convert_memset(struct writer *w, const void *record)
{
    const CUpti_ActivityMemset4 *r = record;
    struct cgt_memset out = {
        OPERATION(r),
        .bytes = r->bytes,
        .value = r->value,
        .memory_kind = r->memoryKind,
        .asynchronous = (r->flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0,
    };
    return add_span(w, CGT_MEMSET, &out);
}

/* Names of the API functions by domain and callback id. CUPTI is asked in convert_prepare(), outside our locks. */
enum { API_NAMES = 4096 };
static _Atomic(const char *) api_names[2][API_NAMES];

static uint32_t api_name(struct writer *w, const CUpti_ActivityAPI *r)
{
    const char *name = r->cbid < API_NAMES ? api_names[r->kind == CUPTI_ACTIVITY_KIND_RUNTIME][r->cbid] : NULL;
    char number[48];
    if (name != NULL)
        return writer_string(w, name);
    snprintf(number, sizeof number, "%s call %u", r->kind == CUPTI_ACTIVITY_KIND_RUNTIME ? "runtime" : "driver",
             (unsigned)r->cbid);
    return writer_string(w, number);
}

void convert_prepare(const CUpti_Activity *record)
{
    const CUpti_ActivityAPI *r = (const void *)record;
    bool runtime = r->kind == CUPTI_ACTIVITY_KIND_RUNTIME;
    if ((!runtime && r->kind != CUPTI_ACTIVITY_KIND_DRIVER) || r->cbid >= API_NAMES || api_names[runtime][r->cbid])
        return;
    const char *name = NULL;
    CUpti_CallbackDomain domain = runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
    if (cupti.GetCallbackName(domain, r->cbid, &name) == CUPTI_SUCCESS)
        api_names[runtime][r->cbid] = name;
}

static bool convert_call(struct writer *w, const void *record)
{
    const CUpti_ActivityAPI *r = record;
    struct cgt_call out = {
        .begin_ns = (int64_t)r->start,
        .end_ns = (int64_t)r->end,
        .correlation = r->correlationId,
        .thread = r->threadId,
        .name = api_name(w, r),
        .domain = r->kind == CUPTI_ACTIVITY_KIND_RUNTIME ? CGT_CALL_RUNTIME : CGT_CALL_DRIVER,
        .result = (int32_t)r->returnValue,
    };
    threads_see(w, r->threadId);
    return add_span(w, CGT_CALL, &out);
}

static bool convert_graph(struct writer *w, const void *record)
{
    const CUpti_ActivityGraphTrace *r = record;
    struct cgt_graph out = {
        .begin_ns = (int64_t)r->start,
        .end_ns = (int64_t)r->end,
        .correlation = r->correlationId,
        .device = r->deviceId,
        .context = r->contextId,
        .stream = r->streamId,
        .graph = r->graphId,
    };
    return add_span(w, CGT_GRAPH, &out);
}

static bool convert_sync(struct writer *w, const void *record)
{
    const CUpti_ActivitySynchronization *r = record;
    struct cgt_sync out = {
        .begin_ns = (int64_t)r->start,
        .end_ns = (int64_t)r->end,
        .correlation = r->correlationId,
        .type = (uint32_t)r->type,
        .context = r->contextId,
        .stream = r->streamId,
        .event = r->cudaEventId,
        .event_sync = cupti.version >= CUDA_12_8 ? event_sync_id(read_u64(r, SYNC_EVENT_SYNC)) : UINT64_MAX,
    };
    return add_span(w, CGT_SYNC, &out);
}

static bool convert_event(struct writer *w, const void *record)
{
    const CUpti_ActivityCudaEvent *r = record;
    bool appended = cupti.version >= CUDA_12_8;
    struct cgt_event out = {
        .time_ns = appended ? (int64_t)read_u64(r, EVENT_TIME) : 0,
        .correlation = r->correlationId,
        .context = r->contextId,
        .stream = r->streamId,
        .event = r->eventId,
        .event_sync = appended ? event_sync_id(read_u64(r, EVENT_SYNC)) : UINT64_MAX,
    };
    writer_add(w, CGT_EVENT, &out);
    return true;
}

static bool convert_stream(struct writer *w, const void *record)
{
    const CUpti_ActivityStream *r = record;
    struct cgt_stream out = {r->contextId, r->streamId, (int32_t)r->priority, (uint32_t)r->flag, r->correlationId, 0};
    writer_add(w, CGT_STREAM, &out);
    return true;
}

static bool convert_context(struct writer *w, const void *record)
{
    const CUpti_ActivityContext *r = record;
    struct cgt_context out = {.id = r->contextId, .device = r->deviceId, .null_stream = r->nullStreamId};
    writer_add(w, CGT_CONTEXT, &out);
    return true;
}

static bool convert_device(struct writer *w, const void *record)
{
    const CUpti_ActivityDevice4 *r = record;
    struct link link = link_query(&r->uuid);
    struct cgt_device out = {
        .id = r->id,
        .name = writer_string(w, r->name),
        .compute_major = r->computeCapabilityMajor,
        .compute_minor = r->computeCapabilityMinor,
        .sm_count = r->numMultiprocessors,
        .copy_engines = r->numMemcpyEngines,
        .max_warps_per_sm = r->maxWarpsPerMultiprocessor,
        .max_blocks_per_sm = r->maxBlocksPerMultiprocessor,
        .registers_per_sm = r->maxRegistersPerMultiprocessor,
        .shared_bytes_per_sm = r->maxSharedMemoryPerMultiprocessor,
        .memory_bytes = r->globalMemorySize,
        .pcie_generation = link.generation,
        .pcie_lanes = link.lanes,
        .memory_bus_mb_per_s = (uint32_t)(r->globalMemoryBandwidth / 1000), /* CUPTI: kB/s */
        .threads_per_warp = r->numThreadsPerWarp,
    };
    writer_add(w, CGT_DEVICE, &out);
    return true;
}

static bool convert_memory(struct writer *w, const void *record)
{
    const CUpti_ActivityMemory2 *r = record;
    struct cgt_memory out = {
        .time_ns = (int64_t)r->timestamp,
        .address = r->address,
        .bytes = r->bytes,
        .correlation = r->correlationId,
        .operation = (uint32_t)r->memoryOperationType,
        .kind = (uint32_t)r->memoryKind,
        .device = r->deviceId,
        .context = r->contextId,
        .stream = r->streamId,
    };
    writer_add(w, CGT_MEMORY, &out);
    return true;
}

static bool convert_overhead(struct writer *w, const void *record)
{
    const CUpti_ActivityOverhead *r = record;
    if (cupti.version >= CUDA_13_0 && (uint32_t)r->overheadKind == CGT_OVERHEAD_COMMAND_BUFFER_FULL)
        free((void *)(uintptr_t)read_u64(r, OVERHEAD_DATA)); /* CUPTI allocated it for us to free */
    struct cgt_overhead out = {
        .begin_ns = (int64_t)r->start,
        .end_ns = (int64_t)r->end,
        .kind = (uint32_t)r->overheadKind,
        .thread = r->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD ? r->objectId.pt.threadId : CGT_NONE,
        .correlation = cupti.version >= CUDA_12_2 ? read_u32(r, OVERHEAD_CORRELATION) : 0,
    };
    return add_span(w, CGT_OVERHEAD, &out);
}

/* By CUPTI's number of the kind. Each returns false if the record has no usable times. */
static bool (*const converters[])(struct writer *, const void *) = {
    [CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] = convert_kernel,
    [CUPTI_ACTIVITY_KIND_MEMCPY] = convert_copy,
    [CUPTI_ACTIVITY_KIND_MEMCPY2] = convert_peer_copy,
    [CUPTI_ACTIVITY_KIND_MEMSET] = convert_memset,
    [CUPTI_ACTIVITY_KIND_GRAPH_TRACE] = convert_graph,
    [CUPTI_ACTIVITY_KIND_RUNTIME] = convert_call,
    [CUPTI_ACTIVITY_KIND_DRIVER] = convert_call,
    [CUPTI_ACTIVITY_KIND_SYNCHRONIZATION] = convert_sync,
    [CUPTI_ACTIVITY_KIND_CUDA_EVENT] = convert_event,
    [CUPTI_ACTIVITY_KIND_STREAM] = convert_stream,
    [CUPTI_ACTIVITY_KIND_CONTEXT] = convert_context,
    [CUPTI_ACTIVITY_KIND_DEVICE] = convert_device,
    [CUPTI_ACTIVITY_KIND_MEMORY2] = convert_memory,
    [CUPTI_ACTIVITY_KIND_OVERHEAD] = convert_overhead,
};

bool convert_is_work(const CUpti_Activity *record)
{
    static const CUpti_ActivityKind kinds[] = {
        CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_GRAPH_TRACE,
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (record->kind == kinds[i])
            return true;
    return false;
}

bool convert_is_complete(const CUpti_Activity *record)
{
    static const struct {
        CUpti_ActivityKind kind;
        size_t end;
    } spans[] = {
        {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, offsetof(CUpti_ActivityKernel7, end)},
        {CUPTI_ACTIVITY_KIND_MEMCPY, offsetof(CUpti_ActivityMemcpy5, end)},
        {CUPTI_ACTIVITY_KIND_MEMCPY2, offsetof(CUpti_ActivityMemcpyPtoP4, end)},
        {CUPTI_ACTIVITY_KIND_MEMSET, offsetof(CUpti_ActivityMemset4, end)},
        {CUPTI_ACTIVITY_KIND_RUNTIME, offsetof(CUpti_ActivityAPI, end)},
        {CUPTI_ACTIVITY_KIND_DRIVER, offsetof(CUpti_ActivityAPI, end)},
    };
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (record->kind == spans[i].kind)
            return read_u64(record, spans[i].end) != 0;
    return true;
}

void convert_record(struct writer *writer, const CUpti_Activity *record)
{
    uint32_t kind = (uint32_t)record->kind;
    if (kind >= sizeof converters / sizeof *converters || converters[kind] == NULL)
        loss_count(CGT_LOSS_UNKNOWN, 1);
    else if (!converters[kind](writer, record))
        loss_count(CGT_LOSS_INVALID, 1);
}
