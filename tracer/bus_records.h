/* bus_records.h - samples of one device's bus into records: stretches in which next to nothing moves become one each.
 */
#ifndef CUGANTT_BUS_RECORDS_H
#define CUGANTT_BUS_RECORDS_H

#include "sampler.h"
#include "timeline/writer.h"

struct bus_run {
    int64_t interval_ns;   /* that was asked for */
    struct cgt_bus record; /* not written yet, if it has samples; set its device first */
    bool broken;           /* sampling was stopped since: a hole before the next sample is no loss */
};

/* Adds a sample, but for the first one of a start where that reaches far back into the time before. Counts as lost what
 * is missing between it and the one before. */
void bus_run_add(struct bus_run *run, struct writer *writer, const struct sample *sample);

/* Writes what is pending. The next sample need not follow. */
void bus_run_end(struct bus_run *run, struct writer *writer);

#endif
