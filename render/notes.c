/* The numbered explanations below a panel. */
#include "panel.h"

/* What it is, and its share of the whole run. */
static const char *note_title(const struct panel *panel, const struct finding *finding)
{
    const struct model *model = panel->model;
    double share = 100.0 * (double)finding->cost_ns / (double)(model->end_ns - model->begin_ns);
    const char *title = cause_title(finding->cause);
    if (share < 1)
        return arena_printf(panel->figure->arena, "%s:", title);
    return arena_printf(panel->figure->arena, "%s, %.0f %% of the time:", title, share);
}

static void draw_note(const struct panel *panel, uint32_t index)
{
    struct figure *figure = panel->figure;
    const struct finding *finding = panel->shown[index].finding;
    double indent = figure->left + 2 * FIGURE_BADGE_RADIUS + 10, middle = figure->y + FIGURE_NOTE_LINE / 2.0;
    figure_badge(figure, figure->left + FIGURE_BADGE_RADIUS, middle, index + 1);
    struct flow flow = {figure, indent, figure->right, indent, figure_baseline(middle, TEXT_NOTE)};
    flow_text(&flow, TEXT_NOTE_BOLD, SLOT_TEXT, note_title(panel, finding));
    flow_text(&flow, TEXT_NOTE, SLOT_TEXT, finding->text);
    if (finding->advice[0] != '\0') {
        flow_text(&flow, TEXT_NOTE_BOLD, SLOT_TEXT, "Fix:");
        flow_text(&flow, TEXT_NOTE, SLOT_TEXT, finding->advice);
    }
    figure->y = flow.y - figure_baseline(0, TEXT_NOTE) + FIGURE_NOTE_LINE / 2.0 + 3;
}

void notes_draw(const struct panel *panel)
{
    struct figure *figure = panel->figure;
    for (uint32_t i = 0; i < panel->shown_count; i++)
        draw_note(panel, i);
    if (panel->shown_count > 0)
        return;
    struct text_spot spot = {figure->left, figure_baseline(figure->y + FIGURE_NOTE_LINE / 2.0, TEXT_NOTE), TEXT_NOTE,
                             SLOT_MUTED, ANCHOR_START, figure->right - figure->left};
    figure_text(figure, &spot, "No stream waited for more than 1 % of the time shown.");
    figure->y += FIGURE_NOTE_LINE;
}
