/* recording.h - what to record: the options that `record` and `run` share, and how the tracer hears of them. */
#ifndef CUGANTT_RECORDING_H
#define CUGANTT_RECORDING_H

#include "cli.h"

struct recording {
    uint32_t flush_ms;
    const char *title;   /* of charts; NULL: none */
    bool nvtx;
    const char *range;   /* "profiler", "nvtx:NAME"; NULL: everything */
    int64_t delay_ns, duration_ns; /* 0: none */
    uint64_t max_bytes;  /* 0: no limit */
    const char *calls;   /* "work", "all", "blocking", "none" */
    const char *graphs;  /* "nodes", "whole" */
    int64_t pcie_ns;     /* between samples of the PCIe link; 0: none */
};

extern const struct recording recording_default;

/* Rows for an option table, with targets in the struct recording `r`. */
#define RECORDING_OPTIONS(r)                                                                                              \
    {"flush", 0, OPTION_COUNT, &(r).flush_ms, "MS",                                                                       \
     "write what there is every MS milliseconds (default: 100); 0: full buffers only"},                                   \
    {"title", 0, OPTION_TEXT, &(r).title, "TEXT", "title for charts of the trace"},                                       \
    {"nvtx", 0, OPTION_FLAG, &(r).nvtx, NULL, "record NVTX ranges and marks too"},                                        \
    {"range", 0, OPTION_TEXT, &(r).range, "RANGE",                                                                        \
     "record only between cudaProfilerStart and Stop (profiler), or while an NVTX range is open (nvtx:NAME)"},            \
    {"delay", 0, OPTION_TIME, &(r).delay_ns, "TIME", "begin so long after the program first uses CUDA (2s, 500ms)"},      \
    {"duration", 0, OPTION_TIME, &(r).duration_ns, "TIME", "record for so long, then let the program run on"},            \
    {"max-size", 0, OPTION_BYTES, &(r).max_bytes, "SIZE",                                                                 \
     "stop recording, not the program, when the trace has grown to SIZE (200MiB)"},                                       \
    {"calls", 0, OPTION_TEXT, &(r).calls, "WHICH",                                                                        \
     "API calls: work (default: all but those that only ask), all, blocking (may hold their thread), none"},              \
    {"graphs", 0, OPTION_TEXT, &(r).graphs, "HOW",                                                                        \
     "launches of graphs: nodes (default), or whole (one operation each, at next to no cost)"},                             \
    {"pcie", 0, OPTION_OPTIONAL_TIME, &(r).pcie_ns, "INTERVAL",                                                           \
     "sample what the PCIe link carries, every 5us or INTERVAL; holds the program for a moment at its first use of a device"}

/* Are the values among those that there are? Says it if not; `command` is for the message. */
bool recording_check(const struct recording *recording, const char *command);

/* Sets the variables by which the tracer `tracer` (a path) is loaded and told. */
void recording_environment(const struct recording *recording, const char *tracer);

#endif
