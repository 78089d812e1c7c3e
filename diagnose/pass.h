/* pass.h - one pass over the operations in the order of issue.
 *
 * What holds an operation is what was issued before it, so the state of the pass is: per stream the end of what was issued to
 * it, per context the same for all blocking streams and for the legacy default stream, per event what its recording stood
 * behind. The times are the recorded ones, or those of a schedule that might have been (pass.ends_ns).
 * Source of the rules: CUDA C++ Programming Guide, "Streams" and "Default Stream"; measured in docs/diagnosis.md.
 */
#ifndef CUGANTT_DIAGNOSE_PASS_H
#define CUGANTT_DIAGNOSE_PASS_H

#include "run.h"

struct stream_state {
    struct release done;   /* latest end of what was issued to the stream */
    struct release waited; /* events the stream was told to wait for, not yet met by an operation */
    uint32_t context;      /* index into contexts */
    uint32_t last;         /* operation issued last; MODEL_NONE */
    uint8_t phase;         /* of the last operation, see phase_of() */
};

struct context_state {
    uint32_t process, context;
    struct release blocking, null; /* latest end of what was issued to blocking streams, to the default stream */
};

struct event_state {
    uint64_t event_sync;
    uint32_t process; /* event ids are each process's own */
    struct release done;
};

struct pass {
    struct run *run;
    struct stream_state *streams; /* by lane */
    struct context_state *contexts;
    uint32_t context_count;
    struct event_state *events; /* hash table by event_sync and process; event_sync UINT64_MAX: free */
    uint32_t event_slots;
    uint32_t next_mark;
    const int64_t *ends_ns; /* of operations first_op and on, in place of the recorded ends; NULL */
};

/* Something that may hold an operation. */
struct hold {
    struct release release;
    enum cause cause;
    enum confidence confidence;
};

enum { PASS_HOLDS = 3 };

void pass_init(struct pass *pass, struct run *run);
void pass_finish(struct pass *pass);

/* Takes in the events that were recorded and waited for before the operation was issued. */
void pass_reach(struct pass *pass, const struct span *op);

/* What may hold the operation besides its own stream. */
void pass_holds(const struct pass *pass, uint32_t op, struct hold ret_holds[PASS_HOLDS]);

/* The operation is issued: the state behind it. */
void pass_issue(struct pass *pass, uint32_t op);

/* The operation begins another chain of copy in, compute and copy out than the one before it in its stream. */
bool pass_is_chain(const struct pass *pass, uint32_t op);

static inline int64_t pass_end_ns(const struct pass *pass, uint32_t op)
{
    return pass->ends_ns == NULL ? run_span(pass->run, op)->end_ns : pass->ends_ns[op - pass->run->first_op];
}

#endif
