/* span_sort.h - the order of spans in a lane. */
#ifndef CUGANTT_SPAN_SORT_H
#define CUGANTT_SPAN_SORT_H

#include "model.h"

/* By begin, then by end (of ranges the outer one first), then by place in the file. Fast where the spans are a few sorted
 * runs laid end to end, as the blocks of a file are: then next to nothing moves. */
void span_sort(struct span *spans, uint32_t count);

#endif
