/* Rates of copies against their size, pageable and pinned, both ways: what `cugantt run probe` measured. One plot a trace, all
 * on the same axes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diagnose/probe.h"
#include "figure.h"
#include "legend.h"

enum {
    PLOT_HEIGHT = 400,  /* px */
    HEADING = 62,
    AXIS_ROOM = 64,     /* px left of the plot, for the rates */
    AXIS_BELOW = 34,
    TICK_APART = 74,    /* px from one label of the axes to the next, at least */
    KEY_WIDTH = 30,     /* sample of a curve in front of its name */
    NAME_APART = 22,    /* px from one curve's name to the next */
    MARK = 7,           /* px: what was measured */
    CURVES = PROBE_DIRECTIONS * PROBE_MEMORIES,
};

static const double THICK = 2.5; /* px: curves */
static const double SLOW = 0.5;  /* of the pinned rate: less is bad news */

static const char *const names[CURVES] = {"pageable, to device", "pinned, to device", "pageable, from device", "pinned, from device"};

struct plot {
    struct figure *figure;
    const struct layout_trace *trace;
    struct probe probe;
    double left, right, top, bottom; /* px */
    double first, last;              /* log2 of the sizes */
    double most, step;               /* bytes/ns at the top; from one label to the next */
};

static const struct probe_curve *curve_of(const struct probe *probe, int index)
{
    return &probe->curves[index / PROBE_MEMORIES][index % PROBE_MEMORIES];
}

static double x_of(const struct plot *plot, double bytes)
{
    double whole = plot->last - plot->first;
    return whole > 0 ? plot->left + (log2(bytes) - plot->first) / whole * (plot->right - plot->left) : plot->left;
}

static double y_of(const struct plot *plot, double rate)
{
    return plot->bottom - rate / plot->most * (plot->bottom - plot->top);
}

static void line(const struct plot *plot, struct scene_op op)
{
    op.kind = SCENE_LINE;
    scene_add(plot->figure->scene, op);
}

/* Name at the end of a curve, with a sample of it, in the order of the curves' ends, none on another. */
static void draw_name(const struct plot *plot, int index, double y, double rate)
{
    struct figure *figure = plot->figure;
    char text[64], number[32];
    double x = plot->right + 14;
    uint8_t slot = index / PROBE_MEMORIES == PROBE_TO_DEVICE ? SLOT_HTOD : SLOT_DTOH;
    bool dashed = index % PROBE_MEMORIES == PROBE_PAGEABLE;
    line(plot, (struct scene_op){.slot = slot, .x = x, .y = y, .w = KEY_WIDTH - 6, .bend = THICK,
                                 .pattern = dashed ? PATTERN_HATCH : PATTERN_NONE});
    snprintf(text, sizeof text, "%s %s", names[index], rate_text(rate, number, sizeof number));
    struct text_spot spot = {x + KEY_WIDTH, figure_baseline(y, TEXT_LEGEND), TEXT_LEGEND, SLOT_TEXT, ANCHOR_START, 0};
    figure_text(figure, &spot, text);
}

static void draw_names(const struct plot *plot)
{
    int order[CURVES] = {0, 1, 2, 3};
    double rates[CURVES], y = -INFINITY;
    for (int i = 0; i < CURVES; i++) {
        const struct probe_curve *curve = curve_of(&plot->probe, i);
        rates[i] = curve->bytes_per_ns[curve->count - 1];
    }
    for (int i = 1; i < CURVES; i++) /* highest first */
        for (int k = i; k > 0 && rates[order[k]] > rates[order[k - 1]]; k--) {
            int other = order[k];
            order[k] = order[k - 1];
            order[k - 1] = other;
        }
    for (int i = 0; i < CURVES; i++) {
        y = fmax(y + NAME_APART, y_of(plot, rates[order[i]]));
        y = fmin(y, plot->bottom - NAME_APART * (CURVES - 1 - i)); /* leaves room for the rest */
        draw_name(plot, order[i], y, rates[order[i]]);
    }
}

static void draw_curve(const struct plot *plot, int index)
{
    const struct probe_curve *curve = curve_of(&plot->probe, index);
    uint8_t slot = index / PROBE_MEMORIES == PROBE_TO_DEVICE ? SLOT_HTOD : SLOT_DTOH;
    bool dashed = index % PROBE_MEMORIES == PROBE_PAGEABLE;
    for (uint32_t i = 0; i < curve->count; i++) {
        double x = x_of(plot, curve->bytes[i]), y = y_of(plot, curve->bytes_per_ns[i]);
        if (i + 1 < curve->count)
            line(plot, (struct scene_op){.slot = slot, .x = x, .y = y, .w = x_of(plot, curve->bytes[i + 1]) - x,
                                         .h = y_of(plot, curve->bytes_per_ns[i + 1]) - y, .bend = THICK,
                                         .pattern = dashed ? PATTERN_HATCH : PATTERN_NONE});
        figure_rect(plot->figure, slot, (struct box){x - MARK / 2.0, y - MARK / 2.0, x + MARK / 2.0, y + MARK / 2.0});
    }
}

/* Smallest round step (1, 2, 5 times a power of ten) of which at most `count` reach `most`. */
static double round_step(double most, double count)
{
    double power = pow(10, floor(log10(most / count)));
    double factor = most / count / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

static void draw_rates_axis(const struct plot *plot)
{
    uint32_t count = (uint32_t)round(plot->most / plot->step);
    for (uint32_t i = 0; i <= count; i++) {
        char text[32];
        double rate = i * plot->step, y = floor(y_of(plot, rate)) + 0.5;
        line(plot, (struct scene_op){.slot = SLOT_GRID, .x = plot->left, .y = y, .w = plot->right - plot->left});
        snprintf(text, sizeof text, "%.6g%s", rate, rate == 0 ? " GB/s" : "");
        struct text_spot spot = {plot->left - 10, figure_baseline(y, TEXT_AXIS), TEXT_AXIS, SLOT_MUTED, ANCHOR_END, 0};
        figure_text(plot->figure, &spot, text);
    }
}

/* The sizes that were measured; as many of them are named as there is room for. */
static void draw_sizes_axis(const struct plot *plot)
{
    const struct probe_curve *sizes = curve_of(&plot->probe, 0);
    double free_from = -INFINITY;
    for (uint32_t i = 0; i < sizes->count; i++) {
        char text[32];
        double x = x_of(plot, sizes->bytes[i]);
        line(plot, (struct scene_op){.slot = SLOT_GRID, .x = floor(x) + 0.5, .y = plot->top, .h = plot->bottom - plot->top});
        bytes_text((uint64_t)sizes->bytes[i], text, sizeof text);
        double half = figure_text_width(plot->figure, TEXT_AXIS, text) / 2;
        if (x - half < free_from)
            continue;
        struct text_spot spot = {x, plot->bottom + 18, TEXT_AXIS, SLOT_MUTED, ANCHOR_MIDDLE, 0};
        figure_text(plot->figure, &spot, text);
        free_from = x + half + 12;
    }
}

/* Title, what was measured, and the number that says most: what is left of the pinned rate. */
static void draw_heading(const struct plot *plot)
{
    struct figure *figure = plot->figure;
    const struct layout_request *request = figure->request;
    const struct model *model = plot->trace->model;
    const struct probe_curve *pageable = curve_of(&plot->probe, PROBE_PAGEABLE), *pinned = curve_of(&plot->probe, PROBE_PINNED);
    double share = pageable->bytes_per_ns[pageable->count - 1] / pinned->bytes_per_ns[pinned->count - 1];
    const char *own = model_property(model, 0, "title"), *driver = model_property(model, 0, "driver");
    const char *started = model_property(model, 0, "started");
    const char *title = request->title != NULL && request->trace_count == 1 ? request->title
                        : own[0] != '\0'                                    ? own : "Copy rates by size";
    struct text_spot right = {figure->right, figure->y + 16, TEXT_HEADLINE, share < SLOW ? SLOT_ACCENT : SLOT_TEXT, ANCHOR_END, 0};
    double width = figure_text(figure, &right, arena_printf(figure->arena, "pageable: %.0f %% of pinned", 100 * share));
    struct text_spot left = {figure->left, figure->y + 16, TEXT_TITLE, SLOT_TEXT, ANCHOR_START,
                             fmax(figure->right - figure->left - width - 24, 1)};
    figure_text(figure, &left, title);
    struct text_spot below = {figure->left, figure->y + 40, TEXT_SUBTITLE, SLOT_MUTED, ANCHOR_START, figure->right - figure->left};
    figure_text(figure, &below,
                arena_printf(figure->arena, "%s%s%s%s%.10s · rate from the call to the end of the copy",
                             model->device_count > 0 ? model->devices[0].name : "device not named", driver[0] != '\0' ? " · driver " : "",
                             driver, started[0] != '\0' ? " · recorded " : "", started));
    figure->y += HEADING;
}

static void draw_texts(const struct plot *plot)
{
    struct figure *figure = plot->figure;
    char texts[PROBE_TEXTS][PROBE_TEXT_SIZE];
    uint32_t count = probe_texts(&plot->probe, texts);
    for (uint32_t i = 0; i < count; i++) {
        struct flow flow = {figure, figure->left, figure->right, figure->left,
                            figure_baseline(figure->y + FIGURE_NOTE_LINE / 2.0, TEXT_NOTE)};
        flow_text(&flow, TEXT_NOTE, SLOT_TEXT, texts[i]);
        figure->y = flow.y - figure_baseline(0, TEXT_NOTE) + FIGURE_NOTE_LINE / 2.0 + 3;
    }
}

static void plot_draw(struct plot *plot)
{
    struct figure *figure = plot->figure;
    draw_heading(plot);
    plot->top = figure->y;
    plot->bottom = plot->top + PLOT_HEIGHT;
    figure_rect(figure, SLOT_LANE, (struct box){plot->left, plot->top, plot->right, plot->bottom});
    draw_rates_axis(plot);
    draw_sizes_axis(plot);
    for (int i = 0; i < CURVES; i++)
        draw_curve(plot, i);
    draw_names(plot);
    figure->y = plot->bottom + AXIS_BELOW;
    draw_texts(plot);
}

/* The same axes for all plots. */
static void set_axes(struct plot *plots, const struct figure *figure)
{
    double most = 0, first = INFINITY, last = -INFINITY, widest = 0;
    for (uint32_t i = 0; i < figure->request->trace_count; i++)
        for (int k = 0; k < CURVES; k++) {
            const struct probe_curve *curve = curve_of(&plots[i].probe, k);
            first = fmin(first, log2(curve->bytes[0]));
            last = fmax(last, log2(curve->bytes[curve->count - 1]));
            for (uint32_t point = 0; point < curve->count; point++)
                most = fmax(most, curve->bytes_per_ns[point]);
            widest = fmax(widest, figure_text_width(figure, TEXT_LEGEND, names[k]));
        }
    double rate = figure_text_width(figure, TEXT_LEGEND, " 99.9 GB/s"), step = round_step(most, floor(PLOT_HEIGHT / TICK_APART));
    for (uint32_t i = 0; i < figure->request->trace_count; i++) {
        plots[i].first = first;
        plots[i].last = last;
        plots[i].step = step;
        plots[i].most = ceil(most / step) * step;
        plots[i].left = figure->left + AXIS_ROOM;
        plots[i].right = fmax(figure->right - widest - rate - KEY_WIDTH - 14, plots[i].left + 1);
    }
}

bool layout_bandwidth(const struct layout_request *request, struct scene *scene, struct error *err)
{
    struct figure figure;
    figure_begin(&figure, request, scene);
    struct plot *plots = ARENA_NEW(scene->arena, struct plot, request->trace_count);
    for (uint32_t i = 0; i < request->trace_count; i++) {
        plots[i].figure = &figure;
        plots[i].trace = &request->traces[i];
        if (!probe_read(request->traces[i].model, &plots[i].probe))
            return error_set(err, request->traces[i].path, -1, "no rates of copies in this trace: make one with cugantt run probe");
    }
    set_axes(plots, &figure);
    for (uint32_t i = 0; i < request->trace_count; i++) {
        plot_draw(&plots[i]);
        figure.y += i + 1 < request->trace_count ? 30 : 0;
    }
    footer_draw(&figure);
    figure_end(&figure);
    return true;
}
