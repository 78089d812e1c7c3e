#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "bus.h"
#include "cli.h"
#include "critical.h"
#include "details.h"
#include "diagnose/diagnose.h"
#include "present.h"
#include "probed.h"
#include "processes.h"
#include "progress.h"
#include "tell.h"

/* Times in the output count from the first GPU operation, as --from and --to of render do. */

static json_t *place_json(const struct model *m, const struct diagnosis *d, const struct place *place)
{
    char lane[64], blocker[256] = "";
    if (place->blocker != MODEL_NONE)
        present_span(m, place->blocker, blocker, sizeof blocker);
    return json_pack("{s:s, s:I, s:I, s:o}", "lane", model_lane_name(m, place->lane, lane, sizeof lane), "begin_ns",
                     (json_int_t)(place->begin_ns - d->begin_ns), "end_ns", (json_int_t)(place->end_ns - d->begin_ns),
                     "waited_for", blocker[0] ? present_text(blocker) : json_null());
}

static json_t *finding_json(const struct model *m, const struct diagnosis *d, const struct finding *f)
{
    json_t *evidence = json_array();
    for (uint32_t i = 0; i < f->place_count; i++)
        json_array_append_new(evidence, place_json(m, d, &f->places[i]));
    return json_pack("{s:s, s:s, s:i, s:I, s:o, s:s, s:o, s:o}", "id", cause_id(f->cause), "confidence",
                     confidence_name(f->confidence), "count", (int)f->count, "cost_ns", (json_int_t)f->cost_ns, "text",
                     present_text(f->text), "advice", f->advice, "predicted_wall_ns",
                     f->predicted_wall_ns < 0 ? json_null() : json_integer(f->predicted_wall_ns), "evidence", evidence);
}

static json_t *diagnosis_json(const struct model *m, const struct diagnosis *d)
{
    json_t *lost = json_object(), *findings = json_array(), *cannot = json_array();
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        if (d->lost_ns[cause] > 0)
            json_object_set_new(lost, cause_id((enum cause)cause), json_integer(d->lost_ns[cause]));
    for (uint32_t i = 0; i < d->finding_count; i++)
        json_array_append_new(findings, finding_json(m, d, &d->findings[i]));
    for (uint32_t i = 0; i < d->cannot_tell_count; i++)
        json_array_append_new(cannot, json_pack("{s:s, s:s}", "id", cause_id(d->cannot_tell[i].cause), "needs",
                                                d->cannot_tell[i].needs));
    json_t *json =
        json_pack("{s:i, s:I, s:I, s:I, s:f, s:o, s:I, s:o, s:o}", "schema", 1, "wall_ns",
                     (json_int_t)(d->end_ns - d->begin_ns), "paused_ns", (json_int_t)d->paused_ns, "gpu_busy_ns", (json_int_t)d->busy_ns, "overlap",
                     d->busy_ns > 0 ? (double)d->overlap_ns / (double)d->busy_ns : 0.0, "lost_by_cause", lost, "gap_ns",
                     (json_int_t)d->gap_ns, "findings", findings, "cannot_tell", cannot);
    json_object_set_new(json, "replayed_wall_ns", d->replayed_ns < 0 ? json_null() : json_integer(d->replayed_ns));
    if (d->bus.interval_ns > 0)
        json_object_set_new(json, "bus", bus_report_json(m, d));
    return json;
}

static void headline_print(const struct model *m, const struct diagnosis *d)
{
    char provenance[256], wall[32], busy[32], gaps[32], paused[96], time[32], line[320];
    double span = (double)(d->end_ns - d->begin_ns - d->paused_ns);
    snprintf(paused, sizeof paused, d->paused_ns > 0 ? ", of which %s were not to be recorded" : "",
             time_text(d->paused_ns, time, sizeof time));
    present_wrapped("", present_provenance(m, provenance, sizeof provenance));
    snprintf(line, sizeof line, "wall %s%s · GPU busy %s (%.0f %%) · overlap %.0f %% · streams idle between operations %s, summed",
           time_text(d->end_ns - d->begin_ns, wall, sizeof wall), paused, time_text(d->busy_ns, busy, sizeof busy),
           span > 0 ? 100 * (double)d->busy_ns / span : 0,
           d->busy_ns > 0 ? 100 * (double)d->overlap_ns / (double)d->busy_ns : 0,
           time_text(d->gap_ns, gaps, sizeof gaps));
    present_wrapped("", line);
}

/* Causes by what they cost, as bars: the shape of the loss at a glance. */
static void lost_print(const struct diagnosis *d)
{
    bool shown[CAUSE_COUNT] = {false};
    int64_t most = 0;
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        most = d->lost_ns[cause] > most ? d->lost_ns[cause] : most;
    if (most > 0)
        printf("\nTime lost by cause, summed over streams:\n");
    for (;;) {
        int worst = -1;
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            if (!shown[cause] && d->lost_ns[cause] > 0 && (worst < 0 || d->lost_ns[cause] > d->lost_ns[worst]))
                worst = cause;
        if (worst < 0)
            return;
        char time[32], bar[31] = "";
        int length = (int)(30 * d->lost_ns[worst] / most);
        memset(bar, '#', (size_t)length);
        printf("  %-22s %10s  %s\n", cause_id((enum cause)worst), time_text(d->lost_ns[worst], time, sizeof time), bar);
        shown[worst] = true;
    }
}

static void place_print(const struct model *m, const struct diagnosis *d, const struct place *place)
{
    enum { SHOWN = 2 * 64 + 256 };
    char lane[64], from[32], length[32], blocker[256], op[256], line[SHOWN + 512];
    int n = snprintf(line, sizeof line, "at %s for %s: %s on %s", time_text(place->begin_ns - d->begin_ns, from, sizeof from),
                     time_text(place->end_ns - place->begin_ns, length, sizeof length),
                     model_span_label(m, &m->spans[place->operation], op, sizeof op),
                     model_lane_name(m, place->lane, lane, sizeof lane));
    if (place->blocker != MODEL_NONE && place->blocker != place->operation)
        snprintf(line + n, sizeof line - (size_t)n, ", held by %s", present_span(m, place->blocker, blocker, sizeof blocker));
    present_wrapped("     - ", line);
}

/* What the wall time would be without the cause. */
static void gain_print(const struct diagnosis *d, const struct finding *f)
{
    char without[32], wall[32], line[160];
    int64_t now = d->end_ns - d->begin_ns;
    double gain = now > 0 ? 100 * (double)(now - f->predicted_wall_ns) / (double)now : 0;
    if (f->predicted_wall_ns < 0)
        return;
    if (gain < 1)
        snprintf(line, sizeof line, "Without it the wall time would stay the same: it hides behind other work.");
    else
        snprintf(line, sizeof line, "Without it the wall time would be about %s in place of %s (%.0f %% less).",
                 time_text(f->predicted_wall_ns, without, sizeof without), time_text(now, wall, sizeof wall), gain);
    present_wrapped("   ", line);
}

static void finding_print(const struct model *m, const struct diagnosis *d, uint32_t number)
{
    enum { PLACES = 3 };
    const struct finding *f = &d->findings[number];
    char cost[32], lead[16], head[160];
    snprintf(lead, sizeof lead, "%" PRIu32 ". ", number + 1);
    snprintf(head, sizeof head, "%s [%s, %s]: costs %s (%.0f %% of the wall time)", cause_title(f->cause), cause_id(f->cause),
             confidence_name(f->confidence), time_text(f->cost_ns, cost, sizeof cost),
             100 * (double)f->cost_ns / (double)(d->end_ns - d->begin_ns - d->paused_ns));
    puts("");
    present_wrapped(lead, head);
    present_wrapped("   ", f->text);
    for (uint32_t i = 0; i < f->place_count && i < PLACES; i++)
        place_print(m, d, &f->places[i]);
    if (f->place_count > PLACES)
        printf("     - and %" PRIu32 " more\n", f->count > PLACES ? f->count - PLACES : f->place_count - PLACES);
    if (f->advice[0] != '\0') {
        char advice[512];
        snprintf(advice, sizeof advice, "Fix: %s", f->advice);
        present_wrapped("   ", advice);
    }
    gain_print(d, f);
}

static void diagnosis_print(const struct model *m, const struct diagnosis *d, uint32_t left_out)
{
    headline_print(m, d);
    lost_print(d);
    for (uint32_t i = 0; i < d->finding_count; i++)
        finding_print(m, d, i);
    if (left_out > 0)
        printf("\n%" PRIu32 " %s left out, as asked for.\n", left_out, left_out == 1 ? "finding" : "findings");
    else if (d->finding_count == 0)
        puts("\nNo cause cost enough to report: streams hardly waited between their operations.");
    bus_report_print(d);
    if (d->cannot_tell_count > 0)
        puts("\nCannot tell:");
    for (uint32_t i = 0; i < d->cannot_tell_count; i++) {
        char line[512];
        snprintf(line, sizeof line, "%s: needs %s", cause_id(d->cannot_tell[i].cause), d->cannot_tell[i].needs);
        present_wrapped("  - ", line);
    }
    present_loss(m);
}

struct explain_options {
    bool json, critical, details;
    const char *probe;   /* trace of `run probe` that says what pinned copies would take; NULL */
    const char *id;      /* only findings of this cause; NULL: of all */
    uint32_t top;        /* only so many; 0: all */
    int64_t min_cost_ns; /* only those that cost as much */
};

/* Leaves what was asked for. Returns how many findings that leaves out. */
static uint32_t findings_choose(struct diagnosis *d, const struct explain_options *options)
{
    uint32_t kept = 0, all = d->finding_count;
    for (uint32_t i = 0; i < all; i++) {
        const struct finding *f = &d->findings[i];
        bool asked = options->id == NULL || strcmp(cause_id(f->cause), options->id) == 0;
        if (asked && f->cost_ns >= options->min_cost_ns && (options->top == 0 || kept < options->top))
            d->findings[kept++] = *f;
    }
    d->finding_count = kept;
    return all - kept;
}

/* Explains what is in the files: one run, on one clock. */
static int explain(char **paths, uint32_t count, const struct explain_options *options)
{
    struct error err;
    bool as_json = options->json, critical = options->critical;
    progress_begin("explaining");
    struct model *probed;
    struct probe probe;
    struct arena arena;
    struct diagnosis diagnosis;
    if (!probed_load(options->probe, &probed, &probe))
        return EXIT_BAD_INPUT;
    struct model *model = model_load_files((const char *const *)paths, count, &err);
    if (model == NULL) {
        model_destroy(probed);
        return fail(&err);
    }
    arena_init(&arena);
    diagnose_with_probe(model, probed != NULL ? &probe : NULL, &arena, &diagnosis);
    progress_end();
    uint32_t left_out = findings_choose(&diagnosis, options);
    bool done = true;
    if (as_json) {
        json_t *json = diagnosis_json(model, &diagnosis);
        if (critical)
            critical_show(model, &diagnosis, json);
        if (options->details)
            details_show(model, &diagnosis, json);
        done = model->process_count == 1 || processes_show(model, json);
        present_json(json);
    } else if (model->operation_count == 0) {
        say("%s: no GPU operations in this trace: nothing to explain", paths[0]);
        present_loss(model);
        done = false;
    } else {
        if (model->process_count > 1)
            printf("%" PRIu32 " processes on one clock:\n", model->process_count);
        done = model->process_count == 1 || processes_show(model, NULL);
        diagnosis_print(model, &diagnosis, left_out);
        if (critical)
            critical_show(model, &diagnosis, NULL);
        if (options->details)
            details_show(model, &diagnosis, NULL);
    }
    arena_finish(&arena);
    model_destroy(model);
    model_destroy(probed);
    return done ? EXIT_DONE : EXIT_BAD_INPUT;
}

int command_explain(int argc, char **argv)
{
    struct explain_options it = {0};
    const struct option_row options[] = {
        {"critical-path", 0, OPTION_FLAG, &it.critical, NULL, "also: what the wall time was made of, from end to end"},
        {"details", 0, OPTION_FLAG, &it.details, NULL, "also: idle time of each device by cause, work pending, what holds the host"},
        {"id", 0, OPTION_TEXT, &it.id, "CAUSE", "only this cause; without a TRACE: what it means and how to avoid it"},
        {"top", 0, OPTION_COUNT, &it.top, "N", "only the N costliest findings"},
        {"min-cost", 0, OPTION_TIME, &it.min_cost_ns, "TIME", "only findings that cost as much: 100us, 2ms"},
        {"probe", 0, OPTION_TEXT, &it.probe, "FILE", "trace of cugantt run probe: what copies from pinned memory would take"},
        {"json", 0, OPTION_FLAG, &it.json, NULL, "the same for programs: docs/json.md"},
        {0},
    };
    const struct usage usage = {
        .synopsis = "explain TRACE... [--critical-path] [--details] [--top N] [--json] | explain --id CAUSE",
        .about = "Says what every stream waited for, what it cost, how sure that is, and how to fix it. Several traces are taken as\n"
                 "processes of one run, on one clock.",
        .options = options,
    };
    int operands, status = options_parse(argc, argv, &usage, &operands);
    if (status >= 0)
        return status;
    if (it.id != NULL && !tellable(it.id)) {
        say("explain: no cause \"%s\": see cugantt explain --id list", it.id);
        return EXIT_BAD_USAGE;
    }
    if (it.id != NULL && (operands == 0 || strcmp(it.id, "list") == 0)) {
        tell(it.id);
        return EXIT_DONE;
    }
    if (operands < 1) {
        say("explain: expected a TRACE: see cugantt explain --help");
        return EXIT_BAD_USAGE;
    }
    return explain(argv + 1, (uint32_t)operands, &it);
}
