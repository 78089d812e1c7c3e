/* What the PCIe links of devices carried, as sampled. */
#include <stdlib.h>
#include <string.h>

#include "model_build.h"

static int sample_compare(const void *a, const void *b)
{
    const struct bus_sample *x = a, *y = b;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

enum { DEVICES = 256 }; /* more there are not: other ids are damage */

static bool is_usable(const struct cgt_bus *r)
{
    return r->begin_ns > 0 && r->end_ns > r->begin_ns && r->end_ns < TIME_LIMIT && r->samples > 0 &&
           r->device < DEVICES;
}

static struct bus *bus_get(struct model *m, uint32_t process, uint32_t device)
{
    for (uint32_t i = 0; i < m->bus_count; i++)
        if (m->buses[i].process == process && m->buses[i].device == device)
            return &m->buses[i];
    struct bus *grown = ARENA_NEW(&m->arena, struct bus, m->bus_count + 1);
    if (m->bus_count > 0)
        memcpy(grown, m->buses, m->bus_count * sizeof *grown);
    m->buses = grown;
    m->buses[m->bus_count] = (struct bus){.process = process, .device = device};
    return &m->buses[m->bus_count++];
}

static uint32_t samples_count(struct model *m)
{
    uint32_t total = 0;
    for (uint32_t p = 0; p < m->process_count; p++)
        FOR_EACH_RECORD(m->processes[p].reader, CGT_BUS, cgt_bus, r)
            if (is_usable(r)) {
                bus_get(m, p, r->device)->count++;
                total++;
            }
    return total;
}

static void samples_place(struct model *m, uint32_t process)
{
    int64_t shift = m->processes[process].shift_ns;
    FOR_EACH_RECORD(m->processes[process].reader, CGT_BUS, cgt_bus, r) {
        if (!is_usable(r))
            continue;
        struct bus *bus = bus_get(m, process, r->device);
        m->bus_samples[bus->first + bus->count++] =
            (struct bus_sample){r->begin_ns + shift, r->end_ns + shift, r->samples,
                                {r->to_device_bytes, r->from_device_bytes}};
    }
}

/* One that begins in the one before it is damage: its begin is taken to be late. */
static void bus_tidy(struct model *m, struct bus *bus)
{
    struct bus_sample *samples = m->bus_samples + bus->first;
    uint32_t kept = 0;
    qsort(samples, bus->count, sizeof *samples, sample_compare);
    for (uint32_t i = 0; i < bus->count; i++) {
        struct bus_sample sample = samples[i];
        if (kept > 0 && sample.begin_ns < samples[kept - 1].end_ns)
            sample.begin_ns = samples[kept - 1].end_ns;
        if (sample.begin_ns >= sample.end_ns)
            continue;
        samples[kept++] = sample;
        bus->samples += sample.samples;
        bus->sampled_ns += sample.end_ns - sample.begin_ns;
    }
    bus->count = kept;
}

double model_link_rate(const struct cgt_device *device)
{
    /* of one lane: PCI-SIG's 2.5, 5, 8, 16, 32, 64 GT/s less encoding */
    static const double lane[] = {0, 0.25, 0.5, 0.985, 1.969, 3.938, 7.563};
    bool known = device->pcie_generation < sizeof lane / sizeof *lane;
    return known ? lane[device->pcie_generation] * device->pcie_lanes : 0;
}

static double peak_of(const struct model *m, const struct bus *bus)
{
    for (uint32_t i = 0; i < m->device_count; i++)
        if (m->devices[i].process == bus->process && m->devices[i].info.id == bus->device)
            return model_link_rate(&m->devices[i].info);
    return 0;
}

void model_read_buses(struct model *m)
{
    m->bus_sample_count = samples_count(m);
    m->bus_samples = ARENA_NEW(&m->arena, struct bus_sample, m->bus_sample_count + 1);
    uint32_t first = 0;
    for (uint32_t i = 0; i < m->bus_count; i++) {
        m->buses[i].first = first;
        first += m->buses[i].count;
        m->buses[i].count = 0;
    }
    for (uint32_t p = 0; p < m->process_count; p++)
        samples_place(m, p);
    for (uint32_t i = 0; i < m->bus_count; i++) {
        bus_tidy(m, &m->buses[i]);
        m->buses[i].peak_bytes_per_ns = peak_of(m, &m->buses[i]);
    }
}

const struct bus *model_bus_find(const struct model *m, uint32_t process, uint32_t device)
{
    for (uint32_t i = 0; i < m->bus_count; i++)
        if (m->buses[i].process == process && m->buses[i].device == device)
            return &m->buses[i];
    return NULL;
}

uint32_t model_bus_after(const struct model *m, const struct bus *bus, int64_t time_ns)
{
    uint32_t low = bus->first, high = bus->first + bus->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->bus_samples[middle].end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double model_bus_bytes(const struct model *m, const struct bus *bus, enum bus_direction direction, int64_t begin_ns,
                       int64_t end_ns, int64_t *ret_known_ns)
{
    double bytes = 0;
    int64_t known_ns = 0;
    for (uint32_t i = model_bus_after(m, bus, begin_ns); i < bus->first + bus->count; i++) {
        const struct bus_sample *s = &m->bus_samples[i];
        int64_t from = s->begin_ns > begin_ns ? s->begin_ns : begin_ns, to = s->end_ns < end_ns ? s->end_ns : end_ns;
        if (to <= from)
            break;
        bytes += s->bytes[direction] * ((double)(to - from) / (double)(s->end_ns - s->begin_ns));
        known_ns += to - from;
    }
    if (ret_known_ns != NULL)
        *ret_known_ns = known_ns;
    return bytes;
}

/* The tracer writes it anew for each device, with what came before. */
int64_t model_bus_held_ns(const struct model *m, uint32_t process)
{
    const struct reader *r = m->processes[process].reader;
    int64_t most_ns = 0;
    FOR_EACH_RECORD(r, CGT_PROPERTY, cgt_property, property) {
        if (strcmp(reader_string(r, property->key), "bus_held_ns") != 0)
            continue;
        int64_t held_ns = strtoll(reader_string(r, property->value), NULL, 10);
        most_ns = held_ns > most_ns ? held_ns : most_ns;
    }
    return most_ns;
}
