#include <inttypes.h>

#include "chrome.h"
#include "timeline/model.h"

/* A stream of the device: its rows are where viewers put the counters. MODEL_NONE if it ran nothing. */
static uint32_t stream_of(const struct model *m, const struct bus *bus)
{
    for (uint32_t i = 0; i < m->lane_count; i++)
        if (m->lanes[i].kind == LANE_STREAM && m->lanes[i].process == bus->process && m->lanes[i].device == bus->device)
            return i;
    return MODEL_NONE;
}

/* A counter keeps its value until the next event of its name: where sampling breaks off it goes to 0. */
static void counter_write(struct chrome *c, uint32_t lane, int64_t time_ns, const double rates[2])
{
    chrome_event_begin(c);
    out_printf(&c->out, "{\"ph\": \"C\", \"cat\": \"bus\", \"name\": \"PCIe, GB/s\", \"pid\": %" PRIu32 ", \"ts\": ",
               c->lanes[lane].pid);
    out_us(&c->out, time_ns - c->base_ns);
    out_printf(&c->out, ", \"args\": {\"to device\": %.3f, \"from device\": %.3f}}", rates[BUS_TO_DEVICE],
               rates[BUS_FROM_DEVICE]);
}

static void bus_write(struct chrome *c, const struct bus *bus, uint32_t lane)
{
    static const double nothing[2] = {0};
    const struct bus_sample *samples = c->model->bus_samples + bus->first;
    for (uint32_t i = 0; i < bus->count; i++) {
        const struct bus_sample *s = &samples[i];
        if (s->begin_ns < c->base_ns)
            continue; /* before anything else: formats have no times below 0 */
        double length_ns = (double)(s->end_ns - s->begin_ns);
        double rates[2] = {s->bytes[BUS_TO_DEVICE] / length_ns, s->bytes[BUS_FROM_DEVICE] / length_ns};
        counter_write(c, lane, s->begin_ns, rates);
        if (i + 1 == bus->count || samples[i + 1].begin_ns != s->end_ns)
            counter_write(c, lane, s->end_ns, nothing);
    }
}

void chrome_buses(struct chrome *c)
{
    for (uint32_t i = 0; i < c->model->bus_count; i++) {
        uint32_t lane = stream_of(c->model, &c->model->buses[i]);
        if (lane != MODEL_NONE)
            bus_write(c, &c->model->buses[i], lane);
    }
}
