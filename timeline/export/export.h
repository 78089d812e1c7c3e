/* export.h - writes a model in the formats of other tools. A file has its name when it is whole, or does not appear. */
#ifndef CUGANTT_EXPORT_H
#define CUGANTT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/error.h"
#include "timeline/model.h"

/* What the diagnosis says, in plain values: exporters know nothing of diagnoses. */
struct export_note {
    const char *id, *confidence, *text, *advice;
    uint32_t count;            /* places */
    int64_t cost_ns;
    int64_t begin_ns, end_ns;  /* the costliest place */
    uint32_t lane;             /* of that place; MODEL_NONE if there is none */
};

struct export_job {
    const struct model *model;
    const struct export_note *notes;
    uint32_t note_count;
    const char *path;     /* of the file to write */
    bool gzip;            /* of text formats */
    const char *software; /* "cugantt 1.0" */
};

typedef bool export_write(const struct export_job *job, struct error *err);

export_write export_chrome; /* Chrome JSON in the dialect of Kineto, for chrome://tracing, Perfetto and the importer */
export_write export_perfetto; /* Perfetto's protobuf */
export_write export_nsys;     /* SQLite with the tables and columns of nsys */
export_write export_spans;    /* CSV, one line a span */
export_write export_notes;    /* CSV, one line a note */

#endif
