/* probe.h - the parts of the probe. Each measures, prints a line or more, and notes what it found in the trace. */
#ifndef CUGANTT_WORKLOADS_PROBE_H
#define CUGANTT_WORKLOADS_PROBE_H

#include "workloads.h"

double probe_now_ns(void);

/* Sorts the values and returns the one in the middle. */
double probe_median(double *values, uint32_t count);

/* A property of the trace, if one is being recorded. Keys: timeline/FORMAT.md. */
void probe_note(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

void probe_copies(const struct workload_options *options);
void probe_launches(void);

#endif
