/* Title and subtitle of a panel, and its headline numbers on the right. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "panel.h"
#include "totals.h"

enum {
    TITLE_LINE = 24,    /* px */
    HEADING_HEIGHT = 62,
    COLUMN_GAP = 24,    /* px between left and right texts */
};

/* Where hardly anything overlaps and kernels are fewer than copies by this factor, the rate of the copies says more. */
enum { MOSTLY_COPIES = 4 };
static const double LEAST_OVERLAP = 5; /* % */

static const double BAD_SHARE = 0.1; /* of the wall time: what the costliest finding must reach to alarm */

static const char *trace_title(const struct layout_trace *trace)
{
    static const char *const keys[] = {"title", "program"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = model_property(trace->model, 0, keys[i]);
        if (text[0] != '\0')
            return text;
    }
    const char *slash = strrchr(trace->path, '/');
    return slash != NULL ? slash + 1 : trace->path;
}

const char *layout_title(const struct layout_request *request)
{
    return request->title != NULL ? request->title : trace_title(&request->traces[0]);
}

/* Of several panels each keeps its own: the request's title then stands above them all. */
static const char *panel_title(const struct panel *panel)
{
    const struct layout_request *request = panel->figure->request;
    return request->trace_count == 1 ? layout_title(request) : trace_title(panel->trace);
}

/* Parts of a line, with dots in between. */
struct parts {
    char text[512];
    size_t length;
};

static void add_part(struct parts *parts, const char *text)
{
    if (text[0] == '\0' || parts->length >= sizeof parts->text - 1)
        return;
    int written = snprintf(parts->text + parts->length, sizeof parts->text - parts->length, "%s%s",
                           parts->length > 0 ? " · " : "", text);
    parts->length += (size_t)written;
}

static void add_count(struct parts *parts, uint64_t count, const char *one, const char *many)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRIu64 " %s", count, count == 1 ? one : many);
    if (count > 0)
        add_part(parts, text);
}

static void add_copies(struct parts *parts, const struct totals *totals)
{
    char text[96], bytes[32];
    bool known = totals->copied_bytes > 0; /* some files tell no sizes */
    snprintf(text, sizeof text, "%" PRIu64 " %s%s%s", totals->copies, totals->copies == 1 ? "copy" : "copies",
             known ? ", " : "", known ? bytes_text(totals->copied_bytes, bytes, sizeof bytes) : "");
    if (totals->copies > 0)
        add_part(parts, text);
}

static void add_device_names(struct parts *parts, const struct model *model)
{
    for (uint32_t i = 0; i < model->device_count; i++) {
        bool is_known = false;
        for (uint32_t k = 0; k < i; k++)
            is_known |= strcmp(model->devices[k].name, model->devices[i].name) == 0;
        if (!is_known)
            add_part(parts, model->devices[i].name);
    }
}

/* A property in a few words; nothing if the trace does not have it. */
static void add_property(struct parts *parts, const struct panel *panel, const char *key, const char *words)
{
    char text[128];
    const char *value = model_property(panel->model, 0, key);
    int length = strcmp(key, "started") == 0 ? 10 : 64; /* of the time of recording, the day */
    snprintf(text, sizeof text, "%s%.*s", words, length, value);
    if (value[0] != '\0')
        add_part(parts, text);
}

static void subtitle_text(const struct panel *panel, const struct totals *totals, struct parts *parts)
{
    if (panel->trace->label != NULL)
        add_part(parts, panel->trace->label);
    add_device_names(parts, panel->model);
    add_property(parts, panel, "driver", "driver ");
    add_count(parts, totals->kernels, "kernel", "kernels");
    add_count(parts, totals->graphs, "graph launch", "graph launches");
    add_copies(parts, totals);
    add_count(parts, totals->memsets, "memset", "memsets");
    add_property(parts, panel, "started", "recorded ");
    add_count(parts, panel->hidden_threads, "more host thread, not drawn", "more host threads, not drawn");
}

static double share_percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Time in calls of staged copies, and how much of it the link was idle, as far as it was sampled. */
static double staged_idle_percent(const struct bus_report *bus)
{
    int64_t calls_ns = 0, busy_ns = 0;
    for (int direction = 0; direction < 2; direction++) {
        calls_ns += bus->sums[direction][BUS_STAGED].call_ns;
        busy_ns += bus->sums[direction][BUS_STAGED].busy_ns;
    }
    return share_percent(calls_ns - busy_ns, calls_ns);
}

/* The number that says most. */
static void headline_text(const struct totals *totals, const struct bus_report *bus, char *buf, size_t size)
{
    char rate[32];
    double overlap = share_percent(totals->overlap_ns, totals->busy_ns);
    bool is_staged = totals->staged_ns > totals->copied_ns / 2;
    double idle = staged_idle_percent(bus);
    if (totals->kernels * MOSTLY_COPIES < totals->copies && is_staged && idle > 0)
        snprintf(buf, size, "PCIe idle %.0f %% of staged copies", idle);
    else if (totals->kernels * MOSTLY_COPIES < totals->copies && overlap < LEAST_OVERLAP && totals->copied_ns > 0)
        snprintf(buf, size, "%scopies at %s", is_staged ? "staged " : "",
                 is_staged ? rate_text((double)totals->staged_bytes / (double)totals->staged_ns, rate, sizeof rate)
                           : rate_text((double)totals->copied_bytes / (double)totals->copied_ns, rate, sizeof rate));
    else if (totals->streams > 1)
        snprintf(buf, size, "%.0f %% overlap", overlap);
    else
        snprintf(buf, size, "GPU busy %.0f %%", share_percent(totals->busy_ns, totals->window_ns));
}

/* Both times in the unit of the longer. */
static void busy_text(const struct totals *totals, char *buf, size_t size)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    size_t i = 0;
    while (i < 3 && (double)totals->window_ns < units[i].ns)
        i++;
    double whole = (double)totals->window_ns / units[i].ns, busy = (double)totals->busy_ns / units[i].ns;
    int decimals = units[i].ns <= 1 || whole >= 100 ? 0 : whole >= 10 ? 1 : 2;
    snprintf(buf, size, "GPU busy %.*f of %.*f %s", decimals, busy, decimals, whole, units[i].name);
}

/* One line: `right` keeps its width, `left` is cut where it must be. */
static void draw_line(struct panel *panel, double y, const struct text_spot styles[2], const char *left,
                      const char *right)
{
    struct figure *figure = panel->figure;
    struct text_spot end = styles[1], start = styles[0];
    end.x = figure->right;
    end.y = start.y = y;
    end.anchor = ANCHOR_END;
    double width = figure_text(figure, &end, right);
    start.x = figure->left;
    start.max_width = figure->right - figure->left - width - COLUMN_GAP;
    figure_text(figure, &start, left);
}

/* Red is for what went wrong: where little was lost, the same number is good news. */
static bool is_bad(const struct panel *panel)
{
    const struct diagnosis *diagnosis = panel->trace->diagnosis;
    double wall_ns = (double)(diagnosis->end_ns - diagnosis->begin_ns - diagnosis->paused_ns);
    return panel->shown_count > 0 && (double)panel->shown[0].finding->cost_ns >= BAD_SHARE * wall_ns;
}

void heading_draw(struct panel *panel)
{
    const struct text_spot title[] = {
        {.style = TEXT_TITLE, .slot = SLOT_TEXT},
        {.style = TEXT_HEADLINE, .slot = is_bad(panel) ? SLOT_ACCENT : SLOT_TEXT}};
    static const struct text_spot subtitle[] = {{.style = TEXT_SUBTITLE, .slot = SLOT_MUTED},
                                                {.style = TEXT_SUBTITLE, .slot = SLOT_MUTED}};
    struct totals totals = totals_count(panel);
    struct parts parts = {.length = 0};
    char headline[64], busy[96];
    subtitle_text(panel, &totals, &parts);
    headline_text(&totals, &panel->trace->diagnosis->bus, headline, sizeof headline);
    busy_text(&totals, busy, sizeof busy);
    double y = panel->figure->y + 16;
    draw_line(panel, y, title, panel_title(panel), headline);
    draw_line(panel, y + TITLE_LINE, subtitle, parts.text, busy);
    panel->figure->y += HEADING_HEIGHT;
}
