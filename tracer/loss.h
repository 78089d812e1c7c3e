/* loss.h - counts what the trace lacks, until the writer can be told. Any thread may count at any time. */
#ifndef CUGANTT_LOSS_H
#define CUGANTT_LOSS_H

#include <stdint.h>

#include "timeline/writer.h"

void loss_count(enum cgt_loss_kind kind, uint64_t count);

/* Adds what was counted since the last call to the trace. */
void loss_write(struct writer *writer);

/* All that was counted so far. */
uint64_t loss_total(void);

#endif
