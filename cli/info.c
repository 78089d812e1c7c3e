#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus.h"
#include "cli.h"
#include "diagnose/diagnose.h"
#include "present.h"
#include "probed.h"
#include "progress.h"
#include "timeline/summary.h"

static json_t *copy_json(const struct copy_sum *sum)
{
    return json_pack("{s:I, s:I, s:I}", "count", (json_int_t)sum->count, "bytes", (json_int_t)sum->bytes, "ns",
                     (json_int_t)sum->ns);
}

static json_t *device_json(const struct model *m, const struct device_summary *d)
{
    char process[64];
    json_t *json = json_pack("{s:i, s:o, s:I, s:I, s:I, s:I, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "id", (int)d->id, "name",
                     present_text(d->name), "kernels", (json_int_t)d->kernels, "copies", (json_int_t)d->copies, "memsets",
                     (json_int_t)d->memsets, "graphs", (json_int_t)d->graphs, "streams", (int)d->streams, "kernel_busy_ns", (json_int_t)d->kernel_busy_ns,
                     "copy_busy_ns", (json_int_t)d->copy_busy_ns, "copy_hidden_ns", (json_int_t)d->copy_hidden_ns, "busy_ns",
                     (json_int_t)d->busy_ns, "multi_stream_ns", (json_int_t)d->multi_stream_ns, "span_ns",
                     (json_int_t)d->span_ns, "pageable", copy_json(&d->pageable), "pinned", copy_json(&d->pinned));
    if (m->process_count > 1)
        json_object_set_new(json, "process", present_text(model_process_name(m, d->process, process, sizeof process)));
    return json;
}

static json_t *pauses_json(const struct model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->pause_count; i++)
        json_array_append_new(list, json_pack("{s:I, s:I, s:s}", "begin_ns", (json_int_t)(m->pauses[i].begin_ns - m->begin_ns),
                                              "end_ns", (json_int_t)(m->pauses[i].end_ns - m->begin_ns), "reason",
                                              present_pause(m->pauses[i].reason)));
    return list;
}

/* What was to be recorded, where that is not the usual. */
static json_t *limits_json(const struct model *m)
{
    static const char *const keys[] = {"calls_not_recorded", "calls", "graphs", "limited_to", "bus_not_recorded"};
    json_t *limits = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (model_property(m, 0, keys[i])[0] != '\0')
            json_object_set_new(limits, keys[i], present_text(model_property(m, 0, keys[i])));
    return limits;
}

static json_t *loss_json(const struct loss *loss)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "dropped", (json_int_t)loss->dropped, "invalid",
                     (json_int_t)loss->invalid, "truncated_bytes", (json_int_t)loss->truncated_bytes, "skipped_blocks",
                     (json_int_t)loss->skipped_blocks, "malformed", (json_int_t)loss->malformed, "samples", (json_int_t)loss->samples, "unmatched",
                     (json_int_t)loss->unmatched, "unfinished", (int)loss->unfinished);
}

static json_t *skew_json(const struct skew *skew)
{
    return json_pack("{s:I, s:I, s:o}", "early", (json_int_t)skew->early, "worst_ns", (json_int_t)skew->worst_ns, "least_ns",
                     skew->least_ns == INT64_MAX ? json_null() : json_integer(skew->least_ns));
}

static json_t *lanes_json(const struct model *m)
{
    json_t *lanes = json_array();
    for (uint32_t i = 0; i < m->lane_count; i++) {
        char name[64];
        json_array_append_new(lanes, json_pack("{s:s, s:i, s:I}", "name", model_lane_name(m, i, name, sizeof name), "spans",
                                               (int)m->lanes[i].count, "busy_ns", (json_int_t)m->lanes[i].busy_ns));
    }
    return lanes;
}

static json_t *info_json(const struct model *m, const struct device_summary *devices, uint32_t count)
{
    static const struct {
        const char *field, *key, *otherwise;
    } texts[] = {{"source", "source", "cgt"}, {"program", "program", ""},   {"recorded", "started", ""},
                 {"driver", "driver", ""},    {"cuda", "cuda_driver", ""}};
    json_t *json = json_pack("{s:i}", "schema", 1), *list = json_array();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *value = model_property(m, 0, texts[i].key);
        json_object_set_new(json, texts[i].field, present_text(value[0] ? value : texts[i].otherwise));
    }
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, device_json(m, &devices[i]));
    json_object_set_new(json, "devices", list);
    json_object_set_new(json, "lanes", lanes_json(m));
    json_object_set_new(json, "buses", bus_json(m));
    json_object_set_new(json, "limits", limits_json(m));
    json_object_set_new(json, "pauses", pauses_json(m));
    json_object_set_new(json, "probe", probed_json(m));
    json_object_set_new(json, "calls", json_integer((json_int_t)m->call_count));
    json_object_set_new(json, "clock", skew_json(&m->skew));
    json_object_set_new(json, "loss", loss_json(&m->loss));
    return json;
}

static void property_print(const struct model *m, uint32_t process, const char *label, const char *key)
{
    const char *value = model_property(m, process, key);
    if (value[0] != '\0')
        printf("  %-10s %s\n", label, value);
}

static void copies_print(const char *label, const struct copy_sum *sum)
{
    char bytes[32], rate[32];
    if (sum->count > 0)
        printf("    %-10s %" PRIu64 " copies, %s, %s\n", label, sum->count, bytes_text(sum->bytes, bytes, sizeof bytes),
               rate_text(sum->ns > 0 ? (double)sum->bytes / (double)sum->ns : 0, rate, sizeof rate));
}

static void device_print(const struct model *m, const struct device_summary *d)
{
    char a[32], b[32], c[32], process[64], graphs[64];
    snprintf(graphs, sizeof graphs, d->graphs > 0 ? "%" PRIu64 " whole graphs, " : "", d->graphs);
    model_process_name(m, d->process, process, sizeof process);
    printf("\n  %s%sdevice %" PRIu32 "%s%s: %s%" PRIu64 " kernels, %" PRIu64 " copies, %" PRIu64 " memsets on %" PRIu32 " %s\n",
           process, process[0] ? ", " : "", d->id, d->name[0] ? " " : "", d->name, graphs, d->kernels, d->copies, d->memsets, d->streams,
           d->streams == 1 ? "stream" : "streams");
    printf("    %-10s %s of %s; two or more streams at once %s\n", "busy", time_text(d->busy_ns, a, sizeof a),
           time_text(d->span_ns, b, sizeof b), time_text(d->multi_stream_ns, c, sizeof c));
    printf("    %-10s %s; copies %s, of which %s under kernels\n", "kernels", time_text(d->kernel_busy_ns, a, sizeof a),
           time_text(d->copy_busy_ns, b, sizeof b), time_text(d->copy_hidden_ns, c, sizeof c));
    copies_print("pageable", &d->pageable);
    copies_print("pinned", &d->pinned);
}

static void lanes_print(const struct model *m)
{
    static const char *const flags[] = {"", "blocking", "non-blocking", "legacy default"};
    static const char *const words[] = {[LANE_THREAD] = "calls", [LANE_RANGE] = "ranges", [LANE_STREAM] = "operations"};
    puts("");
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *lane = &m->lanes[i];
        char name[64], busy[32];
        printf("  %-28s %8" PRIu32 " %-10s busy %-10s %s%s\n", model_lane_name(m, i, name, sizeof name), lane->count,
               words[lane->kind], time_text(lane->busy_ns, busy, sizeof busy),
               lane->per_thread ? "per-thread default" : flags[lane->stream_flag < 4 ? lane->stream_flag : 0],
               lane->kind == LANE_THREAD ? lane->name : "");
    }
}

/* Stretches that were not recorded on purpose, of each process; the first ones with their times. */
static void pauses_print(const struct model *m)
{
    enum { SHOWN = 3 };
    char from[32], length[32], process[64];
    for (uint32_t i = 0, of_process = 0; i < m->pause_count; i++) {
        const struct pause *p = &m->pauses[i];
        bool is_first = i == 0 || p[-1].process != p->process;
        bool is_last = i + 1 == m->pause_count || p[1].process != p->process;
        of_process = is_first ? 1 : of_process + 1;
        if (of_process <= SHOWN)
            printf("  %-10s %s%sfrom %s for %s: %s\n", "paused",
                   model_process_name(m, p->process, process, sizeof process), m->process_count > 1 ? ", " : "", time_text(p->begin_ns - m->begin_ns, from, sizeof from),
                   time_text(p->end_ns - p->begin_ns, length, sizeof length), present_pause(p->reason));
        else if (is_last)
            printf("  %-10s and %" PRIu32 " times more\n", "", of_process - SHOWN);
    }
}

static void provenance_print(const struct model *m, uint32_t process)
{
    static const struct {
        const char *label, *key;
    } rows[] = {{"title", "title"},      {"source", "source"},    {"command", "command"},  {"host", "host"},     {"rank", "rank"},
                {"recorded", "started"}, {"driver", "driver"},    {"CUDA", "cuda_driver"}, {"CUPTI", "cupti"},
                {"without", "not_recorded"}, {"left out", "calls_not_recorded"},
                {"calls", "calls"},      {"graphs", "graphs"},    {"limited to", "limited_to"},
                {"PCIe", "bus_not_recorded"}};
    printf("%s\n", m->processes[process].path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        property_print(m, process, rows[i].label, rows[i].key);
}

static void clock_print(const struct model *m)
{
    char worst[32], least[32];
    if (m->skew.least_ns == INT64_MAX)
        return;
    if (m->skew.early > 0)
        printf("  %-10s %" PRIu64 " operations begin before their call, by %s at most: shorter times between host and GPU mean nothing\n",
               "clock", m->skew.early, time_text(m->skew.worst_ns, worst, sizeof worst));
    else
        printf("  %-10s host and GPU agree: every operation begins after its call, by %s at least\n", "clock",
               time_text(m->skew.least_ns, least, sizeof least));
}

static void info_print(const struct model *m, const struct device_summary *devices, uint32_t count)
{
    for (uint32_t i = 0; i < m->process_count; i++)
        provenance_print(m, i);
    printf("  %-10s %" PRIu64 " GPU operations, %" PRIu64 " calls\n", "holds", m->operation_count, m->call_count);
    clock_print(m);
    pauses_print(m);
    bus_print(m);
    for (uint32_t i = 0; i < count; i++)
        device_print(m, &devices[i]);
    if (count == 0)
        puts("\n  no GPU work in this trace");
    lanes_print(m);
    probed_print(m);
    present_loss(m);
}

int command_info(int argc, char **argv)
{
    bool json = false;
    const struct option_row options[] = {
        {"json", 0, OPTION_FLAG, &json, NULL, "the same for programs: docs/json.md"},
        {0},
    };
    const struct usage usage = {
        .synopsis = "info TRACE... [--json]",
        .about = "Says what is in a trace: devices, streams, counts, busy times, bandwidths, loss, provenance.",
        .options = options,
    };
    struct error err;
    int operands, status = options_parse(argc, argv, &usage, &operands);
    if (status >= 0)
        return status;
    if (operands < 1) {
        say("info: expected a TRACE: see cugantt info --help");
        return EXIT_BAD_USAGE;
    }
    progress_begin("reading");
    struct model *model = model_load_files((const char *const *)argv + 1, (uint32_t)operands, &err);
    if (model == NULL)
        return fail(&err);
    struct arena arena;
    uint32_t count;
    arena_init(&arena);
    struct device_summary *devices = summary_build(model, &arena, &count);
    progress_end();
    if (json)
        present_json(info_json(model, devices, count));
    else
        info_print(model, devices, count);
    arena_finish(&arena);
    model_destroy(model);
    return EXIT_DONE;
}
