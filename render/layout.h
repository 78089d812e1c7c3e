/* layout.h - traces and their diagnoses in, display list out. A pure function: no cairo, no files, no clock.
 *
 * One panel per trace, all on one time scale: host threads on top, then streams, the gaps shaded by what they waited
 * for, the findings numbered and explained below.
 */
#ifndef CUGANTT_LAYOUT_H
#define CUGANTT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "diagnose/critical.h"
#include "diagnose/diagnose.h"
#include "scene.h"
#include "timeline/error.h"
#include "timeline/model.h"

/* Width in px of a text in a style: pango in production, fixed widths in tests. */
struct text_measure {
    double (*width)(void *context, enum text_style style, const char *text);
    void *context;
};

#define LAYOUT_AUTO INT64_MIN              /* window bound: where the trace begins or ends */
#define LAYOUT_DEFAULT_STREAM (UINT32_MAX - 1) /* in a list of streams: the legacy default stream */

struct layout_trace {
    const struct model *model;
    const struct diagnosis *diagnosis;
    const struct critical_path *critical; /* NULL: not drawn */
    const char *path;  /* shown in the footer */
    const char *label; /* which of several processes this is: "rank 1"; NULL */
    int64_t begin_ns, end_ns; /* what the axis counts from, and where the window ends by default: the model's own, or the
                                 same for all traces of one run */
};

struct layout_request {
    const struct layout_trace *traces; /* one panel each */
    uint32_t trace_count;
    double width;            /* px */
    int64_t from_ns, to_ns;  /* window, counted from the first operation; LAYOUT_AUTO */
    const uint32_t *streams; /* ids to draw, or LAYOUT_DEFAULT_STREAM */
    uint32_t stream_count;   /* 0: all */
    const char *title;       /* NULL: each trace's own */
    const char *version;     /* of cugantt, for the footer */
    const struct text_measure *measure;
};

/* Fills the scene that scene_init() set; its texts live in its arena. False if a trace has no GPU work to show. */
bool layout_figure(const struct layout_request *request, struct scene *scene, struct error *err);

/* The same figure's other view, of traces of `cugantt run probe`: rates of copies against their size. False if a trace has none. */
bool layout_bandwidth(const struct layout_request *request, struct scene *scene, struct error *err);

/* What the figure is about: the request's title, or the first trace's own. */
const char *layout_title(const struct layout_request *request);

/* True if the request lets the stream be drawn. */
bool layout_wants_stream(const struct layout_request *request, const struct lane *lane);

#endif
