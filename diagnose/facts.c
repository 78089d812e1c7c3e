#include "facts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACT_SIZE = 512 };

static void place_add(struct facts *f, const struct run *run, const struct piece *p)
{
    int64_t length = p->end_ns - p->begin_ns;
    uint32_t at = f->place_count;
    while (at > 0 && f->places[at - 1].end_ns - f->places[at - 1].begin_ns < length)
        at--;
    if (at == DIAGNOSE_PLACES)
        return;
    if (f->place_count < DIAGNOSE_PLACES)
        f->place_count++;
    memmove(&f->places[at + 1], &f->places[at], (f->place_count - at - 1) * sizeof *f->places);
    f->places[at] =
        (struct place){p->begin_ns, p->end_ns, p->operation, p->blocker, run_span(run, p->operation)->lane};
}

static void lane_add(struct facts *f, uint32_t lane)
{
    for (uint32_t i = 0; i < f->lane_count; i++)
        if (f->lanes[i] == lane)
            return;
    f->lanes[f->lane_count++] = lane;
}

static void fact_add(struct facts *f, const struct run *run, const struct piece *p)
{
    int64_t length = p->end_ns - p->begin_ns;
    f->count += f->total_ns == 0 || p->operation != f->last_operation;
    f->last_operation = p->operation;
    f->total_ns += length;
    quantile_add(f->lengths, length);
    if (length > f->longest.end_ns - f->longest.begin_ns)
        f->longest = *p;
    place_add(f, run, p);
    uint32_t lane = run_span(run, p->operation)->lane;
    if (f->lane_count == 0 || f->lanes[f->lane_count - 1] != lane)
        lane_add(f, lane);
}

static void list_gather(const struct run *run, const struct piece_list *list, struct facts facts[CAUSE_COUNT])
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct piece piece = piece_at(list, i);
        fact_add(&facts[piece.cause], run, &piece);
    }
}

void facts_gather(struct run *run, struct facts facts[CAUSE_COUNT])
{
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        facts[cause] = (struct facts){.lanes = ARENA_NEW(run->arena, uint32_t, run->model->lane_count + 1),
                                      .lengths = ARENA_NEW(run->arena, struct quantiles, 1)};
    for (uint32_t lane = 0; lane < run->model->lane_count; lane++)
        list_gather(run, &run->pieces[lane], facts);
    list_gather(run, &run->chains, facts);
    list_gather(run, &run->staged, facts);
}

typedef void fact_writer(struct run *run, const struct facts *f, char *out);

static void fact_count(struct run *run, const struct facts *f, char *out)
{
    (void)run;
    snprintf(out, FACT_SIZE, "%" PRIu32 " %s", f->count, f->count == 1 ? "operation" : "operations");
}

static void fact_total(struct run *run, const struct facts *f, char *out)
{
    (void)run;
    time_text(f->total_ns, out, FACT_SIZE);
}

static void fact_longest(struct run *run, const struct facts *f, char *out)
{
    (void)run;
    time_text(f->longest.end_ns - f->longest.begin_ns, out, FACT_SIZE);
}

static void fact_streams(struct run *run, const struct facts *f, char *out)
{
    enum { NAMED = 6 };
    /* ids of different processes say nothing side by side */
    if (f->lane_count > NAMED || (run->model->process_count > 1 && f->lane_count > 1)) {
        snprintf(out, FACT_SIZE, "%" PRIu32 " streams", f->lane_count);
        return;
    }
    if (run->model->process_count > 1) {
        model_lane_name(run->model, f->lanes[0], out, FACT_SIZE);
        return;
    }
    int n = snprintf(out, FACT_SIZE, f->lane_count == 1 ? "stream" : "streams");
    for (uint32_t i = 0; i < f->lane_count; i++)
        n += snprintf(out + n, (size_t)(FACT_SIZE - n), "%s%" PRIu32,
                      i == 0                   ? " "
                      : i + 1 < f->lane_count ? ", "
                                               : " and ",
                      run->model->lanes[f->lanes[i]].id);
}

static void fact_op(struct run *run, const struct facts *f, char *out)
{
    char label[FACT_SIZE];
    snprintf(out, FACT_SIZE, "%s", model_span_label(run->model, run_span(run, f->longest.operation), label, sizeof label));
}

static void fact_lane(struct run *run, const struct facts *f, char *out)
{
    model_lane_name(run->model, run_span(run, f->longest.operation)->lane, out, FACT_SIZE);
}

static void fact_blocker(struct run *run, const struct facts *f, char *out)
{
    char label[FACT_SIZE];
    if (f->longest.blocker == MODEL_NONE)
        snprintf(out, FACT_SIZE, "the program itself");
    else
        snprintf(out, FACT_SIZE, "%s",
                 model_span_label(run->model, run_span(run, f->longest.blocker), label, sizeof label));
}

static void fact_blocker_lane(struct run *run, const struct facts *f, char *out)
{
    if (f->longest.blocker == MODEL_NONE)
        snprintf(out, FACT_SIZE, "the host");
    else
        model_lane_name(run->model, run_span(run, f->longest.blocker)->lane, out, FACT_SIZE);
}

static void fact_median(struct run *run, const struct facts *f, char *out)
{
    (void)run;
    time_text(quantile_at(f->lengths, 0.5), out, FACT_SIZE);
}

/* Bytes and time of the staged copies of a direction. */
static bool staged_sum(const struct run *run, int direction, double *ret_bytes, double *ret_ns)
{
    *ret_bytes = *ret_ns = 0;
    for (uint32_t i = 0; i < run->staged.count; i++) {
        const struct span *op = run_span(run, run->staged.items[i].operation);
        if (direction != DIRECTION_NONE && copy_direction(op) != direction)
            continue;
        *ret_bytes += (double)model_copy(run->model, op)->bytes;
        *ret_ns += (double)(op->end_ns - op->begin_ns);
    }
    return *ret_ns > 0;
}

static void fact_copies(struct run *run, const struct facts *f, char *out)
{
    char size[32];
    double bytes, ns;
    staged_sum(run, DIRECTION_NONE, &bytes, &ns);
    snprintf(out, FACT_SIZE, "%" PRIu32 " %s of %s%s", f->count, f->count == 1 ? "copy" : "copies",
             bytes_text((uint64_t)bytes, size, sizeof size), f->count == 1 ? "" : " together");
}

/* "8.5 GB/s H→D and 12 GB/s D→H", of the directions that were staged; rates are the reference's if asked. */
static void rates_write(const struct run *run, bool reference, char *out)
{
    static const char *const arrows[DIRECTION_COUNT] = {"H→D", "D→H"};
    int n = 0;
    for (int direction = 0; direction < DIRECTION_COUNT; direction++) {
        char rate[32];
        double bytes, ns;
        if (!staged_sum(run, direction, &bytes, &ns))
            continue;
        rate_text(reference ? run->rates[direction].bytes_per_ns : bytes / ns, rate, sizeof rate);
        n += snprintf(out + n, (size_t)(FACT_SIZE - n), "%s%s %s", n > 0 ? " and " : "", rate, arrows[direction]);
    }
}

static void fact_rate(struct run *run, const struct facts *f, char *out)
{
    (void)f;
    rates_write(run, false, out);
}

static void fact_reference(struct run *run, const struct facts *f, char *out)
{
    char rates[FACT_SIZE / 2];
    int direction = copy_direction(run_span(run, f->longest.operation));
    rates_write(run, true, rates);
    snprintf(out, FACT_SIZE, "%s %s", run->rates[direction].source, rates);
}

static const struct {
    const char *name;
    fact_writer *write;
} writers[] = {
    {"count", fact_count},     {"total", fact_total},     {"longest", fact_longest},
    {"streams", fact_streams}, {"op", fact_op},           {"lane", fact_lane},
    {"blocker", fact_blocker}, {"call", fact_blocker},    {"blocker_lane", fact_blocker_lane},
    {"median", fact_median},   {"copies", fact_copies},   {"rate", fact_rate},
    {"reference", fact_reference},
};

static void fact_write(struct run *run, const struct facts *f, const char *name, size_t length, char *out)
{
    *out = '\0';
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strlen(writers[i].name) == length && strncmp(writers[i].name, name, length) == 0)
            writers[i].write(run, f, out);
}

const char *facts_text(struct run *run, const struct facts *f, const char *template)
{
    char *text = arena_strdup(run->arena, "");
    while (*template != '\0') {
        size_t plain = strcspn(template, "{");
        text = arena_printf(run->arena, "%s%.*s", text, (int)plain, template);
        template += plain;
        if (*template == '{') {
            char fact[FACT_SIZE];
            size_t length = strcspn(template + 1, "}");
            fact_write(run, f, template + 1, length, fact);
            text = arena_printf(run->arena, "%s%s", text, fact);
            template += length + 2;
        }
    }
    *text = (char)toupper((unsigned char)*text);
    return text;
}
