/* chrome.h - the parts of a Chrome JSON file. Shared by the files that write it; nobody else includes it. */
#ifndef CUGANTT_CHROME_H
#define CUGANTT_CHROME_H

#include "out.h"

struct chrome {
    struct out out;
    const struct model *model;
    int64_t base_ns;   /* times count from there */
    bool follows;      /* an event was written: a comma comes first */
};

void chrome_event_begin(struct chrome *c); /* a comma and a new line where needed */

/* Process id; one made up where the trace has none. And the argument that says of whose process an event is, where
 * there are several: ids of calls repeat across them. */
uint32_t chrome_host_pid(const struct chrome *c, uint32_t process);
void chrome_process(struct chrome *c, uint32_t process);

/* Rows of the viewer: a device's streams are one process there, a program's threads another. */
uint64_t chrome_pid(const struct chrome *c, uint32_t lane);
uint64_t chrome_tid(const struct chrome *c, uint32_t lane, uint32_t row);
bool chrome_is_extra_row(const struct chrome *c, uint32_t lane,
                         uint32_t row); /* its number is no stream's or thread's */

/* Members in front of traceEvents. */
void chrome_members(struct chrome *c);

/* Names and order of rows: events too. `rows` are the rows of each lane. */
void chrome_names(struct chrome *c, const uint32_t *rows);

/* Records without a span: waits, overheads, pauses. */
void chrome_records(struct chrome *c);

#endif
