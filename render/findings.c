/* Which findings a panel numbers, and at which places. */
#include "panel.h"

/* Cheaper ones are not worth a number in the figure: share of the window. */
static const double LEAST_SHARE = 0.01;
static const double LEAST_LATENCY_SHARE = 0.05; /* of launch latency, which every program has */

static bool is_visible(const struct panel *panel, const struct place *place)
{
    return panel_row_of(panel, place->operation) != NULL && panel_shows(panel, place->begin_ns, place->end_ns);
}

/* A second mark goes to another stream: a second one on the same would say nothing new. */
static void add_place(const struct panel *panel, struct shown_finding *shown, const struct place *place)
{
    if (shown->place_count == PANEL_PLACES || !is_visible(panel, place))
        return;
    for (uint32_t i = 0; i < shown->place_count; i++)
        if (shown->places[i].lane == place->lane)
            return;
    shown->places[shown->place_count++] = *place;
}

static int64_t place_ns(const struct place *place)
{
    return place->end_ns - place->begin_ns;
}

/* The finding lists only its costliest places of the whole trace. In a narrow window, the pieces tell the rest. */
static void add_longest_piece(const struct panel *panel, struct shown_finding *shown)
{
    struct place best = {0};
    for (uint32_t r = 0; r < panel->row_count; r++) {
        const struct piece_list *pieces = panel_pieces(panel, panel->rows[r].lane);
        for (uint32_t i = 0; i < pieces->count; i++) {
            struct piece piece = piece_at(pieces, i);
            struct place place = {piece.begin_ns, piece.end_ns, piece.operation, piece.blocker, panel->rows[r].lane};
            if (piece.cause == shown->finding->cause && place_ns(&place) > place_ns(&best) && is_visible(panel, &place))
                best = place;
        }
    }
    if (place_ns(&best) > 0)
        add_place(panel, shown, &best);
}

/* The same for staged copies, which are no gaps. */
static void add_longest_staged_copy(const struct panel *panel, struct shown_finding *shown)
{
    const struct span *spans = panel->model->spans;
    struct place best = {0};
    for (uint32_t r = 0; r < panel->row_count; r++)
        for (uint32_t i = panel->rows[r].first; i < panel->rows[r].last; i++) {
            struct place place = {spans[i].begin_ns, spans[i].end_ns, i, MODEL_NONE, spans[i].lane};
            if (spans[i].kind == SPAN_COPY && (spans[i].flags & SPAN_STAGED) != 0 && place_ns(&place) > place_ns(&best))
                best = place;
        }
    if (place_ns(&best) > 0)
        add_place(panel, shown, &best);
}

static void find_places(const struct panel *panel, struct shown_finding *shown)
{
    for (uint32_t i = 0; i < shown->finding->place_count; i++)
        add_place(panel, shown, &shown->finding->places[i]);
    if (shown->place_count > 0)
        return;
    if (shown->finding->cause == CAUSE_PAGEABLE_STAGING)
        add_longest_staged_copy(panel, shown);
    else
        add_longest_piece(panel, shown);
}

void findings_choose(struct panel *panel)
{
    const struct diagnosis *diagnosis = panel->trace->diagnosis;
    double window_ns = (double)(panel->scale.end_ns - panel->scale.begin_ns);
    for (uint32_t i = 0; i < diagnosis->finding_count && panel->shown_count < PANEL_FINDINGS; i++) {
        struct shown_finding shown = {.finding = &diagnosis->findings[i]};
        double least = shown.finding->cause == CAUSE_LAUNCH_LATENCY ? LEAST_LATENCY_SHARE : LEAST_SHARE;
        if ((double)shown.finding->cost_ns < least * window_ns)
            continue;
        find_places(panel, &shown);
        if (shown.place_count > 0)
            panel->shown[panel->shown_count++] = shown;
    }
}
