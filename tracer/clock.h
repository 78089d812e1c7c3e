/* clock.h - the clock of the trace. */
#ifndef CUGANTT_CLOCK_H
#define CUGANTT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CUPTI's clock, which is CLOCK_REALTIME on Linux as long as nobody registers one of his own. CUPTI is not asked, so
 * that this may be called under any lock. */
static inline int64_t clock_now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
