#include "diagnose.h"

#include "run.h"

void diagnose(const struct model *model, struct arena *arena, struct diagnosis *d)
{
    struct run run = {.model = model, .arena = arena, .out = d};
    *d = (struct diagnosis){0};
    if (model->operation_count == 0)
        return;
    run.op_count = (uint32_t)model->operation_count;
    run.first_op = model->span_count - run.op_count; /* streams are the last lanes */
    order_build(&run);
    overlap_build(&run);
    engine_build(&run);
    constraints_apply(&run);
    latency_split(&run);
    staging_build(&run);
    pieces_sort(&run.pieces);
    findings_build(&run);
    d->pieces = run.pieces.items;
    d->piece_count = run.pieces.count;
}
