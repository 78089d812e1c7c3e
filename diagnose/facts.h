/* facts.h - the numbers and names that the text of a finding can speak of. */
#ifndef CUGANTT_FACTS_H
#define CUGANTT_FACTS_H

#include "quantile.h"
#include "run.h"

struct facts {
    uint32_t count;         /* operations that waited (or staged copies) */
    int64_t total_ns;       /* summed over streams */
    struct piece longest;
    struct place places[DIAGNOSE_PLACES];
    uint32_t place_count;
    uint32_t *lanes;        /* streams that waited */
    uint32_t lane_count;
    uint32_t last_operation;
    struct quantiles *lengths;
};

/* Gathers what `run` holds, for every cause, in one pass over the pieces. */
void facts_gather(struct run *run, struct facts ret_facts[CAUSE_COUNT]);

/* Expands a template: {name} stands for a fact (names: facts.c). */
const char *facts_text(struct run *run, const struct facts *facts, const char *template);

#endif
