/* Which lanes a panel draws, where, and what they are called. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "panel.h"

enum {
    THREADS_DRAWN = 6,
    LOOK_BACK = 256, /* spans before the window that may still reach into it */
    GROUP_HEIGHT = 26,
};

/* Heights in px by how many rows there are. */
static const struct row_metrics {
    uint32_t rows;
    double height, thread_bar, gap;
} metrics_table[] = {{14, 30, 20, 10}, {26, 24, 16, 7}, {UINT32_MAX, 17, 12, 5}};

static const struct row_metrics *row_metrics(const struct panel *panel)
{
    const struct row_metrics *metrics = metrics_table;
    while (panel->row_count > metrics->rows)
        metrics++;
    return metrics;
}

/* First span of [first, last) that begins at or after the time. */
static uint32_t first_from(const struct span *spans, uint32_t first, uint32_t last, int64_t time_ns)
{
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (spans[middle].begin_ns < time_ns)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static void find_spans(const struct panel *panel, struct row *row)
{
    const struct span *spans = panel->model->spans;
    const struct lane *lane = &panel->model->lanes[row->lane];
    uint32_t end = lane->first + lane->count;
    uint32_t from = first_from(spans, lane->first, end, panel->scale.begin_ns);
    row->last = first_from(spans, from, end, panel->scale.end_ns + 1);
    row->first = from;
    /* what is around everything else began long ago */
    bool is_near = from - lane->first <= LOOK_BACK || lane->kind == LANE_RANGE;
    uint32_t stop = is_near ? lane->first : from - LOOK_BACK;
    for (uint32_t i = from; i-- > stop;)
        if (spans[i].end_ns > panel->scale.begin_ns)
            row->first = i;
}

bool layout_wants_stream(const struct layout_request *request, const struct lane *lane)
{
    if (request->stream_count == 0)
        return true;
    for (uint32_t i = 0; i < request->stream_count; i++) {
        uint32_t id = request->streams[i];
        if (id == lane->id || (id == LAYOUT_DEFAULT_STREAM && lane->stream_flag == CGT_STREAM_NULL))
            return true;
    }
    return false;
}

bool row_candidate(const struct panel *panel, uint32_t lane_index, enum lane_kind kind, struct row *row)
{
    const struct lane *lane = &panel->model->lanes[lane_index];
    *row = (struct row){.lane = lane_index};
    if (lane->kind != kind || (kind == LANE_STREAM && !layout_wants_stream(panel->figure->request, lane)))
        return false;
    find_spans(panel, row);
    return row->first < row->last;
}

/* Adds the drawn streams, and counts what each thread issued to them. */
static void add_streams(struct panel *panel, uint64_t *issued)
{
    const struct model *model = panel->model;
    struct row row;
    for (uint32_t lane = 0; lane < model->lane_count; lane++) {
        if (!row_candidate(panel, lane, LANE_STREAM, &row))
            continue;
        panel->rows[panel->row_count++] = row;
        for (uint32_t i = row.first; i < row.last; i++)
            if (model->spans[i].peer != MODEL_NONE)
                issued[model->spans[model->spans[i].peer].lane]++;
    }
}

/* Of the candidates in `threads`, the one that issued most; its place is then taken. */
static uint32_t take_busiest(const struct row *threads, uint32_t count, const uint64_t *issued, bool *taken)
{
    uint32_t best = MODEL_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (!taken[i] && (best == MODEL_NONE || issued[threads[i].lane] > issued[threads[best].lane]))
            best = i;
    taken[best] = true;
    return best;
}

/* Adds the drawn threads behind the streams. */
static void add_threads(struct panel *panel, const uint64_t *issued)
{
    struct arena *arena = panel->figure->arena;
    uint32_t count = 0;
    struct row *threads = ARENA_NEW(arena, struct row, panel->model->lane_count);
    for (uint32_t lane = 0; lane < panel->model->lane_count; lane++)
        count += row_candidate(panel, lane, LANE_THREAD, &threads[count]);
    bool *taken = ARENA_NEW(arena, bool, count);
    uint32_t drawn = count < THREADS_DRAWN ? count : THREADS_DRAWN;
    for (uint32_t i = 0; i < drawn; i++)
        take_busiest(threads, count, issued, taken);
    for (uint32_t i = 0; i < count; i++)
        if (taken[i])
            panel->rows[panel->row_count++] = threads[i];
    panel->hidden_threads = count - drawn;
}

/* Threads were added last and go first. */
static void rotate_threads_to_front(struct panel *panel, uint32_t stream_count)
{
    uint32_t thread_count = panel->row_count - stream_count;
    struct row *rows = ARENA_NEW(panel->figure->arena, struct row, panel->row_count);
    memcpy(rows, panel->rows + stream_count, thread_count * sizeof *rows);
    memcpy(rows + thread_count, panel->rows, stream_count * sizeof *rows);
    panel->rows = rows;
}

static void name_thread(const struct panel *panel, struct row *row, bool is_only)
{
    const struct lane *lane = &panel->model->lanes[row->lane];
    char name[128];
    row->name = is_only ? "host thread" : arena_strdup(panel->figure->arena, model_lane_name(panel->model, row->lane,
                                                                                               name, sizeof name));
    row->kind = lane->name[0] == '\0' || is_only ? "CUDA calls" : lane->name;
}

static void name_ranges(const struct panel *panel, struct row *row, bool is_only)
{
    const struct lane *lane = &panel->model->lanes[row->lane];
    row->name = lane->name[0] != '\0' ? lane->name : "ranges";
    /* other tools have ranges of their own making too */
    const char *maker = model_property(panel->model, lane->process, "source")[0] != '\0' ? "annotations" : "NVTX";
    row->kind = is_only ? maker : arena_printf(panel->figure->arena, "%s, thread %u", maker, lane->id);
}

static const char *stream_kind(const struct panel *panel, const struct lane *lane)
{
    static const char *const kinds[] = {
        [CGT_STREAM_UNKNOWN] = "",
        [CGT_STREAM_BLOCKING] = "blocking",
        [CGT_STREAM_NON_BLOCKING] = "non-blocking",
        [CGT_STREAM_NULL] = "default (legacy)",
    };
    const char *kind = lane->stream_flag <= CGT_STREAM_NULL ? kinds[lane->stream_flag] : "";
    if (lane->per_thread)
        kind = "per-thread default";
    if (lane->priority == 0)
        return kind;
    return arena_printf(panel->figure->arena, "%s%spriority %d", kind, *kind == '\0' ? "" : ", ", lane->priority);
}

static void name_stream(const struct panel *panel, struct row *row)
{
    const struct lane *lane = &panel->model->lanes[row->lane];
    row->name = panel->model->process_count > 1
                    ? arena_printf(panel->figure->arena, "%u:stream %u", lane->process, lane->id)
                    : arena_printf(panel->figure->arena, "stream %u", lane->id);
    row->kind = stream_kind(panel, lane);
}

static const char *device_name(const struct model *model, const struct lane *lane)
{
    for (uint32_t i = 0; i < model->device_count; i++)
        if (model->devices[i].process == lane->process && model->devices[i].info.id == lane->device)
            return model->devices[i].name;
    return "";
}

/* Streams of several devices get a heading where the device changes. */
static void name_groups(struct panel *panel, uint32_t first_stream)
{
    const struct lane *lanes = panel->model->lanes;
    const struct row *rows = panel->rows;
    bool is_one_device = true;
    for (uint32_t i = first_stream + 1; i < panel->row_count; i++)
        is_one_device &= lanes[rows[i].lane].device == lanes[rows[first_stream].lane].device;
    for (uint32_t i = first_stream; i < panel->row_count && !is_one_device; i++) {
        const struct lane *lane = &lanes[rows[i].lane];
        const char *name = device_name(panel->model, lane);
        if (i == first_stream || lanes[rows[i - 1].lane].device != lane->device)
            panel->rows[i].group = arena_printf(panel->figure->arena, "GPU %u%s%s", lane->device,
                                                name[0] != '\0' ? " · " : "", name);
    }
}

static void name_rows(struct panel *panel, uint32_t thread_count)
{
    const struct lane *lanes = panel->model->lanes;
    bool is_only = true; /* all of them are of one thread */
    for (uint32_t i = 1; i < thread_count; i++)
        is_only &= lanes[panel->rows[i].lane].id == lanes[panel->rows[0].lane].id &&
                   lanes[panel->rows[i].lane].process == lanes[panel->rows[0].lane].process;
    for (uint32_t i = 0; i < thread_count; i++)
        (lanes[panel->rows[i].lane].kind == LANE_RANGE ? name_ranges : name_thread)(panel, &panel->rows[i], is_only);
    for (uint32_t i = thread_count; i < panel->row_count; i++)
        name_stream(panel, &panel->rows[i]);
    name_groups(panel, thread_count);
}

bool rows_choose(struct panel *panel)
{
    struct arena *arena = panel->figure->arena;
    uint32_t lane_count = panel->model->lane_count;
    panel->rows = ARENA_NEW(arena, struct row, lane_count);
    panel->row_of_lane = ARENA_NEW(arena, uint32_t, lane_count);
    uint64_t *issued = ARENA_NEW(arena, uint64_t, lane_count);
    add_streams(panel, issued);
    uint32_t stream_count = panel->row_count;
    if (stream_count == 0)
        return false;
    add_threads(panel, issued);
    rotate_threads_to_front(panel, stream_count);
    uint32_t thread_count = panel->row_count - stream_count;
    ranges_insert(panel, &thread_count);
    memset(panel->row_of_lane, 0xff, lane_count * sizeof *panel->row_of_lane);
    for (uint32_t i = 0; i < panel->row_count; i++)
        panel->row_of_lane[panel->rows[i].lane] = i;
    name_rows(panel, thread_count);
    return true;
}

/* Both labels on one line where rows are too low for two. */
static bool has_two_lines(const struct panel *panel)
{
    return row_metrics(panel) == metrics_table;
}

double rows_label_width(const struct panel *panel)
{
    const struct figure *figure = panel->figure;
    double widest = 0;
    for (uint32_t i = 0; i < panel->row_count; i++) {
        double name = figure_text_width(figure, TEXT_LANE, panel->rows[i].name);
        double kind = figure_text_width(figure, TEXT_LANE_KIND, panel->rows[i].kind);
        widest = fmax(widest, has_two_lines(panel) ? fmax(name, kind) : name + 8 + kind);
    }
    return widest;
}

/* Spans that overlap by half a pixel or more get different sub-rows. */
static void partition(const struct panel *panel, struct row *row)
{
    double ends[ROW_SUBROWS];
    row->subrow = ARENA_NEW(panel->figure->arena, uint8_t, row->last - row->first);
    row->subrow_count = 0;
    for (uint32_t i = row->first; i < row->last; i++) {
        const struct span *span = &panel->model->spans[i];
        double begin = scale_x(&panel->scale, span->begin_ns), end = scale_x(&panel->scale, span->end_ns);
        uint32_t s = 0;
        while (s < row->subrow_count && ends[s] > begin + 0.5)
            s++;
        if (s == ROW_SUBROWS)
            s = ROW_SUBROWS - 1;
        else if (s == row->subrow_count)
            ends[row->subrow_count++] = end;
        ends[s] = fmax(ends[s], end);
        row->subrow[i - row->first] = (uint8_t)s;
    }
}

static void place_row(const struct panel *panel, struct row *row, double y)
{
    const struct row_metrics *metrics = row_metrics(panel);
    enum lane_kind kind = panel->model->lanes[row->lane].kind;
    double bar = kind == LANE_STREAM ? metrics->height : metrics->thread_bar;
    if (row->subrow_count > 1)
        bar = fmax(11, round((kind == LANE_RANGE ? 0.8 : 0.6) * bar)); /* ranges are there for their texts */
    double bars = row->subrow_count * (bar + 1) - 1;
    row->top = y;
    row->height = fmax(bars, metrics->height);
    row->bar_height = bar;
    row->bar_pitch = bar + 1;
    row->bar_top = y + round((row->height - bars) / 2);
}

void rows_place(struct panel *panel)
{
    double gap = row_metrics(panel)->gap, y = panel->figure->y + gap;
    panel->rows_top = panel->figure->y;
    for (uint32_t i = 0; i < panel->row_count; i++) {
        struct row *row = &panel->rows[i];
        partition(panel, row);
        if (row->group != NULL)
            y += GROUP_HEIGHT;
        place_row(panel, row, y);
        y = row->top + row->height + gap;
    }
    panel->rows_bottom = y;
    panel->figure->y = y;
}

static void draw_label(const struct panel *panel, const struct row *row)
{
    struct figure *figure = panel->figure;
    double x = panel->scale.left - 14, middle = row->top + row->height / 2, room = x - figure->left;
    bool two_lines = has_two_lines(panel) && row->kind[0] != '\0';
    struct text_spot name = {x, figure_baseline(two_lines ? middle - 7 : middle, TEXT_LANE), TEXT_LANE, SLOT_TEXT,
                             ANCHOR_END, room};
    double width = figure_text(figure, &name, row->name);
    struct text_spot kind = {x, figure_baseline(middle + 8.5, TEXT_LANE_KIND), TEXT_LANE_KIND, SLOT_MUTED, ANCHOR_END,
                             room};
    if (!two_lines) {
        kind.x -= width + 8;
        kind.y = name.y;
        kind.max_width = room - width - 8;
    }
    if (row->kind[0] != '\0' && kind.max_width > 20)
        figure_text(figure, &kind, row->kind);
}

/* Above the row, on a ground of its own: grid lines run there. */
static void draw_group(const struct panel *panel, const struct row *row)
{
    struct figure *figure = panel->figure;
    struct text_spot spot = {.x = figure->left, .y = row->top - 9, .style = TEXT_LANE, .slot = SLOT_MUTED};
    struct box box = figure_text_box(&spot, figure_text_width(figure, TEXT_LANE, row->group));
    figure_rect(figure, SLOT_PAGE, (struct box){box.left, box.top - 2, box.right + 6, box.bottom + 1});
    figure_text(figure, &spot, row->group);
}

void rows_draw(const struct panel *panel)
{
    for (uint32_t i = 0; i < panel->row_count; i++) {
        const struct row *row = &panel->rows[i];
        figure_rect(panel->figure, SLOT_LANE,
                    (struct box){panel->scale.left, row->top, panel->scale.right, row->top + row->height});
    }
}

void rows_label(const struct panel *panel)
{
    for (uint32_t i = 0; i < panel->row_count; i++) {
        draw_label(panel, &panel->rows[i]);
        if (panel->rows[i].group != NULL)
            draw_group(panel, &panel->rows[i]);
    }
}
