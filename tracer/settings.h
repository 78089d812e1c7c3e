/* settings.h - what the recorder asks of the tracer, through the environment of the traced program. */
#ifndef CUGANTT_SETTINGS_H
#define CUGANTT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Environment variables. */
#define SETTING_OUTPUT "CUGANTT_OUTPUT"     /* name of the trace, with placeholders (pattern.h), absolute */
#define SETTING_FLUSH_MS "CUGANTT_FLUSH_MS" /* time between flushes, ms; 0: only full buffers are written */
#define SETTING_TITLE "CUGANTT_TITLE"       /* title of charts; may be unset */
#define SETTING_NOTE "CUGANTT_NOTE"         /* file for reports to the recorder (note.h); may be unset */

/* What to record; each may be unset. */
#define SETTING_NVTX "CUGANTT_NVTX"               /* set: NVTX ranges too */
#define SETTING_RANGE "CUGANTT_RANGE"             /* "profiler" or "nvtx:NAME": only inside of it */
#define SETTING_DELAY "CUGANTT_DELAY_NS"          /* from when the program first uses CUDA */
#define SETTING_DURATION "CUGANTT_DURATION_NS"    /* from when recording begins */
#define SETTING_MAX_BYTES "CUGANTT_MAX_BYTES"     /* size of the trace at which recording stops */
#define SETTING_CALLS "CUGANTT_CALLS"             /* "all", "blocking" or "none"; unset: all but chatter */
#define SETTING_PCIE "CUGANTT_PCIE_NS"             /* time between samples of the PCIe link; unset: none */
#define SETTING_GRAPHS "CUGANTT_GRAPHS"           /* "whole": a launch of a graph is one operation */

#define SETTING_RANGE_NVTX "nvtx:"

enum { SETTING_FLUSH_MS_DEFAULT = 100 };

/* Time between samples of the PCIe link. The driver stages copies in bursts of some 20 us. Bytes of one sample must fit
 * into 32 bits. */
enum { SETTING_PCIE_DEFAULT_NS = 5000, SETTING_PCIE_LEAST_NS = 1000, SETTING_PCIE_MOST_NS = 10000000 };

struct settings {
    const char *output;
    uint32_t flush_ms;
    const char *title; /* NULL: none */
    const char *note;  /* NULL: nobody listens */
    bool nvtx;
    const char *range;   /* "": none */
    int64_t delay_ns, duration_ns; /* 0: none */
    uint64_t max_bytes;  /* 0: no limit */
    const char *calls;   /* "": the default */
    bool whole_graphs;
    int64_t pcie_ns; /* 0: the PCIe link is not sampled */
};

/* Reads the environment. The strings are copies: programs change their environment. */
void settings_read(struct settings *ret_settings);

#endif
