#include <math.h>

#include "run.h"

/* Constraints that no record names, only timing and sizes: looked at where nothing recorded explains a wait, and given
 * it only if the operation began right when they let go. */

enum {
    WORTH_NS = 10 * 1000, /* shorter waits behind a dependency are launch latency, */
    AFTER_CALL_NS = 50 * 1000, /* and behind the call that long ones */
    SOON_NS = 20 * 1000,  /* between letting go and the begin */
    QUEUED = 1024,        /* operations issued longer ago are not pending: launches then block */
};

static const struct device *device_of(const struct run *run, const struct lane *lane)
{
    for (uint32_t i = 0; i < run->model->device_count; i++) {
        const struct device *device = &run->model->devices[i];
        if (device->process == lane->process && device->info.id == lane->device)
            return device;
    }
    return NULL;
}

/* What a block takes of a multiprocessor, 0 to 1; 0: the trace does not say what the device has.
 * Source: CUDA C++ Programming Guide, "Multiprocessor Level". */
static double block_share(const struct cgt_device *device, const struct cgt_kernel *kernel)
{
    if (device->max_warps_per_sm == 0 || device->sm_count == 0)
        return 0;
    double threads = (double)kernel->block[0] * kernel->block[1] * kernel->block[2];
    double share = threads / ((double)device->max_warps_per_sm * (device->threads_per_warp > 0 ? device->threads_per_warp : 32));
    if (device->max_blocks_per_sm > 0)
        share = fmax(share, 1.0 / device->max_blocks_per_sm);
    if (device->registers_per_sm > 0)
        share = fmax(share, threads * kernel->registers_per_thread / device->registers_per_sm);
    if (device->shared_bytes_per_sm > 0)
        share = fmax(share, ((double)kernel->static_shared_bytes + kernel->dynamic_shared_bytes) / device->shared_bytes_per_sm);
    return share < 1 ? share : 1;
}

/* What all its blocks would take of the device, 0 to 1. */
static double device_share(const struct cgt_device *device, const struct cgt_kernel *kernel)
{
    if (device->sm_count == 0)
        return 0;
    double blocks = (double)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    double share = blocks * block_share(device, kernel) / device->sm_count;
    return share < 1 ? share : 1;
}

double likely_share(const struct run *run, const struct span *op)
{
    const struct device *device = device_of(run, &run->model->lanes[op->lane]);
    return device == NULL ? 0 : device_share(&device->info, model_kernel(run->model, op));
}

/* The operation of the lane that began last before `time_ns`; MODEL_NONE. */
static uint32_t running_at(const struct run *run, const struct lane *lane, int64_t time_ns)
{
    uint32_t low = lane->first, high = lane->first + lane->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run_span(run, middle)->begin_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low > lane->first ? low - 1 : MODEL_NONE;
}

/* What kernels of other streams take of the operation's device at a moment, and the largest of them. */
static double taken_at(const struct run *run, uint32_t index, const struct device *device, int64_t time_ns, uint32_t *ret_largest)
{
    const struct model *m = run->model;
    const struct lane *own = &m->lanes[run_span(run, index)->lane];
    double taken = 0, largest = 0;
    *ret_largest = MODEL_NONE;
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *lane = &m->lanes[i];
        if (lane->kind != LANE_STREAM || lane == own || lane->process != own->process || lane->device != own->device)
            continue;
        uint32_t other = running_at(run, lane, time_ns);
        if (other == MODEL_NONE || run_span(run, other)->kind != SPAN_KERNEL || run_span(run, other)->end_ns < time_ns)
            continue;
        double share = device_share(&device->info, model_kernel(m, run_span(run, other)));
        taken += share;
        if (share > largest)
            largest = share, *ret_largest = other;
    }
    return taken;
}

/* Kernels of other streams held all multiprocessors: no block of this one found room, half-way and just before it began. */
static struct release resources(const struct run *run, uint32_t index, int64_t after_ns)
{
    const struct span *op = run_span(run, index);
    const struct device *device = device_of(run, &run->model->lanes[op->lane]);
    uint32_t largest;
    if (op->kind != SPAN_KERNEL || device == NULL)
        return (struct release){INT64_MIN, MODEL_NONE};
    double room = 1 - block_share(&device->info, model_kernel(run->model, op));
    int64_t last = op->begin_ns - (op->begin_ns - after_ns < SOON_NS ? op->begin_ns - after_ns : SOON_NS);
    if (room >= 1 || taken_at(run, index, device, after_ns + (op->begin_ns - after_ns) / 2, &largest) <= room ||
        taken_at(run, index, device, last, &largest) <= room)
        return (struct release){INT64_MIN, MODEL_NONE};
    int64_t end = run_span(run, largest)->end_ns;
    return (struct release){end < op->begin_ns ? end : op->begin_ns, largest};
}

/* The operations of a hardware queue start in the order of issue, whatever their streams: the one issued before it to the
 * same queue that began last. */
static struct release queue(const struct run *run, uint32_t position)
{
    const struct span *op = run_span(run, run->order[position]);
    const struct cgt_operation *record = model_operation(run->model, op);
    const struct lane *own = &run->model->lanes[op->lane];
    struct release last = {INT64_MIN, MODEL_NONE};
    if (record->channel_type != CGT_CHANNEL_COMPUTE || op->peer == MODEL_NONE)
        return last;
    for (uint32_t i = position; i > 0 && position - i < QUEUED; i--) {
        uint32_t index = run->order[i - 1];
        const struct span *other = run_span(run, index);
        const struct lane *lane = &run->model->lanes[other->lane];
        if (lane == own || lane->process != own->process || lane->device != own->device || other->peer == op->peer ||
            other->begin_ns > op->begin_ns || other->begin_ns <= last.time_ns)
            continue;
        const struct cgt_operation *theirs = model_operation(run->model, other);
        if (theirs->channel == record->channel && theirs->channel_type == record->channel_type)
            last = (struct release){other->begin_ns, index};
    }
    return last;
}

/* A node of a graph waits for others of the same launch: the one on another stream that ended last before it. */
static struct release graph(const struct run *run, uint32_t position)
{
    const struct span *op = run_span(run, run->order[position]);
    struct release last = {INT64_MIN, MODEL_NONE};
    if (op->peer == MODEL_NONE || model_operation(run->model, op)->graph == 0)
        return last;
    for (uint32_t i = position; i > 0 && position - i < QUEUED; i--) {
        const struct span *other = run_span(run, run->order[i - 1]);
        if (other->peer != op->peer)
            break;
        if (other->lane != op->lane && other->end_ns <= op->begin_ns && other->end_ns > last.time_ns)
            last = (struct release){other->end_ns, run->order[i - 1]};
    }
    return last;
}

/* A host function that the thread put into a stream between the operation and the one before it in its stream. Records do not
 * say into which stream, nor when it returned. */
static uint32_t host_function(const struct run *run, uint32_t index)
{
    const struct span *op = run_span(run, index), *before = op - 1;
    if (op->peer == MODEL_NONE || index == run->model->lanes[op->lane].first || before->peer == MODEL_NONE)
        return MODEL_NONE;
    uint32_t thread = run_span(run, op->peer)->lane;
    for (uint32_t i = op->peer; i > run->model->lanes[thread].first && op->peer - i < QUEUED; i--) {
        const struct span *call = run_span(run, i - 1);
        if (call->begin_ns < run_span(run, before->peer)->begin_ns)
            break;
        if (call->call_class == CALL_HOST_FUNC)
            return i - 1;
    }
    return MODEL_NONE;
}

struct piece likely_hold(const struct run *run, uint32_t position, int64_t after_ns)
{
    uint32_t index = run->order[position];
    const struct span *op = run_span(run, index);
    struct piece none = {after_ns, after_ns, index, MODEL_NONE, CAUSE_UNEXPLAINED, CONFIDENCE_PROVEN};
    bool after_call = op->peer != MODEL_NONE && after_ns <= issue_ns(run, op);
    if (op->begin_ns - after_ns < (after_call ? AFTER_CALL_NS : WORTH_NS))
        return none;
    uint32_t function = host_function(run, index);
    const struct {
        struct release release;
        enum cause cause;
    } candidates[] = {
        {graph(run, position), CAUSE_GRAPH_ORDER},
        {{function == MODEL_NONE ? INT64_MIN : op->begin_ns, function}, CAUSE_HOST_CALLBACK},
        {resources(run, index, after_ns), CAUSE_DEVICE_FULL},
        {queue(run, position), CAUSE_HARDWARE_QUEUE_SHARED},
    };
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        struct release release = candidates[i].release;
        if (release.time_ns > after_ns && op->begin_ns - release.time_ns <= SOON_NS)
            return (struct piece){after_ns, release.time_ns, index, release.blocker, (uint8_t)candidates[i].cause, CONFIDENCE_PROBABLE};
    }
    return none;
}
