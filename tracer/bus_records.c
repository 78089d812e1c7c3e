#include "bus_records.h"

#include "loss.h"

enum {
    QUIET_BYTES = 1024,        /* in a sample: what the driver's own polling moves */
    FAR = 8,                   /* intervals: the first sample holds what moved since the counters were set up (H200) */
    LONGEST_NS = 50 * 1000000, /* of a run: a killed program loses it */
};

static uint32_t bytes_of(double bytes)
{
    return bytes <= 0 ? 0 : bytes >= (double)UINT32_MAX ? UINT32_MAX : (uint32_t)(bytes + 0.5);
}

static struct cgt_bus record_of(uint32_t device, const struct sample *s)
{
    return (struct cgt_bus){
        .begin_ns = s->begin_ns,
        .end_ns = s->end_ns,
        .device = device,
        .samples = 1,
        .to_device_bytes = bytes_of(s->to_device_bytes),
        .from_device_bytes = bytes_of(s->from_device_bytes),
    };
}

static bool is_quiet(const struct cgt_bus *r)
{
    return r->to_device_bytes <= QUIET_BYTES * (uint64_t)r->samples &&
           r->from_device_bytes <= QUIET_BYTES * (uint64_t)r->samples;
}

/* Only whole samples count: those before and behind a hole have a little more or less than the interval. */
static void count_missing(const struct cgt_bus *before, const struct cgt_bus *next)
{
    int64_t length = next->end_ns - next->begin_ns, missing = next->begin_ns - before->end_ns;
    if (length > 0 && missing >= length)
        loss_count(CGT_LOSS_SAMPLES, (uint64_t)(missing / length));
}

static bool join(struct cgt_bus *run, const struct cgt_bus *next)
{
    if (run->samples == 0 || next->begin_ns != run->end_ns || next->end_ns - run->begin_ns > LONGEST_NS ||
        !is_quiet(run) || !is_quiet(next))
        return false;
    run->end_ns = next->end_ns;
    run->samples += next->samples;
    run->to_device_bytes += next->to_device_bytes;
    run->from_device_bytes += next->from_device_bytes;
    return true;
}

/* The first sample of a start says when nothing. Where it was started anew after an overflow, that is a loss. */
static void skip(struct bus_run *run, struct writer *writer, const struct cgt_bus *next)
{
    bool follows = run->record.samples > 0 && !run->broken;
    if (follows && next->end_ns > run->record.end_ns)
        loss_count(CGT_LOSS_SAMPLES, (uint64_t)((next->end_ns - run->record.end_ns) / run->interval_ns));
    bus_run_end(run, writer);
}

void bus_run_add(struct bus_run *run, struct writer *writer, const struct sample *sample)
{
    struct cgt_bus next = record_of(run->record.device, sample);
    bool follows = run->record.samples > 0 && !run->broken;
    if (sample->end_ns - sample->begin_ns > FAR * run->interval_ns) {
        skip(run, writer, &next);
        return;
    }
    if (follows)
        count_missing(&run->record, &next);
    if (follows && join(&run->record, &next))
        return;
    if (follows)
        writer_add(writer, CGT_BUS, &run->record);
    run->record = next;
    run->broken = false;
}

void bus_run_end(struct bus_run *run, struct writer *writer)
{
    if (run->record.samples > 0 && !run->broken)
        writer_add(writer, CGT_BUS, &run->record);
    run->broken = true;
}
