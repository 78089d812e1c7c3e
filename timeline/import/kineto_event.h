/* kineto_event.h - one event of a Kineto trace, as a record. Shared by the files that read Kineto; nobody else includes
 * it. */
#ifndef CUGANTT_KINETO_EVENT_H
#define CUGANTT_KINETO_EVENT_H

#include "idmap.h"
#include "image.h"
#include "loose.h"

struct kineto {
    struct image_set *set;
    struct image *image;  /* of the event or member that is being read */
    struct idmap seen;    /* hashes of operations and calls: some files hold events twice */
    struct idmap events;  /* event recordings that waits named: by correlation id of the recording */
    uint64_t invalid;     /* GPU events and calls without usable times */
    uint64_t duplicates;
    bool has_process;     /* the process is known: the first that made a call, or all of them by number */
};

/* Makes the image of a process the one that is read into. A file of one process does not number it: 0. */
bool kineto_select(struct kineto *k, uint32_t process);

/* Reads one element of traceEvents; whatever is no GPU work, call, annotation or name is ignored. */
void kineto_event_read(struct kineto *k, struct loose event);

#endif
