/* facts.h - the numbers and names that the text of a finding can speak of. */
#ifndef CUGANTT_FACTS_H
#define CUGANTT_FACTS_H

#include "run.h"

struct facts {
    enum cause cause;
    const struct piece_list *list;  /* where the pieces of this cause lie */
    uint32_t count;                 /* operations that waited (or staged copies) */
    int64_t total_ns;               /* summed over streams */
    const struct piece *longest;
    struct place places[DIAGNOSE_PLACES];
    uint32_t place_count;
    uint32_t *lanes;                /* streams that waited */
    uint32_t lane_count;
};

/* Gathers what `run` holds of a cause; false if that is nothing. */
bool facts_gather(struct run *run, enum cause cause, struct facts *ret_facts);

/* Expands a template: {name} stands for a fact (names: facts.c). */
const char *facts_text(struct run *run, const struct facts *facts, const char *template);

#endif
