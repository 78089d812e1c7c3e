/* Grid lines and tick labels. */
#include <math.h>
#include <stdio.h>

#include "panel.h"

enum { TICK_PX = 90, AXIS_HEIGHT = 28 };

static void draw_tick(const struct panel *panel, const struct ticks *ticks, uint32_t index)
{
    struct figure *figure = panel->figure;
    char number[32], text[48];
    double x = scale_x(&panel->scale, panel->scale.zero_ns + ticks->first_ns + index * ticks->step_ns);
    scene_add(figure->scene, (struct scene_op){.kind = SCENE_LINE,
                                               .slot = SLOT_GRID,
                                               .x = floor(x) + 0.5,
                                               .y = panel->rows_top,
                                               .h = panel->rows_bottom - panel->rows_top});
    snprintf(text, sizeof text, "%s%s%s", tick_text(ticks, index, number, sizeof number), index == 0 ? " " : "",
             index == 0 ? ticks->unit : "");
    double half = figure_text_width(figure, TEXT_AXIS, text) / 2;
    struct text_spot spot = {x, panel->rows_bottom + 14, TEXT_AXIS, SLOT_MUTED, ANCHOR_MIDDLE, 0};
    if (x + half <= figure->right)
        figure_text(figure, &spot, text);
}

void axis_draw(const struct panel *panel)
{
    struct ticks ticks = scale_ticks(&panel->scale, TICK_PX);
    for (uint32_t i = 0; i < ticks.count; i++)
        draw_tick(panel, &ticks, i);
    panel->figure->y = panel->rows_bottom + AXIS_HEIGHT;
}
