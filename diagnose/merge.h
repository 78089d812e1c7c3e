/* merge.h - many sorted runs as one sorted sequence: how operations of all streams come in one order without sorting them. */
#ifndef CUGANTT_MERGE_H
#define CUGANTT_MERGE_H

#include <stdbool.h>
#include <stdint.h>

struct merge_key {
    int64_t first, second; /* compared in this order; the item itself decides ties */
};

typedef struct merge_key merge_key_of(const void *context, uint32_t item);

struct merge_run {
    struct merge_key key; /* of `next` */
    uint32_t next, end;   /* items of the run: next .. end, sorted by key */
    const void *context;
};

struct merge {
    struct merge_run *runs; /* a heap, least first */
    uint32_t count;
    merge_key_of *key_of;
};

/* Room for `runs` runs. */
void merge_init(struct merge *merge, uint32_t runs, merge_key_of *key_of);
void merge_finish(struct merge *merge);

/* Adds the run of items first .. end (not empty), whose keys `key_of` finds with `context`. Before merge_start(). */
void merge_add(struct merge *merge, uint32_t first, uint32_t end, const void *context);
void merge_start(struct merge *merge);

/* The next item in order, and the context of its run (may be NULL); false at the end. */
bool merge_next(struct merge *merge, uint32_t *ret_item, const void **ret_context);

#endif
