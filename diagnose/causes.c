#include "causes.h"

#include <stddef.h>

static const struct {
    const char *id, *title, *meaning;
} names[CAUSE_COUNT] = {
#define X(cause, id, title, meaning) {id, title, meaning},
    CAUSES(X)
#undef X
};

#define LONGEST " The longest, {longest}: {op} on {lane}"

static const struct cause_row rows[CAUSE_COUNT] = {
    [CAUSE_PAGEABLE_STAGING] =
        {0.01,
         "{copies} in pageable memory ran at {rate}: the driver passes them through its own pinned buffer, and the host "
         "thread stays inside {call} meanwhile; {reference}.",
         "pin the host buffers (cudaHostAlloc, cudaHostRegister; PyTorch pin_memory(), Numba cuda.pinned_array)."},
    [CAUSE_HOST_STAGING] =
        {0.01,
         "{streams} stood idle for {total} while the issuing thread was inside {call} with pageable memory: the next work "
         "is not issued before the staged copy returns." LONGEST ".",
         "pin the host buffers, so that cudaMemcpyAsync returns at once; or copy from a thread of its own."},
    [CAUSE_HOST_SYNC] =
        {0.01,
         "{streams} stood idle for {total} while the issuing thread waited in {call} and had not issued the next "
         "work." LONGEST ".",
         "issue the next work before waiting; order streams with events instead of synchronising the host."},
    [CAUSE_HOST_ALLOC] =
        {0.01,
         "{streams} stood idle for {total} while the issuing thread allocated, freed or pinned memory ({call})." LONGEST ".",
         "allocate once before the loop, or use cudaMallocAsync with a memory pool."},
    [CAUSE_HOST_MODULE_LOAD] =
        {0.01,
         "{streams} stood idle for {total} while code was loaded or compiled ({call})." LONGEST ".",
         "launch each kernel once beforehand, or set CUDA_MODULE_LOADING=EAGER."},
    [CAUSE_HOST_BUSY] =
        {0.02,
         "{streams} stood idle for {total} because the issuing thread was outside CUDA or issuing other work and had not "
         "issued the next operation." LONGEST ".",
         "issue work earlier: prepare data in another thread, batch small kernels, or capture them in a CUDA graph."},
    [CAUSE_LAUNCH_LATENCY] =
        {0.05,
         "{count} began {total} after they could have, summed: the normal time from call or dependency to start, "
         "{median} in the median." LONGEST ".",
         "launch fewer, longer kernels, or capture the sequence in a CUDA graph."},
    [CAUSE_LAUNCH_QUEUE_FULL] =
        {0.01,
         "{streams} stood idle for {total} while the issuing thread was held in {call}: too much work was pending, and a launch waits "
         "until some of it is done." LONGEST ".",
         "launch less ahead, fewer and longer kernels, or other streams' work first; or launch from a thread for each stream."},
    [CAUSE_LAUNCH_BLOCKING] =
        {0.01,
         "{streams} stood idle for {total} because CUDA_LAUNCH_BLOCKING is set: {call} returns only when its work is done." LONGEST ".",
         "unset CUDA_LAUNCH_BLOCKING."},
    [CAUSE_STREAM_ORDER] =
        {0.03,
         "{streams} ran one chain of work after another: {count} waited {total} for the chain before, although nothing "
         "else held them." LONGEST ", for {blocker}. Records do not say whether the chains depend on each other.",
         "if they do not, put them into streams of their own."},
    [CAUSE_LEGACY_DEFAULT_STREAM] =
        {0.005,
         "{count} on {streams} waited {total}: the legacy default stream waits for all work issued before it to blocking "
         "streams, and they wait for it." LONGEST " for {blocker} on {blocker_lane}.",
         "create streams with cudaStreamCreateWithFlags(..., cudaStreamNonBlocking), or compile with nvcc --default-stream "
         "per-thread."},
    [CAUSE_COPY_ENGINE_BUSY] =
        {0.01,
         "{count} on {streams} waited {total} for the copy engine: a copy of another stream in the same direction held "
         "it." LONGEST " for {blocker} on {blocker_lane}.",
         "copies in one direction cannot overlap: copy less, or put kernels and copies of the other direction beside them."},
    [CAUSE_EVENT_WAIT] =
        {0.01,
         "{count} on {streams} waited {total} for events of other streams, as the program asked." LONGEST
         " for {blocker} on {blocker_lane}.",
         "record the event right behind the work that is needed, or drop the dependency if there is none."},
    [CAUSE_DEVICE_FULL] =
        {0.01,
         "{count} on {streams} waited {total} although ready: kernels of other streams held all multiprocessors." LONGEST
         " for {blocker} on {blocker_lane}.",
         "streams add nothing where one kernel fills the device: give its blocks less to hold, or give the urgent stream a priority."},
    [CAUSE_HARDWARE_QUEUE_SHARED] =
        {0.01,
         "{count} on {streams} waited {total} behind work of another stream in the same hardware queue, whose head was held." LONGEST
         " for {blocker} on {blocker_lane}.",
         "set CUDA_DEVICE_MAX_CONNECTIONS to the number of streams (at most 32), or issue round-robin, not stream by stream."},
    [CAUSE_GRAPH_ORDER] =
        {0.01, "{count} waited {total} for earlier nodes of their graph." LONGEST " for {blocker} on {blocker_lane}.",
         "drop edges between nodes that do not need each other."},
    [CAUSE_HOST_CALLBACK] =
        {0.01,
         "{count} on {streams} waited {total} for a host function ({call}) in the stream: nothing behind it starts before it has "
         "returned." LONGEST ".",
         "put the function into a stream beside, behind an event, or let it only wake a thread of yours."},
    [CAUSE_PROFILER] = {0.01, "{count} waited {total} for the tracer itself: without it they would have begun earlier.", ""},
    [CAUSE_UNEXPLAINED] = {0.01, "{count} waited {total} for none of the known causes." LONGEST ".", ""},
};

const struct cause_row *cause_row(enum cause cause)
{
    return &rows[cause];
}

const char *cause_id(enum cause cause)
{
    return names[cause].id;
}

const char *cause_title(enum cause cause)
{
    return names[cause].title;
}

const char *cause_meaning(enum cause cause)
{
    return names[cause].meaning;
}

const char *confidence_name(enum confidence confidence)
{
    static const char *const text[] = {"proven", "probable", "possible"};
    return text[confidence];
}
