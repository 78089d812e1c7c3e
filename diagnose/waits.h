/* waits.h - what a call in which the host was held waited for on the device. */
#ifndef CUGANTT_DIAGNOSE_WAITS_H
#define CUGANTT_DIAGNOSE_WAITS_H

#include "diagnose.h"

struct waits {
    const struct model *model;
    uint32_t *by_end; /* operations by their end; made when it is first asked for */
};

void waits_init(struct waits *waits, const struct model *model);
void waits_finish(struct waits *waits);

/* The operation that the call waited for; of those only that began, or ended, before `time_ns`. `cause`: host_cause() of the
 * call. MODEL_NONE: nothing. */
uint32_t waits_find(struct waits *waits, uint32_t call, enum cause cause, int64_t time_ns);

#endif
