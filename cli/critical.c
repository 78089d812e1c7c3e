#include "critical.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/critical.h"
#include "present.h"

enum { PARTS = CRITICAL_COUNT + SPAN_OPERATION_KINDS, STEPS_SHOWN = 10000 };

/* All steps of one id. */
struct part {
    const char *id;
    int64_t ns;
    uint32_t count;
    const struct critical_step *longest;
};

static struct part *part_of(struct part *parts, uint32_t *count, const char *id)
{
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp(parts[i].id, id) == 0)
            return &parts[i];
    parts[*count] = (struct part){.id = id};
    return &parts[(*count)++];
}

static int part_compare(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return strcmp(x->id, y->id);
}

static uint32_t parts_sum(const struct model *m, const struct critical_path *path, struct part parts[PARTS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        const struct critical_step *step = &path->steps[i];
        struct part *part = part_of(parts, &count, critical_id(m, step));
        int64_t length = step->end_ns - step->begin_ns;
        part->ns += length;
        part->count++;
        if (part->longest == NULL || length > part->longest->end_ns - part->longest->begin_ns)
            part->longest = step;
    }
    qsort(parts, count, sizeof *parts, part_compare);
    return count;
}

static void part_print(const struct model *m, const struct diagnosis *d, const struct part *part)
{
    char time[32], most[32], at[32], span[256] = "outside CUDA", line[512];
    double share = 100 * (double)part->ns / (double)(d->end_ns - d->begin_ns);
    if (part->longest->span != MODEL_NONE)
        present_span(m, part->longest->span, span, sizeof span);
    snprintf(line, sizeof line, "%" PRIu32 "×, longest %s at %s: %s", part->count,
             time_text(part->longest->end_ns - part->longest->begin_ns, most, sizeof most),
             time_text(part->longest->begin_ns - d->begin_ns, at, sizeof at), span);
    char lead[64];
    snprintf(lead, sizeof lead, "  %-22s %10s %3.0f %%  ", part->id, time_text(part->ns, time, sizeof time), share);
    present_wrapped(lead, line);
}

static json_t *step_json(const struct model *m, const struct diagnosis *d, const struct critical_step *step)
{
    char span[256];
    return json_pack("{s:s, s:I, s:I, s:o}", "id", critical_id(m, step), "begin_ns", (json_int_t)(step->begin_ns - d->begin_ns),
                     "end_ns", (json_int_t)(step->end_ns - d->begin_ns), "span",
                     step->span == MODEL_NONE ? json_null() : present_text(present_span(m, step->span, span, sizeof span)));
}

static json_t *path_json(const struct model *m, const struct diagnosis *d, const struct critical_path *path)
{
    struct part parts[PARTS] = {0};
    uint32_t count = parts_sum(m, path, parts), shown = path->count < STEPS_SHOWN ? path->count : STEPS_SHOWN;
    json_t *sums = json_array(), *steps = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(sums, json_pack("{s:s, s:I, s:I}", "id", parts[i].id, "ns", (json_int_t)parts[i].ns, "count",
                                              (json_int_t)parts[i].count));
    for (uint32_t i = 0; i < shown; i++)
        json_array_append_new(steps, step_json(m, d, &path->steps[i]));
    return json_pack("{s:o, s:o, s:I}", "parts", sums, "steps", steps, "steps_left_out", (json_int_t)(path->count - shown));
}

static void path_print(const struct model *m, const struct diagnosis *d, const struct critical_path *path)
{
    struct part parts[PARTS] = {0};
    uint32_t count = parts_sum(m, path, parts);
    puts("\nCritical path: what the wall time was made of");
    for (uint32_t i = 0; i < count; i++)
        part_print(m, d, &parts[i]);
}

void critical_show(const struct model *model, const struct diagnosis *diagnosis, json_t *json)
{
    struct critical_path path;
    struct arena arena;
    arena_init(&arena);
    critical_path_find(model, diagnosis, &arena, &path);
    if (json != NULL)
        json_object_set_new(json, "critical_path", path_json(model, diagnosis, &path));
    else
        path_print(model, diagnosis, &path);
    arena_finish(&arena);
}
