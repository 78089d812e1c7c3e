#include "bus.h"

#include <inttypes.h>
#include <stdio.h>

#include "diagnose/diagnose.h"

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
        printf("  %-10s of device %" PRIu32 " sampled every %s, %s in all: %s to the device, %s from it, with packet headers; "
               "the program was held for %s until samples came\n",
               "PCIe", bus->device, time_text(total.interval_ns, interval, sizeof interval),
               time_text(bus->sampled_ns, span, sizeof span), bytes_text(total.bytes[BUS_TO_DEVICE], to, sizeof to),
               bytes_text(total.bytes[BUS_FROM_DEVICE], from, sizeof from),
               time_text(model_bus_held_ns(m, bus->process), held, sizeof held));
    }
}
