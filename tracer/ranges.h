/* ranges.h - NVTX ranges on their way into the trace.
 *
 * Each thread keeps its own, so that threads do not wait for each other; the tracer's thread collects them. What ends
 * while recording is on is recorded from its begin on, and so is what was still open when recording went off.
 */
#ifndef CUGANTT_RANGES_H
#define CUGANTT_RANGES_H

#include <stdint.h>

/* Whose ranges they are; "" is the default domain. Never freed: programs keep their handles. */
struct range_domain {
    const char *name;
};

extern const struct range_domain ranges_default_domain;

struct range_label {
    const struct range_domain *domain;
    const char *text; /* copied */
    uint32_t color;   /* 0xAARRGGBB; 0: none */
};

/* Opens a range of the calling thread inside of those that it has open in this domain; returns how many these are. */
int ranges_push(const struct range_label *label);

/* Closes the innermost range of the calling thread in the domain; returns how many are around it, -1 if there is none. */
int ranges_pop(const struct range_domain *domain);

/* Opens a range that any thread may end by the id that is returned. */
uint64_t ranges_start(const struct range_label *label);
void ranges_end(uint64_t id);

void ranges_mark(const struct range_label *label);

/* Ranges of this name ("": none) open and close the gate while they are open. Before the first range. */
void ranges_watch(const char *name);

/* From here on ranges are kept for the trace; before, and without it, they only move the gate. */
void ranges_keep(void);

/* Writes what is there, if there is a trace. Not under the writer's lock. */
void ranges_write(void);

/* At the end: the same, with what is still open. Then nothing is kept any more. */
void ranges_finish(void);

/* Nothing is kept any more: there will be no trace of this process. */
void ranges_stop(void);

/* In a forked child: its ranges begin anew, and the parent's are the parent's. */
void ranges_fork_child(void);

#endif
