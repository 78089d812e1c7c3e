#include "layout.h"

#include <math.h>

#include "legend.h"
#include "panel.h"

enum {
    LABEL_GAP = 14,   /* px between row labels and plot */
    PANEL_GAP = 30,
    FIGURE_TITLE = 52, /* px: title above several panels */
};

/* Labels of rows take at most this share of the width. */
static const double LABEL_SHARE = 0.25;

/* All panels get the same plot edges and the same time per pixel. */
static void set_scales(struct panel *panels, uint32_t count, const struct figure *figure)
{
    double labels = 0;
    int64_t longest_ns = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct scale *scale = &panels[i].scale;
        labels = fmax(labels, fmax(rows_label_width(&panels[i]), strips_label_width(&panels[i])));
        longest_ns = scale->end_ns - scale->begin_ns > longest_ns ? scale->end_ns - scale->begin_ns : longest_ns;
    }
    double left = figure->left + ceil(fmin(labels, LABEL_SHARE * figure->request->width)) + LABEL_GAP;
    for (uint32_t i = 0; i < count; i++) {
        struct scale *scale = &panels[i].scale;
        scale->left = left;
        scale->longest_ns = longest_ns;
        scale->px_per_ns = (figure->right - left) / (double)longest_ns;
        scale->right = scale_x(scale, scale->end_ns);
    }
}

static void draw_figure_title(struct figure *figure)
{
    if (figure->request->title == NULL || figure->request->trace_count == 1)
        return;
    struct text_spot spot = {figure->left, figure->y + 20, TEXT_FIGURE, SLOT_TEXT, ANCHOR_START,
                             figure->right - figure->left};
    figure_text(figure, &spot, figure->request->title);
    figure->y += FIGURE_TITLE;
}

static void draw_all(struct figure *figure, struct panel *panels)
{
    draw_figure_title(figure);
    for (uint32_t i = 0; i < figure->request->trace_count; i++) {
        panel_draw(&panels[i]);
        figure->y += PANEL_GAP;
    }
    figure->y -= PANEL_GAP / 2.0;
    legend_draw(figure);
    footer_draw(figure);
    figure_end(figure);
}

bool layout_figure(const struct layout_request *request, struct scene *scene, struct error *err)
{
    struct figure figure;
    figure_begin(&figure, request, scene);
    struct panel *panels = ARENA_NEW(scene->arena, struct panel, request->trace_count);
    for (uint32_t i = 0; i < request->trace_count; i++)
        if (!panel_init(&panels[i], &figure, &request->traces[i], err))
            return false;
    set_scales(panels, request->trace_count, &figure);
    draw_all(&figure, panels);
    return true;
}
