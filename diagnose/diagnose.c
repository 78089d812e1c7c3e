#include "diagnose.h"

#include <stdlib.h>

#include "merge.h"
#include "probe.h"
#include "run.h"
#include "timeline/parallel.h"

/* One walk over all operations by begin, for everything that needs that order. */
static void schedule_see(struct run *run)
{
    struct overlap overlap;
    struct engines engines;
    struct merge merge;
    uint32_t index;
    overlap_init(&overlap, run);
    engines_init(&engines, run);
    order_by_begin(run, &merge);
    while (merge_next(&merge, &index, NULL)) {
        overlap_see(&overlap, run_span(run, index));
        engines_see(&engines, index);
    }
    merge_finish(&merge);
    engines_finish(&engines);
    overlap_finish(&overlap);
}

enum { WALK_ISSUE, WALK_SCHEDULE, WALK_COPIES, WALK_COUNT };

/* Walks that need nothing of each other, and nothing of the arena. */
static void walk(void *run, uint32_t which)
{
    if (which == WALK_ISSUE)
        order_build(run);
    else if (which == WALK_SCHEDULE)
        schedule_see(run);
    else
        staging_build(run);
}

void diagnose(const struct model *model, struct arena *arena, struct diagnosis *d)
{
    diagnose_with_probe(model, NULL, arena, d);
}

void diagnose_with_probe(const struct model *model, const struct probe *probe, struct arena *arena, struct diagnosis *d)
{
    struct probe own;
    struct run run = {.model = model, .probe = probe, .arena = arena, .out = d};
    if (probe == NULL && probe_read(model, &own))
        run.probe = &own;
    *d = (struct diagnosis){0};
    if (model->operation_count == 0)
        return;
    run.op_count = (uint32_t)model->operation_count;
    run.first_op = model->span_count - run.op_count; /* streams are the last lanes */
    run.pieces = ARENA_NEW(arena, struct piece_list, model->lane_count);
    parallel_for(WALK_COUNT, walk, &run);
    constraints_apply(&run);
    latency_split(&run);
    bus_build(&run);
    for (uint32_t lane = 0; lane < model->lane_count; lane++)
        pieces_sort(&run.pieces[lane]);
    pieces_sort(&run.chains);
    findings_build(&run);
    replay_findings(&run);
    for (uint32_t lane = 0; lane < model->lane_count; lane++)
        pieces_keep(&run, &run.pieces[lane]);
    pieces_keep(&run, &run.chains);
    pieces_keep(&run, &run.staged);
    free(run.order);
    free(run.engine_waits);
    free(run.shared);
    d->pieces = run.pieces;
    d->lane_count = model->lane_count;
}
