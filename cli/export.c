#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "progress.h"
#include "diagnose/diagnose.h"
#include "timeline/export/export.h"

#ifdef HAVE_IMPORT

static const struct format_row {
    const char *name, *suffix;
    export_write *write;
    bool gzip;
    const char *help;
} formats[] = {
    {"json.gz", ".json.gz", export_chrome, true, "Chrome JSON, compressed"},
    {"json", ".json", export_chrome, false,
     "Chrome JSON: chrome://tracing, ui.perfetto.dev, and tools that read Kineto"},
    {"pftrace", ".pftrace", export_perfetto, false, "Perfetto protobuf: ui.perfetto.dev, trace_processor"},
    {"sqlite", ".sqlite", export_nsys, false, "SQLite with the tables of nsys: SQL and scripts for its exports"},
    {"csv", ".csv", export_spans, false, "one line a span; with --findings one line a finding"},
};

/* By name, or where that is NULL by the end of the path. */
static const struct format_row *format_find(const char *name, const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const struct format_row *f = &formats[i];
        size_t tail = strlen(f->suffix);
        if (name != NULL ? strcmp(name, f->name) == 0 : length > tail && strcmp(path + length - tail, f->suffix) == 0)
            return f;
    }
    return NULL;
}

/* One note a finding, at its costliest place. */
static struct export_note *notes_make(const struct diagnosis *d, struct arena *arena)
{
    struct export_note *notes = ARENA_NEW(arena, struct export_note, d->finding_count + 1);
    for (uint32_t i = 0; i < d->finding_count; i++) {
        const struct finding *f = &d->findings[i];
        notes[i] = (struct export_note){.id = cause_id(f->cause),
                                        .confidence = confidence_name(f->confidence),
                                        .text = f->text,
                                        .advice = f->advice,
                                        .count = f->count,
                                        .cost_ns = f->cost_ns,
                                        .lane = MODEL_NONE};
        if (f->place_count > 0) {
            notes[i].lane = f->places[0].lane;
            notes[i].begin_ns = f->places[0].begin_ns;
            notes[i].end_ns = f->places[0].end_ns;
        }
    }
    return notes;
}

static int export_files(char **paths, uint32_t count, struct export_job *job, export_write *write)
{
    struct error err;
    struct arena arena;
    struct diagnosis diagnosis;
    progress_begin("exporting");
    struct model *model = model_load_files((const char *const *)paths, count, &err);
    if (model == NULL)
        return fail(&err);
    arena_init(&arena);
    diagnose(model, &arena, &diagnosis);
    job->model = model;
    job->notes = notes_make(&diagnosis, &arena);
    job->note_count = diagnosis.finding_count;
    bool done = write(job, &err);
    progress_end();
    arena_finish(&arena);
    model_destroy(model);
    return done ? EXIT_DONE : fail(&err);
}

int command_export(int argc, char **argv)
{
    const char *output = NULL, *format = NULL;
    bool findings = false;
    const struct option_row options[] = {
        {"output", 'o', OPTION_TEXT, &output, "FILE", "the file to write; its end says the format"},
        {"format", 0, OPTION_TEXT, &format, "NAME",
         "json, json.gz, pftrace, sqlite or csv, whatever the file is called"},
        {"findings", 0, OPTION_FLAG, &findings, NULL, "csv: the findings instead of the spans"},
        {0},
    };
    const struct usage usage = {
        .synopsis = "export TRACE... -o FILE",
        .about = "Writes a trace for other tools: .json and .json.gz (Chrome JSON, which Perfetto opens too), .pftrace "
                 "(Perfetto\n"
                 "protobuf), .sqlite (the tables of nsys), .csv (spans, or findings).",
        .options = options,
    };
    int operands, status = options_parse(argc, argv, &usage, &operands);
    if (status >= 0)
        return status;
    if (operands < 1 || output == NULL) {
        say("export: expected a TRACE and -o FILE: see cugantt export --help");
        return EXIT_BAD_USAGE;
    }
    const struct format_row *row = format_find(format, output);
    if (row == NULL || (findings && row->write != export_spans)) {
        say(row != NULL ? "export: --findings is for csv"
                        : "export: expected a format: .json, .json.gz, .pftrace, .sqlite or .csv");
        return EXIT_BAD_USAGE;
    }
    struct export_job job = {.path = output, .gzip = row->gzip, .software = "cugantt " CUGANTT_VERSION};
    return export_files(argv + 1, (uint32_t)operands, &job, findings ? export_notes : row->write);
}

#else

int command_export(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    say("export: this cugantt was built without exporters (zlib or sqlite3 was missing)");
    return EXIT_BAD_INPUT;
}

#endif
