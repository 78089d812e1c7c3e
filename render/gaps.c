/* Shades the idle stretches of streams by what they waited for, and what was not recorded on purpose. */
#include "looks.h"
#include "panel.h"

enum { PAUSE_PX = 2 }; /* shorter ones are not worth a colour */

static void draw_gap(const struct panel *panel, const struct row *row, const struct piece *piece,
                     const struct gap_look *look)
{
    struct extent extent = scale_extent(&panel->scale, piece->begin_ns, piece->end_ns);
    if (extent.right - extent.left < look->least_px)
        return;
    panel->figure->seen_gap[piece->cause] = true;
    scene_add(panel->figure->scene, (struct scene_op){.kind = SCENE_RECT,
                                                      .slot = look->slot,
                                                      .ink = SLOT_GAP_INK,
                                                      .pattern = look->pattern,
                                                      .x = extent.left,
                                                      .y = row->top,
                                                      .w = extent.right - extent.left,
                                                      .h = row->height});
}

void gaps_draw(const struct panel *panel)
{
    struct gap_look look;
    for (uint32_t r = 0; r < panel->row_count; r++) {
        const struct piece_list *pieces = panel_pieces(panel, panel->rows[r].lane);
        for (uint32_t i = 0; i < pieces->count; i++) {
            struct piece piece = piece_at(pieces, i);
            if (panel_shows(panel, piece.begin_ns, piece.end_ns) && gap_look(piece.cause, &look))
                draw_gap(panel, &panel->rows[r], &piece, &look);
        }
    }
}

static void draw_pause(const struct panel *panel, const struct row *row, const struct pause *pause)
{
    struct extent extent = scale_extent(&panel->scale, pause->begin_ns, pause->end_ns);
    struct scene_op op = pause_look();
    if (extent.right - extent.left < PAUSE_PX)
        return;
    panel->figure->seen_pause = true;
    op.x = extent.left;
    op.y = row->top;
    op.w = extent.right - extent.left;
    op.h = row->height;
    scene_add(panel->figure->scene, op);
}

void pauses_draw(const struct panel *panel)
{
    const struct model *model = panel->model;
    for (uint32_t i = 0; i < model->pause_count; i++) {
        const struct pause *pause = &model->pauses[i];
        for (uint32_t row = 0; row < panel->row_count; row++)
            if (model->lanes[panel->rows[row].lane].process == pause->process &&
                panel_shows(panel, pause->begin_ns, pause->end_ns))
                draw_pause(panel, &panel->rows[row], pause);
    }
}
