/* What the PCIe links carried: below the streams, a strip for each direction, on the scale of the link. */
#include <math.h>
#include <stdio.h>

#include "panel.h"

enum {
    STRIP_HEIGHT = 56, /* px, of full rate */
    STRIP_LOW = 34,    /* where there are many rows */
    STRIP_HEAD = 4,    /* px above full rate */
    STRIP_GAP = 10,
    MANY_ROWS = 14,
};

static bool has_samples(const struct panel *panel, const struct bus *bus)
{
    uint32_t first = model_bus_after(panel->model, bus, panel->scale.begin_ns);
    return first < bus->first + bus->count && panel->model->bus_samples[first].begin_ns < panel->scale.end_ns;
}

/* Where the link is not known, or faster than the driver says, the busiest sample is the top. */
static double top_rate(const struct model *model, const struct bus *bus)
{
    double top = bus->peak_bytes_per_ns;
    for (uint32_t i = bus->first; i < bus->first + bus->count; i++) {
        const struct bus_sample *s = &model->bus_samples[i];
        for (int direction = 0; direction < 2; direction++)
            top = fmax(top, s->bytes[direction] / (double)(s->end_ns - s->begin_ns));
    }
    return top;
}

static const char *kind_text(const struct panel *panel, const struct strip *strip)
{
    const char *what = strip->bus->peak_bytes_per_ns > 0 ? "link" : "at most";
    return arena_printf(panel->figure->arena, "GB/s, %s %.3g", what, strip->top_bytes_per_ns);
}

void strips_choose(struct panel *panel)
{
    static const char *const words[2] = {[BUS_TO_DEVICE] = "to", [BUS_FROM_DEVICE] = "from"};
    const struct model *model = panel->model;
    panel->strips = ARENA_NEW(panel->figure->arena, struct strip, 2 * model->bus_count);
    for (uint32_t i = 0; i < model->bus_count; i++)
        for (int direction = 0; direction < 2 && has_samples(panel, &model->buses[i]); direction++) {
            struct strip *strip = &panel->strips[panel->strip_count++];
            *strip = (struct strip){.bus = &model->buses[i], .direction = (enum bus_direction)direction};
            strip->top_bytes_per_ns = top_rate(model, strip->bus);
            strip->name = model->bus_count == 1 ? arena_printf(panel->figure->arena, "PCIe %s GPU", words[direction])
                                                : arena_printf(panel->figure->arena, "PCIe %s GPU %u", words[direction],
                                                               strip->bus->device);
            strip->kind = kind_text(panel, strip);
        }
}

double strips_label_width(const struct panel *panel)
{
    double widest = 0;
    for (uint32_t i = 0; i < panel->strip_count; i++) {
        widest = fmax(widest, figure_text_width(panel->figure, TEXT_LANE, panel->strips[i].name));
        widest = fmax(widest, figure_text_width(panel->figure, TEXT_LANE_KIND, panel->strips[i].kind));
    }
    return widest;
}

void strips_place(struct panel *panel)
{
    double y = panel->rows_bottom;
    for (uint32_t i = 0; i < panel->strip_count; i++) {
        struct strip *strip = &panel->strips[i];
        strip->top = y + STRIP_HEAD;
        strip->height = panel->row_count > MANY_ROWS ? STRIP_LOW : STRIP_HEIGHT;
        y = strip->top + strip->height + STRIP_GAP;
    }
    panel->rows_bottom = panel->figure->y = y;
}

void strips_ground(const struct panel *panel)
{
    const struct scale *scale = &panel->scale;
    for (uint32_t i = 0; i < panel->strip_count; i++) {
        const struct strip *strip = &panel->strips[i];
        figure_rect(panel->figure, SLOT_LANE,
                    (struct box){scale->left, strip->top - STRIP_HEAD, scale->right, strip->top + strip->height});
    }
}

/* A stretch within the window without samples is not one without traffic. */
static void draw_hole(const struct panel *panel, const struct strip *strip, int64_t begin_ns, int64_t end_ns)
{
    struct extent extent = scale_extent(&panel->scale, begin_ns, end_ns);
    if (extent.right - extent.left < 1)
        return;
    panel->figure->seen_unsampled = true;
    figure_rect(panel->figure, SLOT_PAUSE,
                (struct box){extent.left, strip->top - STRIP_HEAD, extent.right, strip->top + strip->height});
}

static void draw_holes(const struct panel *panel, const struct strip *strip)
{
    const struct bus *bus = strip->bus;
    int64_t known_until_ns = panel->scale.begin_ns;
    uint32_t i = model_bus_after(panel->model, bus, panel->scale.begin_ns), end = bus->first + bus->count;
    for (; i < end && panel->model->bus_samples[i].begin_ns < panel->scale.end_ns; i++) {
        const struct bus_sample *s = &panel->model->bus_samples[i];
        if (s->begin_ns > known_until_ns)
            draw_hole(panel, strip, known_until_ns, s->begin_ns);
        known_until_ns = s->end_ns;
    }
    if (known_until_ns < panel->scale.end_ns)
        draw_hole(panel, strip, known_until_ns, panel->scale.end_ns);
}

/* One pixel wide, but for the last: its share of the samples' bytes, so that area is bytes whatever the scale. Samples
 * are taken to be even within. */
static void fill(const struct panel *panel, const struct strip *strip, double *columns, uint32_t count)
{
    const struct scale *scale = &panel->scale;
    const struct bus *bus = strip->bus;
    uint32_t end = bus->first + bus->count;
    for (uint32_t i = model_bus_after(panel->model, bus, scale->begin_ns); i < end; i++) {
        const struct bus_sample *s = &panel->model->bus_samples[i];
        if (s->begin_ns >= scale->end_ns)
            break;
        double per_px = s->bytes[strip->direction] / ((double)(s->end_ns - s->begin_ns) * scale->px_per_ns);
        struct extent e = scale_extent(scale, s->begin_ns, s->end_ns);
        for (uint32_t c = (uint32_t)(e.left - scale->left); c < count && per_px > 0; c++) {
            double from = fmax(e.left, scale->left + c), to = fmin(e.right, scale->left + c + 1);
            if (to <= from)
                break;
            columns[c] += per_px * (to - from);
        }
    }
}

/* Columns of one height are one rectangle. */
static void draw_columns(const struct panel *panel, const struct strip *strip, const double *columns, uint32_t count)
{
    const struct scale *scale = &panel->scale;
    double px_per_byte = strip->height * scale->px_per_ns / strip->top_bytes_per_ns;
    double bottom = strip->top + strip->height;
    for (uint32_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && columns[last] == columns[first]; last++)
            continue;
        double left = scale->left + first, right = fmin(scale->left + last, scale->right);
        if (columns[first] <= 0 || right <= left)
            continue;
        double width_of_one = last == count ? right - (scale->left + last - 1) : 1; /* the last column may be cut */
        double height = columns[first] * px_per_byte / (last - first == 1 ? width_of_one : 1);
        figure_rect(panel->figure, strip->direction == BUS_TO_DEVICE ? SLOT_HTOD : SLOT_DTOH,
                    (struct box){left, bottom - fmin(height, strip->height), right, bottom});
    }
}

/* Full rate: a dashed line. */
static void draw_top(const struct panel *panel, const struct strip *strip)
{
    const struct scale *scale = &panel->scale;
    double y = floor(strip->top) + 0.5;
    scene_add(panel->figure->scene, (struct scene_op){.kind = SCENE_LINE, .slot = SLOT_MUTED, .pattern = PATTERN_HATCH, .x = scale->left,
                                                      .y = y, .w = scale->right - scale->left});
}

void strips_draw(const struct panel *panel)
{
    struct arena scratch;
    arena_init(&scratch);
    for (uint32_t i = 0; i < panel->strip_count; i++) {
        const struct strip *strip = &panel->strips[i];
        uint32_t count = (uint32_t)ceil(panel->scale.right - panel->scale.left);
        double *columns = ARENA_NEW(&scratch, double, count + 1);
        draw_holes(panel, strip);
        draw_top(panel, strip);
        if (strip->top_bytes_per_ns > 0) {
            fill(panel, strip, columns, count);
            draw_columns(panel, strip, columns, count);
        }
    }
    arena_finish(&scratch);
}

void strips_label(const struct panel *panel)
{
    struct figure *figure = panel->figure;
    double x = panel->scale.left - 14, room = x - figure->left;
    for (uint32_t i = 0; i < panel->strip_count; i++) {
        const struct strip *strip = &panel->strips[i];
        double middle = strip->top + strip->height / 2;
        struct text_spot name = {x, figure_baseline(middle - 8, TEXT_LANE), TEXT_LANE, SLOT_TEXT, ANCHOR_END, room};
        struct text_spot kind = {x, figure_baseline(middle + 8.5, TEXT_LANE_KIND), TEXT_LANE_KIND, SLOT_MUTED,
                                 ANCHOR_END, room};
        figure_text(figure, &name, strip->name);
        figure_text(figure, &kind, strip->kind);
    }
}
