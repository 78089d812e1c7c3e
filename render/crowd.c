#include <math.h>

#include "bars.h"
#include "looks.h"

enum {
    LONE_PX = 2,   /* so narrow a run is drawn like a single span: a low one looks like a flaw of the bar beside it */
};

/* Heights are told apart to a quarter of a pixel: equal neighbours become one rectangle. */
static const double HEIGHT_STEP = 0.25;

/* What a span of no length at all adds, so that its column has a colour. */
static const float TRACE_OF_SPAN = 1e-5F;

/* One pixel column of a sub-row: what its small spans cover of it. */
struct column {
    float share[SLOT_BAR_COUNT]; /* of the pixel's time, by colour */
    uint32_t begins;             /* spans whose first column this is */
};

struct crowd {
    const struct panel *panel;
    struct column *columns; /* of one sub-row */
    uint32_t count;
    double top, height; /* px: of the bars */
};

/* Columns [first, last), none of them empty. */
struct run {
    uint32_t first, last;
    uint32_t spans;
};

static double column_total(const struct column *column)
{
    double total = 0;
    for (int i = 0; i < SLOT_BAR_COUNT; i++)
        total += column->share[i];
    return total;
}

static void add_span(struct crowd *crowd, struct extent extent, enum slot slot)
{
    double left = extent.left - crowd->panel->scale.left, right = extent.right - crowd->panel->scale.left;
    uint32_t column = (uint32_t)fmin(fmax(left, 0), crowd->count - 1);
    crowd->columns[column].begins++;
    crowd->columns[column].share[slot - SLOT_BAR_FIRST] += TRACE_OF_SPAN;
    for (; column < crowd->count && column < right; column++) {
        double share = fmin(right, column + 1.0) - fmax(left, column);
        crowd->columns[column].share[slot - SLOT_BAR_FIRST] += (float)fmax(share, 0);
    }
}

/* Adds the small spans of a sub-row. */
static bool fill(struct crowd *crowd, const struct row *row, uint32_t subrow)
{
    bool has_any = false;
    struct extent extent;
    for (uint32_t i = row->first; i < row->last; i++) {
        if (row->subrow[i - row->first] != subrow || !span_extent(crowd->panel, i, &extent) ||
            extent.right - extent.left >= BAR_PX)
            continue;
        add_span(crowd, extent, span_look(crowd->panel->model, &crowd->panel->model->spans[i]).fill);
        has_any = true;
    }
    return has_any;
}

static void draw_part(const struct crowd *crowd, enum slot slot, struct box box)
{
    crowd->panel->figure->seen_bar[slot] = true;
    figure_rect(crowd->panel->figure, slot, box);
}

/* Height of a colour in a column; together never more than the bar, and never too little to see. */
static double part_height(const struct crowd *crowd, uint32_t column, int slot)
{
    const struct column *c = &crowd->columns[column];
    double total = column_total(c), share = c->share[slot] / fmax(total, 1);
    if (c->share[slot] <= 0)
        return 0;
    double height = round(share * crowd->height / HEIGHT_STEP) * HEIGHT_STEP;
    return total == c->share[slot] ? fmax(height, 1) : height;
}

static bool same_heights(const struct crowd *crowd, uint32_t a, uint32_t b)
{
    for (int slot = 0; slot < SLOT_BAR_COUNT; slot++)
        if (part_height(crowd, a, slot) != part_height(crowd, b, slot))
            return false;
    return true;
}

/* Draws columns [first, last), which look alike, stacked from the bottom. */
static void draw_columns(const struct crowd *crowd, uint32_t first, uint32_t last)
{
    double left = crowd->panel->scale.left, bottom = crowd->top + crowd->height;
    for (int slot = 0; slot < SLOT_BAR_COUNT; slot++) {
        double height = part_height(crowd, first, slot);
        if (height <= 0)
            continue;
        draw_part(crowd, SLOT_BAR_FIRST + slot, (struct box){left + first, bottom - height, left + last, bottom});
        bottom -= height;
    }
}

static void draw_coverage(const struct crowd *crowd, struct run run)
{
    if (run.spans > run.last - run.first)
        crowd->panel->figure->dense_px += run.last - run.first;
    for (uint32_t i = run.first; i < run.last;) {
        uint32_t next = i + 1;
        while (next < run.last && same_heights(crowd, i, next))
            next++;
        draw_columns(crowd, i, next);
        i = next;
    }
}

/* The colour that covers most of a column. */
static enum slot main_slot(const struct column *column)
{
    int best = 0;
    for (int i = 1; i < SLOT_BAR_COUNT; i++)
        if (column->share[i] > column->share[best])
            best = i;
    return SLOT_BAR_FIRST + best;
}

/* A small span with nothing beside it. */
static void draw_lone(const struct crowd *crowd, struct run run)
{
    double total = 0, left = crowd->panel->scale.left + run.first;
    for (uint32_t i = run.first; i < run.last; i++)
        total += column_total(&crowd->columns[i]);
    double width = fmax(round(total), 1);
    if (width < run.last - run.first && column_total(&crowd->columns[run.first]) < 0.5)
        left += 1;
    draw_part(crowd, main_slot(&crowd->columns[run.first]), (struct box){left, crowd->top, left + width,
                                                                          crowd->top + crowd->height});
}

static void draw_runs(const struct crowd *crowd)
{
    struct run run = {0};
    for (; run.first < crowd->count; run.first = run.last + 1) {
        run.spans = 0;
        for (run.last = run.first; run.last < crowd->count && column_total(&crowd->columns[run.last]) > 0; run.last++)
            run.spans += crowd->columns[run.last].begins;
        if (run.last > run.first && (run.spans == 1 || run.last - run.first <= LONE_PX))
            draw_lone(crowd, run);
        else if (run.last > run.first)
            draw_coverage(crowd, run);
    }
}

void crowd_draw(const struct panel *panel, const struct row *row)
{
    struct arena scratch;
    arena_init(&scratch);
    for (uint32_t subrow = 0; subrow < row->subrow_count; subrow++) {
        struct crowd crowd = {.panel = panel, .count = (uint32_t)ceil(panel->scale.right - panel->scale.left) + 1};
        crowd.columns = ARENA_NEW(&scratch, struct column, crowd.count);
        crowd.top = row->bar_top + subrow * row->bar_pitch;
        crowd.height = row->bar_height;
        if (fill(&crowd, row, subrow))
            draw_runs(&crowd);
    }
    arena_finish(&scratch);
}
