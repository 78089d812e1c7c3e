#include "details.h"

#include <inttypes.h>
#include <stdio.h>

#include "diagnose/audit.h"
#include "present.h"

static const char *const habit_ids[AUDIT_HABITS] = {"pageable_async", "sync_copies", "sync_memsets", "sync_calls"};

static void device_name(const struct model *m, const struct audit_device *device, char *buf, size_t size)
{
    char process[64];
    const char *of = m->process_count > 1 ? model_process_name(m, device->process, process, sizeof process) : "";
    snprintf(buf, size, "device %" PRIu32 "%s%s", device->device, of[0] ? " of " : "", of);
}

static int64_t idle_sum(const struct audit_device *device)
{
    int64_t sum = 0;
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        sum += device->idle_ns[cause];
    return sum;
}

static void idle_print(const struct audit_device *device)
{
    int64_t all = idle_sum(device);
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        char time[32];
        if (device->idle_ns[cause] > 0)
            printf("    %-22s %10s %3.0f %%\n", cause_id((enum cause)cause), time_text(device->idle_ns[cause], time, sizeof time),
                   100 * (double)device->idle_ns[cause] / (double)all);
    }
}

static void device_print(const struct model *m, const struct diagnosis *d, const struct audit_device *device)
{
    char name[96], idle[32], time[32], longest[32], at[32], line[320];
    int64_t all = device->end_ns - device->begin_ns, idle_ns = idle_sum(device);
    device_name(m, device, name, sizeof name);
    snprintf(line, sizeof line, "%s: idle for %s of %s (%.0f %%), longest %s at %s; waiting for:", name,
             time_text(idle_ns, idle, sizeof idle), time_text(all, time, sizeof time),
             all > 0 ? 100 * (double)idle_ns / (double)all : 0,
             time_text(device->longest_end_ns - device->longest_begin_ns, longest, sizeof longest),
             time_text(device->longest_begin_ns - d->begin_ns, at, sizeof at));
    present_wrapped("  ", line);
    idle_print(device);
    for (uint32_t i = 0; i < device->period_count; i++) {
        const struct audit_period *period = &device->periods[i];
        int64_t length = period->end_ns - period->begin_ns;
        snprintf(line, sizeof line, "low use: busy for %.0f %% of %s from %s on; mostly %s",
                 100 * (double)period->busy_ns / (double)length, time_text(length, time, sizeof time),
                 time_text(period->begin_ns - d->begin_ns, at, sizeof at), cause_id(period->cause));
        present_wrapped("    ", line);
    }
}

static void audit_print(const struct model *m, const struct diagnosis *d, const struct audit *audit)
{
    puts("\nDevices:");
    for (uint32_t i = 0; i < audit->device_count; i++)
        device_print(m, d, &audit->devices[i]);
    puts("\nWork pending in the stream when work was issued:");
    for (uint32_t i = 0; i < audit->stream_count; i++) {
        const struct audit_stream *stream = &audit->streams[i];
        char lane[96], line[320];
        snprintf(line, sizeof line, "%s: %" PRIu32 " in the median, %" PRIu32 " at most, none for %" PRIu32 " of %" PRIu32,
                 model_lane_name(m, stream->lane, lane, sizeof lane), stream->median, stream->most, stream->none, stream->count);
        present_wrapped("  ", line);
    }
    puts("\nWhat holds the host:");
    for (int habit = 0; habit < AUDIT_HABITS; habit++) {
        const struct audit_calls *calls = &audit->habits[habit];
        char time[32], bytes[32], line[160];
        int n = snprintf(line, sizeof line, "%" PRIu32 " %s", calls->count, audit_habit_text((enum audit_habit)habit));
        if (calls->bytes > 0)
            n += snprintf(line + n, sizeof line - (size_t)n, ", %s", bytes_text(calls->bytes, bytes, sizeof bytes));
        if (calls->count > 0)
            snprintf(line + n, sizeof line - (size_t)n, ", %s", time_text(calls->host_ns, time, sizeof time));
        present_wrapped("  ", line);
    }
}

static json_t *device_json(const struct diagnosis *d, const struct audit_device *device)
{
    json_t *idle = json_object(), *periods = json_array();
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        if (device->idle_ns[cause] > 0)
            json_object_set_new(idle, cause_id((enum cause)cause), json_integer(device->idle_ns[cause]));
    for (uint32_t i = 0; i < device->period_count; i++) {
        const struct audit_period *p = &device->periods[i];
        json_array_append_new(periods, json_pack("{s:I, s:I, s:I, s:s}", "begin_ns", (json_int_t)(p->begin_ns - d->begin_ns), "end_ns",
                                                 (json_int_t)(p->end_ns - d->begin_ns), "busy_ns", (json_int_t)p->busy_ns, "cause",
                                                 cause_id(p->cause)));
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:I}", "process", (json_int_t)device->process, "id", (json_int_t)device->device,
                     "span_ns", (json_int_t)(device->end_ns - device->begin_ns), "busy_ns", (json_int_t)device->busy_ns,
                     "idle_by_cause", idle, "low_use", periods, "longest_idle_begin_ns",
                     (json_int_t)(device->longest_begin_ns - d->begin_ns), "longest_idle_end_ns",
                     (json_int_t)(device->longest_end_ns - d->begin_ns));
}

static json_t *audit_json(const struct model *m, const struct diagnosis *d, const struct audit *audit)
{
    json_t *devices = json_array(), *streams = json_array(), *habits = json_object();
    for (uint32_t i = 0; i < audit->device_count; i++)
        json_array_append_new(devices, device_json(d, &audit->devices[i]));
    for (uint32_t i = 0; i < audit->stream_count; i++) {
        const struct audit_stream *s = &audit->streams[i];
        char lane[96];
        json_array_append_new(streams, json_pack("{s:o, s:I, s:I, s:I, s:I}", "lane",
                                                 present_text(model_lane_name(m, s->lane, lane, sizeof lane)), "issued",
                                                 (json_int_t)s->count, "none_pending", (json_int_t)s->none, "median_pending",
                                                 (json_int_t)s->median, "most_pending", (json_int_t)s->most));
    }
    for (int habit = 0; habit < AUDIT_HABITS; habit++) {
        const struct audit_calls *c = &audit->habits[habit];
        json_object_set_new(habits, habit_ids[habit], json_pack("{s:I, s:I, s:I}", "count", (json_int_t)c->count, "bytes",
                                                                (json_int_t)c->bytes, "host_ns", (json_int_t)c->host_ns));
    }
    return json_pack("{s:o, s:o, s:o}", "devices", devices, "streams", streams, "holds_host", habits);
}

void details_show(const struct model *model, const struct diagnosis *diagnosis, json_t *json)
{
    struct audit audit;
    struct arena arena;
    arena_init(&arena);
    audit_find(model, diagnosis, &arena, &audit);
    if (json != NULL)
        json_object_set_new(json, "details", audit_json(model, diagnosis, &audit));
    else
        audit_print(model, diagnosis, &audit);
    arena_finish(&arena);
}
