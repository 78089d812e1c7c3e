/* NVTX ranges: rows of their own below the threads that opened them. */
#include <string.h>

#include "panel.h"

enum { RANGES_DRAWN = 8 }; /* rows at most */

/* Adds the ranges of one thread, or, without one, those of threads that are not drawn. */
static void add_ranges(struct panel *panel, const struct row *thread, bool *taken, uint32_t *count)
{
    const struct lane *lanes = panel->model->lanes;
    for (uint32_t lane = 0; lane < panel->model->lane_count && *count < RANGES_DRAWN; lane++) {
        bool fits = thread == NULL || (lanes[lane].id == lanes[thread->lane].id &&
                                       lanes[lane].process == lanes[thread->lane].process);
        if (taken[lane] || !fits || !row_candidate(panel, lane, LANE_RANGE, &panel->rows[panel->row_count]))
            continue;
        taken[lane] = true;
        panel->row_count++;
        ++*count;
    }
}

void ranges_insert(struct panel *panel, uint32_t *thread_count)
{
    struct arena *arena = panel->figure->arena;
    const struct row *before = panel->rows;
    uint32_t before_count = panel->row_count, count = 0;
    bool *taken = ARENA_NEW(arena, bool, panel->model->lane_count);
    panel->rows = ARENA_NEW(arena, struct row, before_count + RANGES_DRAWN + 1);
    panel->row_count = 0;
    for (uint32_t i = 0; i < *thread_count; i++) {
        panel->rows[panel->row_count++] = before[i];
        add_ranges(panel, &before[i], taken, &count);
    }
    add_ranges(panel, NULL, taken, &count);
    memcpy(panel->rows + panel->row_count, before + *thread_count, (before_count - *thread_count) * sizeof *before);
    panel->row_count += before_count - *thread_count;
    *thread_count += count;
}
