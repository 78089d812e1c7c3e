/* Shades the idle stretches of streams by what they waited for. */
#include "looks.h"
#include "panel.h"

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
            const struct piece *piece = &pieces->items[i];
            if (panel_shows(panel, piece->begin_ns, piece->end_ns) && gap_look(piece->cause, &look))
                draw_gap(panel, &panel->rows[r], piece, &look);
        }
    }
}
