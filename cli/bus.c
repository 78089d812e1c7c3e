#include "bus.h"

#include <inttypes.h>
#include <stdio.h>

#include "present.h"

struct bus_total {
    uint64_t bytes[2];
    int64_t interval_ns; /* mean of what was got */
};

static struct bus_total total_of(const struct model *m, const struct bus *bus)
{
    struct bus_total total = {.interval_ns = bus->samples > 0 ? bus->sampled_ns / (int64_t)bus->samples : 0};
    for (uint32_t i = bus->first; i < bus->first + bus->count; i++)
        for (int direction = 0; direction < 2; direction++)
            total.bytes[direction] += m->bus_samples[i].bytes[direction];
    return total;
}

json_t *bus_json(const struct model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->bus_count; i++) {
        const struct bus *bus = &m->buses[i];
        struct bus_total total = total_of(m, bus);
        json_array_append_new(
            list, json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:f, s:I}", "device", (int)bus->device, "samples",
                            (json_int_t)bus->samples, "interval_ns", (json_int_t)total.interval_ns, "sampled_ns",
                            (json_int_t)bus->sampled_ns, "to_device_bytes", (json_int_t)total.bytes[BUS_TO_DEVICE],
                            "from_device_bytes", (json_int_t)total.bytes[BUS_FROM_DEVICE], "peak_gb_per_s",
                            bus->peak_bytes_per_ns, "held_ns", (json_int_t)model_bus_held_ns(m, bus->process)));
    }
    return list;
}

void bus_print(const struct model *m)
{
    char interval[32], span[32], to[32], from[32], held[32];
    for (uint32_t i = 0; i < m->bus_count; i++) {
        const struct bus *bus = &m->buses[i];
        struct bus_total total = total_of(m, bus);
        printf("  %-10s of device %" PRIu32 " sampled every %s, %s in all: %s to the device, %s from it, with packet "
               "headers; the program was held for %s until samples came\n",
               "PCIe", bus->device, time_text(total.interval_ns, interval, sizeof interval),
               time_text(bus->sampled_ns, span, sizeof span), bytes_text(total.bytes[BUS_TO_DEVICE], to, sizeof to),
               bytes_text(total.bytes[BUS_FROM_DEVICE], from, sizeof from),
               time_text(model_bus_held_ns(m, bus->process), held, sizeof held));
    }
}

static const char *const directions[2] = {[BUS_TO_DEVICE] = "to_device", [BUS_FROM_DEVICE] = "from_device"};
static const char *const memories[BUS_MEMORY_COUNT] = {[BUS_STAGED] = "pageable", [BUS_PINNED] = "pinned"};

static double rate_of(uint64_t bytes, int64_t ns)
{
    return ns > 0 ? (double)bytes / (double)ns : 0;
}

static json_t *sum_json(const struct bus_copies *sum, int direction, int memory)
{
    double idle_share = 1 - rate_of((uint64_t)sum->busy_ns, sum->call_ns);
    return json_pack("{s:s, s:s, s:i, s:I, s:I, s:I, s:f, s:f, s:i, s:I, s:I, s:I, s:I}", "direction",
                     directions[direction], "memory", memories[memory], "count", (int)sum->count, "bytes",
                     (json_int_t)sum->bytes, "call_ns", (json_int_t)sum->call_ns, "busy_ns", (json_int_t)sum->busy_ns,
                     "idle_share", idle_share, "gb_per_s_busy", rate_of(sum->bytes, sum->busy_ns), "bursts",
                     (int)sum->bursts, "burst_ns", (json_int_t)sum->burst_ns, "chunk_bytes",
                     (json_int_t)sum->chunk_bytes, "chunk_low_bytes", (json_int_t)sum->chunk_low_bytes,
                     "chunk_high_bytes", (json_int_t)sum->chunk_high_bytes);
}

static json_t *copy_json(const struct model *m, const struct diagnosis *d, const struct bus_copy *copy)
{
    const struct span *span = &m->spans[copy->span];
    double idle_share = 1 - rate_of((uint64_t)copy->busy_ns, copy->call_ns);
    return json_pack("{s:I, s:I, s:s, s:s, s:I, s:I, s:I, s:f, s:i}", "begin_ns",
                     (json_int_t)(span->begin_ns - d->begin_ns), "end_ns", (json_int_t)(span->end_ns - d->begin_ns),
                     "direction", directions[copy->direction], "memory", memories[copy->memory], "bytes",
                     (json_int_t)copy->bytes, "call_ns", (json_int_t)copy->call_ns, "busy_ns",
                     (json_int_t)copy->busy_ns, "idle_share", idle_share, "bursts", (int)copy->bursts);
}

json_t *bus_report_json(const struct model *m, const struct diagnosis *d)
{
    const struct bus_report *r = &d->bus;
    json_t *sums = json_array(), *copies = json_array(), *both = json_null();
    for (int direction = 0; direction < 2; direction++)
        for (int memory = 0; memory < BUS_MEMORY_COUNT; memory++)
            if (r->sums[direction][memory].count > 0)
                json_array_append_new(sums, sum_json(&r->sums[direction][memory], direction, memory));
    for (uint32_t i = 0; i < r->item_count; i++)
        json_array_append_new(copies, copy_json(m, d, &r->items[i]));
    if (r->both[0] > 0 && r->both[1] > 0)
        both = json_pack("{s:I, s:f, s:f, s:f, s:f}", "ns", (json_int_t)r->both_ns, "to_device_gb_per_s", r->both[0],
                         "from_device_gb_per_s", r->both[1], "to_device_alone_gb_per_s", r->alone[0],
                         "from_device_alone_gb_per_s", r->alone[1]);
    return json_pack("{s:I, s:f, s:o, s:o, s:o, s:i, s:i, s:i}", "interval_ns", (json_int_t)r->interval_ns,
                     "peak_gb_per_s", r->peak_bytes_per_ns, "sums", sums, "copies", copies, "both_directions", both,
                     "too_short", (int)r->coarse, "shared", (int)r->shared, "beside", (int)r->beside);
}

void bus_report_print(const struct diagnosis *d)
{
    char interval[32];
    if (d->bus.line_count > 0)
        printf("\nOn the PCIe link, sampled every %s:\n", time_text(d->bus.interval_ns, interval, sizeof interval));
    for (uint32_t i = 0; i < d->bus.line_count; i++)
        present_wrapped("  - ", d->bus.lines[i]);
}
