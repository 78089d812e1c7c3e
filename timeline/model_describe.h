/* model_describe.h - what a span needs to know of its record, taken while the record is at hand. Part of building a model. */
#ifndef CUGANTT_MODEL_DESCRIBE_H
#define CUGANTT_MODEL_DESCRIBE_H

#include "model.h"

/* What is found once for each name of a process. */
struct descriptions {
    uint32_t limit;       /* names are below */
    uint8_t *classes;     /* enum call_class */
    bool *synchronous;    /* a copy that holds its thread */
    int64_t *first_ns;    /* first begin of the kernel of this name */
};

void describe_init(struct descriptions *descriptions, const struct reader *reader);
void describe_finish(struct descriptions *descriptions);

/* Before any span is described: sees all records of the process. */
void describe_see(struct descriptions *descriptions, enum span_kind kind, const void *record);

/* Sets flags and class. Until model_link(), peer holds the correlation id of operations and calls. */
void describe_span(const struct descriptions *descriptions, struct span *span, const void *record);

#endif
