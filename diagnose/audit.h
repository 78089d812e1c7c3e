/* audit.h - habits of a program that tools count: copies and waits that hold the host, idle and poorly used stretches of each
 * device, work pending in each stream. Here with causes. */
#ifndef CUGANTT_AUDIT_H
#define CUGANTT_AUDIT_H

#include "diagnose.h"

enum audit_habit {
    AUDIT_PAGEABLE_ASYNC, /* copies that were to be asynchronous, from or to pageable memory */
    AUDIT_SYNC_COPY,      /* synchronous copies */
    AUDIT_SYNC_MEMSET,
    AUDIT_SYNC_CALL,      /* calls that wait for a stream, an event or the device */
    AUDIT_HABITS
};

struct audit_calls {
    uint32_t count;
    uint64_t bytes;
    int64_t host_ns; /* in the calls; where they are not in the trace, of the operations */
};

/* A stretch in which a device was busy for less than half of the time. */
struct audit_period {
    int64_t begin_ns, end_ns, busy_ns;
    enum cause cause; /* what it idled for most */
};

enum { AUDIT_WINDOWS = 30 }; /* equal parts of a device's time, for the periods */

struct audit_device {
    uint32_t process, device;
    int64_t begin_ns, end_ns; /* its first operation to its last */
    int64_t busy_ns;
    int64_t idle_ns[CAUSE_COUNT]; /* what the operation waited for that ended each idle stretch; with busy_ns all of its time */
    int64_t longest_begin_ns, longest_end_ns; /* idle stretch */
    struct audit_period periods[AUDIT_WINDOWS];
    uint32_t period_count;
};

/* Operations issued before and not ended, when an operation was issued: of those whose call is known. */
struct audit_stream {
    uint32_t lane;
    uint32_t count; /* of operations looked at */
    uint32_t none;  /* of them, found nothing pending */
    uint32_t median, most;
};

struct audit {
    struct audit_calls habits[AUDIT_HABITS];
    struct audit_device *devices;
    uint32_t device_count;
    struct audit_stream *streams;
    uint32_t stream_count;
};

/* Of a model with its diagnosis. The arrays live in `arena`. */
void audit_find(const struct model *model, const struct diagnosis *diagnosis, struct arena *arena, struct audit *ret_audit);

const char *audit_habit_text(enum audit_habit habit); /* "synchronous copies" */

#endif
