/* panel.h - one trace in a figure: its rows, its window, the findings it shows. Internal to the layout. */
#ifndef CUGANTT_PANEL_H
#define CUGANTT_PANEL_H

#include "figure.h"
#include "scale.h"

enum {
    PANEL_FINDINGS = 5, /* at most so many are numbered */
    PANEL_PLACES = 2,   /* badges per finding */
    ROW_SUBROWS = 8,    /* more spans than that at one time share the last one */
};

/* A lane that is drawn. */
struct row {
    uint32_t lane;
    uint32_t first, last;  /* its spans that may touch the window: [first, last) of model->spans */
    uint8_t *subrow;       /* of each of them */
    uint32_t subrow_count;
    const char *name, *kind; /* label; smaller second label, may be "" */
    const char *group;       /* heading above it (device); NULL */
    double top, height;      /* px: background */
    double bar_top, bar_height, bar_pitch; /* px: bars of the first sub-row; from one sub-row to the next */
};

/* One direction of a device's PCIe link. */
struct strip {
    const struct bus *bus;
    enum bus_direction direction;
    const char *name, *kind;  /* label; smaller second label */
    double top_bytes_per_ns;  /* rate at the top */
    double top, height;       /* px, of full rate */
};

/* A finding with the places where it is marked. */
struct shown_finding {
    const struct finding *finding;
    struct place places[PANEL_PLACES];
    uint32_t place_count;
};

struct panel {
    struct figure *figure;
    const struct layout_trace *trace;
    const struct model *model;
    struct scale scale;
    struct row *rows;
    uint32_t row_count;
    uint32_t *row_of_lane; /* MODEL_NONE: not drawn */
    uint32_t hidden_threads;
    struct strip *strips; /* below the rows */
    uint32_t strip_count;
    double rows_top, rows_bottom; /* px */
    struct shown_finding shown[PANEL_FINDINGS];
    uint32_t shown_count;
};

/* Chooses window and rows. False if there is no GPU work to show. */
bool panel_init(struct panel *panel, struct figure *figure, const struct layout_trace *trace, struct error *err);

/* Draws it at figure->y, once scale.left, right and px_per_ns are set, and moves figure->y below it. */
void panel_draw(struct panel *panel);

/* The parts of a panel, in the order in which they are called; each has a file. */
bool rows_choose(struct panel *panel);
void ranges_insert(struct panel *panel, uint32_t *thread_count); /* rows of NVTX ranges; counts them in */
double rows_label_width(const struct panel *panel);
void findings_choose(struct panel *panel);
void heading_draw(struct panel *panel);
void rows_place(struct panel *panel);
void rows_draw(const struct panel *panel); /* backgrounds */
void axis_draw(const struct panel *panel);
void rows_label(const struct panel *panel);
void strips_choose(struct panel *panel);
double strips_label_width(const struct panel *panel);
void strips_place(struct panel *panel);        /* below the rows, which reach down to the last strip then */
void strips_ground(const struct panel *panel); /* backgrounds */
void strips_draw(const struct panel *panel);
void strips_label(const struct panel *panel);
void pauses_draw(const struct panel *panel);
void gaps_draw(const struct panel *panel);
void bars_draw(const struct panel *panel);
void critical_draw(const struct panel *panel);
void marks_draw(const struct panel *panel); /* arrows and badges */
void bars_label(const struct panel *panel); /* last, where there is room */
void notes_draw(const struct panel *panel);

/* A row for the lane, if it is of the kind, wanted, and has spans in the window. */
bool row_candidate(const struct panel *panel, uint32_t lane, enum lane_kind kind, struct row *ret_row);

/* Top of the bar of a span of the row; the span must be one of [first, last). */
double row_bar_top(const struct row *row, uint32_t span);

/* The row that draws the span; NULL if none does or the span lies outside the window. */
const struct row *panel_row_of(const struct panel *panel, uint32_t span);

/* What the gaps of a lane waited for, in order of time. */
static inline const struct piece_list *panel_pieces(const struct panel *panel, uint32_t lane)
{
    static const struct piece_list none;
    return lane < panel->trace->diagnosis->lane_count ? &panel->trace->diagnosis->pieces[lane] : &none;
}

static inline bool panel_shows(const struct panel *panel, int64_t begin_ns, int64_t end_ns)
{
    return end_ns >= panel->scale.begin_ns && begin_ns <= panel->scale.end_ns;
}

#endif
