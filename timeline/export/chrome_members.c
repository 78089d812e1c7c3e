/* What a Chrome JSON file says in front of its events. */
#include <inttypes.h>
#include <string.h>

#include "chrome.h"
#include "timeline/model_build.h"

static void device_write(struct chrome *c, const struct device *device)
{
    const struct cgt_device *d = &device->info;
    out_printf(&c->out, "    {\"id\": %" PRIu32 ", \"name\": ", d->id);
    out_json(&c->out, device->name);
    out_printf(&c->out, ", \"totalGlobalMem\": %" PRIu64 ", \"computeMajor\": %" PRIu32 ", \"computeMinor\": %" PRIu32
               ", \"warpSize\": %" PRIu32, d->memory_bytes, d->compute_major, d->compute_minor, d->threads_per_warp);
    out_printf(&c->out,
               ", \"numSms\": %" PRIu32 ", \"maxThreadsPerMultiprocessor\": %" PRIu32
               ", \"regsPerMultiprocessor\": %" PRIu32 ", \"sharedMemPerMultiprocessor\": %" PRIu32,
               d->sm_count, d->max_warps_per_sm * d->threads_per_warp, d->registers_per_sm, d->shared_bytes_per_sm);
    out_printf(&c->out, ", \"pcieGeneration\": %" PRIu32 ", \"pcieLanes\": %" PRIu32 ", \"copyEngines\": %" PRIu32 "}",
               d->pcie_generation, d->pcie_lanes, d->copy_engines);
}

static void devices_write(struct chrome *c, uint32_t process)
{
    bool follows = false;
    out_text(&c->out, "  \"deviceProperties\": [\n");
    for (uint32_t i = 0; i < c->model->device_count; i++) {
        if (c->model->devices[i].process != process)
            continue;
        out_text(&c->out, follows ? ",\n" : "");
        device_write(c, &c->model->devices[i]);
        follows = true;
    }
    out_text(&c->out, "\n  ],\n");
}

/* Flags and priorities: no other Chrome JSON has them, and the diagnosis needs them. */
static void streams_write(struct chrome *c, uint32_t process)
{
    bool follows = false;
    out_text(&c->out, "  \"cuganttStreams\": [");
    for (uint32_t i = 0; i < c->model->lane_count; i++) {
        const struct lane *l = &c->model->lanes[i];
        if (l->kind != LANE_STREAM || l->process != process)
            continue;
        out_printf(&c->out, "%s\n    {\"context\": %" PRIu32 ", \"id\": %" PRIu32, follows ? "," : "", l->context,
                   l->id);
        out_printf(&c->out, ", \"priority\": %" PRId32 ", \"flag\": %" PRIu32 ", \"correlation\": %" PRIu32 "}",
                   l->priority, l->stream_flag, out_stream_creation(c->model, l));
        follows = true;
    }
    out_text(&c->out, "\n  ],\n");
}

static void properties_write(struct chrome *c, uint32_t process)
{
    const struct reader *r = c->model->processes[process].reader;
    bool follows = false;
    out_text(&c->out, "  \"cuganttProperties\": {");
    FOR_EACH_RECORD(r, CGT_PROPERTY, cgt_property, p) {
        const char *key = reader_string(r, p->key);
        if (strcmp(key, "source") == 0 || strcmp(key, "rank") == 0 || strcmp(key, "pid") == 0)
            continue; /* these the importer takes from elsewhere */
        out_text(&c->out, follows ? ",\n    " : "\n    ");
        out_json(&c->out, key);
        out_text(&c->out, ": ");
        out_json(&c->out, reader_string(r, p->value));
        follows = true;
    }
    out_text(&c->out, "\n  },\n");
}

/* What was lost stays lost: the file says so to the next reader too. */
static void loss_write(struct chrome *c)
{
    const struct loss *loss = &c->model->loss;
    out_printf(&c->out,
               "  \"cuganttLoss\": {\"dropped\": %" PRIu64 ", \"invalid\": %" PRIu64 ", \"malformed\": %" PRIu64
               ", \"truncated\": %" PRIu64 "}",
               loss->dropped + loss->skipped_blocks, loss->invalid, loss->malformed, loss->truncated_bytes);
}

/* Losses are counted for all processes together: the first one tells of them. */
static void process_write(struct chrome *c, uint32_t process)
{
    const char *rank = c->model->processes[process].rank;
    if (rank[0] != '\0') {
        out_text(&c->out, "  \"distributedInfo\": {\"rank\": ");
        out_json(&c->out, rank);
        out_text(&c->out, "},\n");
    }
    devices_write(c, process);
    streams_write(c, process);
    properties_write(c, process);
    if (process == 0)
        loss_write(c);
    else
        out_text(&c->out, "  \"cuganttLoss\": {}");
}

static void processes_write(struct chrome *c)
{
    out_text(&c->out, "  \"cuganttProcesses\": [\n");
    for (uint32_t i = 0; i < c->model->process_count; i++) {
        out_printf(&c->out, "%s  {\"pid\": %" PRIu32 ", \"recordedPid\": ", i > 0 ? ",\n" : "", c->pids[i]);
        out_json(&c->out, model_property(c->model, i, "pid"));
        out_text(&c->out, ",\n");
        process_write(c, i);
        out_text(&c->out, "}");
    }
    out_text(&c->out, "\n  ]");
}

void chrome_members(struct chrome *c)
{
    out_text(&c->out, "{\n  \"schemaVersion\": 1,\n  \"displayTimeUnit\": \"ns\",\n");
    out_printf(&c->out, "  \"baseTimeNanoseconds\": %" PRId64 ",\n", c->base_ns);
    if (c->model->process_count == 1)
        process_write(c, 0);
    else
        processes_write(c);
    out_text(&c->out, ",\n  \"traceEvents\": [");
}
