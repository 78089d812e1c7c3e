/* chrome.h - the parts of a Chrome JSON file. Shared by the files that write it; nobody else includes it. */
#ifndef CUGANTT_CHROME_H
#define CUGANTT_CHROME_H

#include "out.h"

/* A lane among the viewer's rows. */
struct chrome_lane {
    uint32_t pid;  /* of its group */
    bool numbered; /* its first row has the lane's own number, which no other row of the group has */
    uint32_t rows; /* in use */
};

struct chrome {
    struct out out;
    const struct model *model;
    uint32_t *pids;            /* by process */
    struct chrome_lane *lanes; /* by lane of the model */
    uint8_t *span_rows;        /* by span: its row of the lane */
    int64_t base_ns;           /* times count from there */
    bool follows;              /* an event was written: a comma comes first */
};

void chrome_event_begin(struct chrome *c); /* a comma and a new line where needed */

/* The argument that says of whose process an event is, where there are several: ids of calls repeat across them. */
void chrome_process(struct chrome *c, uint32_t process);

/* Members in front of traceEvents. */
void chrome_members(struct chrome *c);

/* Rows of the viewer: a device's streams are one process there, a program's threads another, and what is no lane of
 * ours, two more. */
enum chrome_group { CHROME_HOST, CHROME_DEVICE, CHROME_WAITS, CHROME_OVERHEADS };

void chrome_rows_init(struct chrome *c);
void chrome_rows_finish(struct chrome *c);
uint32_t chrome_pid(const struct chrome *c, enum chrome_group group, uint32_t process);
uint32_t chrome_tid(const struct chrome *c, uint32_t lane, uint32_t row);
uint32_t chrome_extra_tid(uint32_t index, uint32_t row); /* a number that no stream or thread has */

/* Names and order of groups and rows: events too. */
void chrome_group_name(struct chrome *c, enum chrome_group group, uint32_t process, uint32_t pid, const char *name);
void chrome_row_name(struct chrome *c, uint32_t pid, uint32_t tid, uint32_t order, const char *name, bool extra);
void chrome_names(struct chrome *c); /* of all lanes, once their spans are written */

/* What the PCIe links carried: counters beside the streams of their devices. */
void chrome_buses(struct chrome *c);

/* Records without a span: waits, overheads, pauses; with the names of their rows. */
void chrome_records(struct chrome *c);

#endif
