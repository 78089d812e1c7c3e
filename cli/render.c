#include "cli.h"
#include "progress.h"

#ifdef HAVE_RENDER

#include <stdlib.h>
#include <string.h>

#include "render/layout.h"
#include "render/picture.h"

enum { LEAST_WIDTH = 400, MOST_WIDTH = 20000, LEAST_DPI = 10, MOST_DPI = 2400 };

/* What the command line said. */
struct render_options {
    const char *output, *title, *theme, *streams;
    uint32_t width, dpi;
    int64_t from_ns, to_ns;
    bool critical, bandwidth;
};

/* Everything a run holds. */
struct run {
    struct render_options options;
    struct arena arena;
    struct layout_trace *traces;
    struct diagnosis *diagnoses;
    struct critical_path *criticals;
    struct model **models;
    uint32_t trace_count;
    uint32_t *streams;
    uint32_t stream_count;
    enum theme theme;
    enum picture_format format;
};

static int parse(int argc, char **argv, struct render_options *o, int *ret_operands)
{
    *o = (struct render_options){
        .theme = "light", .width = 1600, .dpi = 144, .from_ns = LAYOUT_AUTO, .to_ns = LAYOUT_AUTO};
    const struct option_row rows[] = {
        {"output", 'o', OPTION_TEXT, &o->output, "FILE", "write to FILE: .png, .svg or .pdf"},
        {"width", 0, OPTION_COUNT, &o->width, "PX", "width in pixels (1600)"},
        {"dpi", 0, OPTION_COUNT, &o->dpi, "N", "pixels per inch in print (144); does not change the pixels"},
        {"from", 0, OPTION_TIME, &o->from_ns, "T", "begin at T after the first operation: 300us, 12.5ms, 1s"},
        {"to", 0, OPTION_TIME, &o->to_ns, "T", "end at T after the first operation"},
        {"streams", 0, OPTION_TEXT, &o->streams, "LIST", "only these streams: ids with commas, or default (legacy)"},
        {"critical-path", 0, OPTION_FLAG, &o->critical, NULL, "draw what the wall time was made of as a line through the rows"},
        {"bandwidth", 0, OPTION_FLAG, &o->bandwidth, NULL, "of traces of cugantt run probe: rates of copies against their size"},
        {"title", 0, OPTION_TEXT, &o->title, "TEXT", "title of the figure"},
        {"theme", 0, OPTION_TEXT, &o->theme, "NAME", "light (default) or dark"},
        {0}};
    const struct usage usage = {
        .synopsis = "render TRACE... -o FILE",
        .about = "Draws traces as a timeline with the causes of waiting marked. Several traces are drawn as panels "
                 "on one time scale.",
        .options = rows};
    return options_parse(argc, argv, &usage, ret_operands);
}

/* "render: OPTION VALUE: what was expected"; `value` may be NULL. */
static int bad_value(const char *option, const char *value, const char *expected)
{
    say("render: %s%s%s: expected %s", option, value != NULL ? " " : "", value != NULL ? value : "", expected);
    return EXIT_BAD_USAGE;
}

static bool parse_theme(const char *name, enum theme *ret_theme)
{
    static const char *const names[] = {[THEME_LIGHT] = "light", [THEME_DARK] = "dark"};
    for (int i = 0; i <= THEME_DARK; i++)
        if (strcmp(name, names[i]) == 0) {
            *ret_theme = (enum theme)i;
            return true;
        }
    return false;
}

/* Stream ids with commas between them. */
static bool parse_streams(struct run *run)
{
    const char *next = run->options.streams;
    if (next == NULL)
        return true;
    run->streams = ARENA_NEW(&run->arena, uint32_t, strlen(next) + 1);
    while (true) {
        size_t length = strcspn(next, ",");
        char *end = NULL;
        unsigned long id = strtoul(next, &end, 10);
        if (length == 7 && strncmp(next, "default", length) == 0)
            id = LAYOUT_DEFAULT_STREAM;
        else if (length == 0 || *next < '0' || *next > '9' || end != next + length || id >= LAYOUT_DEFAULT_STREAM)
            return false;
        run->streams[run->stream_count++] = (uint32_t)id;
        if (next[length] == '\0')
            return true;
        next += length + 1;
    }
}

static int check_options(struct run *run)
{
    const struct render_options *o = &run->options;
    if (o->output == NULL)
        return bad_value("-o", NULL, "a file to write: FILE.png, .svg or .pdf");
    if (!picture_format_of(o->output, &run->format))
        return bad_value("-o", o->output, "a file name that ends in .png, .svg or .pdf");
    if (!parse_theme(o->theme, &run->theme))
        return bad_value("--theme", o->theme, "light or dark");
    if (!parse_streams(run))
        return bad_value("--streams", o->streams, "stream ids with commas between them, or default");
    if (o->width < LEAST_WIDTH || o->width > MOST_WIDTH)
        return bad_value("--width", NULL, "400 to 20000 pixels");
    if (o->dpi < LEAST_DPI || o->dpi > MOST_DPI)
        return bad_value("--dpi", NULL, "10 to 2400 pixels per inch");
    if (o->bandwidth && (o->critical || o->streams != NULL || o->from_ns != LAYOUT_AUTO || o->to_ns != LAYOUT_AUTO))
        return bad_value("--bandwidth", NULL, "no options of the timeline: --from, --to, --streams, --critical-path");
    if (o->from_ns != LAYOUT_AUTO && o->to_ns != LAYOUT_AUTO && o->to_ns <= o->from_ns)
        return bad_value("--to", NULL, "a time later than --from");
    return -1;
}

/* Ranks or processes of one run all ran at some moment; traces of different runs did not. */
static bool is_one_run(const struct run *run, int64_t *ret_begin_ns, int64_t *ret_end_ns)
{
    int64_t last_begin_ns = INT64_MIN, first_end_ns = INT64_MAX;
    *ret_begin_ns = INT64_MAX;
    *ret_end_ns = INT64_MIN;
    for (uint32_t i = 0; i < run->trace_count; i++) {
        const struct model *m = run->models[i];
        *ret_begin_ns = m->begin_ns < *ret_begin_ns ? m->begin_ns : *ret_begin_ns;
        *ret_end_ns = m->end_ns > *ret_end_ns ? m->end_ns : *ret_end_ns;
        last_begin_ns = m->begin_ns > last_begin_ns ? m->begin_ns : last_begin_ns;
        first_end_ns = m->end_ns < first_end_ns ? m->end_ns : first_end_ns;
    }
    return run->trace_count > 1 && last_begin_ns < first_end_ns;
}

/* Traces of one run share a clock, so that what happened at one time stands in one column. */
static void align(struct run *run)
{
    int64_t begin_ns, end_ns;
    if (!is_one_run(run, &begin_ns, &end_ns))
        return;
    for (uint32_t i = 0; i < run->trace_count; i++) {
        const struct model *m = run->models[i];
        const char *rank = m->processes[0].rank, *pid = model_property(m, 0, "pid");
        run->traces[i].begin_ns = begin_ns;
        run->traces[i].end_ns = end_ns;
        run->traces[i].label = rank[0] != '\0' ? arena_printf(&run->arena, "rank %s", rank)
                                               : arena_printf(&run->arena, "process %s", pid);
    }
}

static int load(struct run *run, char **paths)
{
    struct error err;
    for (uint32_t i = 0; i < run->trace_count; i++) {
        run->models[i] = model_load(paths[i], &err);
        if (run->models[i] == NULL)
            return fail(&err);
        diagnose(run->models[i], &run->arena, &run->diagnoses[i]);
        run->traces[i] = (struct layout_trace){.model = run->models[i],
                                               .diagnosis = &run->diagnoses[i],
                                               .path = paths[i],
                                               .begin_ns = run->models[i]->begin_ns,
                                               .end_ns = run->models[i]->end_ns};
    }
    for (uint32_t i = 0; i < run->trace_count && run->options.critical; i++) {
        critical_path_find(run->models[i], &run->diagnoses[i], &run->arena, &run->criticals[i]);
        run->traces[i].critical = &run->criticals[i];
    }
    align(run);
    return -1;
}

static bool has_stream(const struct run *run, uint32_t id)
{
    const struct layout_request one = {.streams = &id, .stream_count = 1};
    for (uint32_t i = 0; i < run->trace_count; i++)
        for (uint32_t lane = 0; lane < run->models[i]->lane_count; lane++)
            if (run->models[i]->lanes[lane].kind == LANE_STREAM &&
                layout_wants_stream(&one, &run->models[i]->lanes[lane]))
                return true;
    return false;
}

/* "7, 13, 14" */
static const char *stream_list(struct run *run)
{
    const char *list = "";
    for (uint32_t i = 0; i < run->trace_count; i++)
        for (uint32_t lane = 0; lane < run->models[i]->lane_count; lane++)
            if (run->models[i]->lanes[lane].kind == LANE_STREAM)
                list = arena_printf(&run->arena, "%s%s%u", list, *list == '\0' ? "" : ", ",
                                    run->models[i]->lanes[lane].id);
    return list;
}

static int check_streams(struct run *run)
{
    for (uint32_t i = 0; i < run->stream_count; i++) {
        uint32_t id = run->streams[i];
        if (has_stream(run, id))
            continue;
        if (id == LAYOUT_DEFAULT_STREAM)
            say("render: --streams: no work on the default stream; there are streams %s", stream_list(run));
        else
            say("render: --streams: no stream %u; there are streams %s", id, stream_list(run));
        return EXIT_BAD_USAGE;
    }
    return -1;
}

/* Where the picture comes from, for the file's own description. */
static const char *source_text(struct run *run)
{
    const char *text = "";
    for (uint32_t i = 0; i < run->trace_count; i++) {
        const struct model *model = run->models[i];
        const char *slash = strrchr(run->traces[i].path, '/');
        text = arena_printf(&run->arena, "%s%s%s; %s; driver %s; recorded %s", text, i > 0 ? "\n" : "",
                            slash != NULL ? slash + 1 : run->traces[i].path,
                            model->device_count > 0 ? model->devices[0].name : "unknown device",
                            model_property(model, 0, "driver"), model_property(model, 0, "started"));
    }
    return text;
}

static int draw(struct run *run, struct typeset *typeset)
{
    const struct render_options *o = &run->options;
    const struct text_measure measure = typeset_measure(typeset);
    const struct layout_request request = {.traces = run->traces,
                                           .trace_count = run->trace_count,
                                           .width = o->width,
                                           .from_ns = o->from_ns,
                                           .to_ns = o->to_ns,
                                           .streams = run->streams,
                                           .stream_count = run->stream_count,
                                           .title = o->title,
                                           .version = CUGANTT_VERSION,
                                           .measure = &measure};
    struct scene scene;
    struct error err;
    scene_init(&scene, &run->arena);
    if (!(o->bandwidth ? layout_bandwidth : layout_figure)(&request, &scene, &err))
        return fail(&err);
    const struct picture picture = {.scene = &scene,
                                    .theme = run->theme,
                                    .format = run->format,
                                    .dpi = o->dpi,
                                    .title = layout_title(&request),
                                    .software = "cugantt " CUGANTT_VERSION,
                                    .source = source_text(run),
                                    .recorded = model_property(run->models[0], 0, "started")};
    return picture_write(&picture, typeset, o->output, &err) ? EXIT_DONE : fail(&err);
}

static int run_all(struct run *run, int operands, char **paths)
{
    if (operands == 0) {
        say("render: which trace? cugantt render TRACE... -o FILE");
        return EXIT_BAD_USAGE;
    }
    int status = check_options(run);
    if (status >= 0)
        return status;
    run->trace_count = (uint32_t)operands;
    run->models = ARENA_NEW(&run->arena, struct model *, run->trace_count);
    run->diagnoses = ARENA_NEW(&run->arena, struct diagnosis, run->trace_count);
    run->criticals = ARENA_NEW(&run->arena, struct critical_path, run->trace_count);
    run->traces = ARENA_NEW(&run->arena, struct layout_trace, run->trace_count);
    progress_begin("drawing");
    status = load(run, paths);
    if (status < 0)
        status = check_streams(run);
    if (status >= 0)
        return status;
    struct typeset *typeset = typeset_create();
    status = draw(run, typeset);
    progress_end();
    typeset_destroy(typeset);
    return status;
}

int command_render(int argc, char **argv)
{
    struct run run = {0};
    int operands = 0;
    int status = parse(argc, argv, &run.options, &operands);
    if (status >= 0)
        return status;
    arena_init(&run.arena);
    status = run_all(&run, operands, argv + 1);
    for (uint32_t i = 0; i < run.trace_count; i++)
        model_destroy(run.models[i]);
    arena_finish(&run.arena);
    return status;
}

#else

int command_render(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    say("render: this cugantt was built without charts (cairo, pangocairo and libpng were missing)");
    return EXIT_BAD_INPUT;
}

#endif
