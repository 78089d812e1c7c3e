#include "legend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "looks.h"

enum {
    LEGEND_LINE = 26, /* px */
    FOOT_LINE = 17,
    CROWD_PX = 16, /* so many columns with more than one operation are explained */
    SWATCH_WIDTH = 26,
    SWATCH_HEIGHT = 14,
    ENTRY_GAP = 24,   /* px from one entry to the next */
};

/* Where the next entry goes. */
struct legend {
    struct figure *figure;
    double x, y;
};

/* Returns where its swatch begins. */
static double draw_entry(struct legend *legend, struct scene_op swatch, const char *words)
{
    struct figure *figure = legend->figure;
    double width = SWATCH_WIDTH + 8 + figure_text_width(figure, TEXT_LEGEND, words);
    if (legend->x > figure->left && legend->x + width > figure->right) {
        legend->x = figure->left;
        legend->y += LEGEND_LINE;
    }
    swatch.x = legend->x;
    swatch.y = legend->y - SWATCH_HEIGHT / 2.0;
    swatch.w = SWATCH_WIDTH;
    swatch.h = SWATCH_HEIGHT;
    scene_add(figure->scene, swatch);
    struct text_spot spot = {legend->x + SWATCH_WIDTH + 8, figure_baseline(legend->y, TEXT_LEGEND), TEXT_LEGEND,
                             SLOT_MUTED, ANCHOR_START, 0};
    figure_text(figure, &spot, words);
    legend->x += width + ENTRY_GAP;
    return swatch.x;
}

/* A colour of which staged copies were drawn stands for the hatching. */
static void draw_staged(struct legend *legend)
{
    const bool *seen = legend->figure->seen_bar;
    enum slot slot = seen[SLOT_HTOD] || !seen[SLOT_DTOH] ? SLOT_HTOD : SLOT_DTOH;
    draw_entry(legend, (struct scene_op){.kind = SCENE_RECT, .slot = slot, .ink = SLOT_STAGED_INK,
                                         .pattern = PATTERN_HATCH}, "staged (pageable memory)");
}

/* Three columns of different height in place of a swatch. */
static void draw_dense(struct legend *legend)
{
    static const double heights[] = {0.45, 0.9, 0.65};
    double x = draw_entry(legend, (struct scene_op){.kind = SCENE_RECT, .slot = SLOT_LANE},
                          "many operations: height = share of time");
    double bottom = legend->y + SWATCH_HEIGHT / 2.0;
    for (int i = 0; i < 3; i++, x += 6)
        figure_rect(legend->figure, SLOT_KERNEL,
                    (struct box){x + 4, bottom - heights[i] * SWATCH_HEIGHT, x + 10, bottom});
}

/* A line, as thick as it is drawn. */
static void draw_critical(struct legend *legend)
{
    double x = draw_entry(legend, (struct scene_op){.kind = SCENE_RECT, .slot = SLOT_LANE}, "critical path");
    figure_rect(legend->figure, SLOT_CRITICAL, (struct box){x, legend->y - 2, x + SWATCH_WIDTH, legend->y + 2});
}

static void draw_gaps(struct legend *legend)
{
    struct gap_look look;
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        if (legend->figure->seen_gap[cause] && gap_look(cause, &look))
            draw_entry(legend, (struct scene_op){.kind = SCENE_RECT, .slot = look.slot, .ink = SLOT_GAP_INK,
                                                 .pattern = look.pattern}, look.words);
}

void legend_draw(struct figure *figure)
{
    struct legend legend = {figure, figure->left, figure->y + LEGEND_LINE / 2.0};
    for (int slot = SLOT_BAR_FIRST; slot < SLOT_BAR_FIRST + SLOT_BAR_COUNT; slot++) {
        if (slot == SLOT_CALL && figure->seen_staged)
            draw_staged(&legend);
        if (figure->seen_bar[slot])
            draw_entry(&legend, (struct scene_op){.kind = SCENE_RECT, .slot = (uint8_t)slot}, bar_words(slot));
    }
    if (figure->dense_px >= CROWD_PX)
        draw_dense(&legend);
    draw_gaps(&legend);
    if (figure->seen_critical)
        draw_critical(&legend);
    if (figure->seen_pause)
        draw_entry(&legend, pause_look(), "not recorded, on purpose");
    if (figure->seen_unsampled && !figure->seen_pause)
        draw_entry(&legend, (struct scene_op){.kind = SCENE_RECT, .slot = SLOT_PAUSE}, "link not sampled");
    figure->y = legend.y + LEGEND_LINE / 2.0;
}

static void add_loss(char *text, size_t size, const char *what, uint64_t count)
{
    size_t length = strlen(text);
    if (count > 0)
        snprintf(text + length, size - length, "%s%" PRIu64 " %s", length > 0 ? ", " : "Incomplete: ", count, what);
}

static void loss_text(const struct loss *loss, char *text, size_t size)
{
    text[0] = '\0';
    add_loss(text, size, "records dropped", loss->dropped);
    add_loss(text, size, "samples of the PCIe link lost", loss->samples);
    add_loss(text, size, "operations without usable times", loss->invalid);
    add_loss(text, size, "operations without their call", loss->unmatched);
    add_loss(text, size, "damaged or unknown blocks skipped", loss->skipped_blocks);
    add_loss(text, size, "events of the file unreadable", loss->malformed);
    add_loss(text, size, "bytes cut off at the end", loss->truncated_bytes);
    size_t length = strlen(text);
    if (loss->unfinished)
        snprintf(text + length, size - length, "%sthe recording did not finish", length > 0 ? ", " : "Incomplete: ");
}

static void draw_foot_line(struct figure *figure, enum slot slot, const char *text)
{
    struct text_spot spot = {figure->left, figure_baseline(figure->y + FOOT_LINE / 2.0, TEXT_FOOT), TEXT_FOOT, slot,
                             ANCHOR_START, figure->right - figure->left};
    figure_text(figure, &spot, text);
    figure->y += FOOT_LINE;
}

/* What is behind the last slash before `end`. */
static const char *base_name(const char *path, const char *end)
{
    const char *base = path;
    for (const char *c = path; c < end; c++)
        if (*c == '/')
            base = c + 1;
    return base;
}

static const char *file_name(const char *path)
{
    return base_name(path, path + strlen(path));
}

/* File, command without the program's directory, which says nothing to others, and who drew it. */
static void draw_provenance(struct figure *figure, const struct layout_trace *trace)
{
    const char *command = model_property(trace->model, 0, "command");
    command = base_name(command, command + strcspn(command, " "));
    draw_foot_line(figure, SLOT_MUTED,
                   arena_printf(figure->arena, "%s%s%s · cugantt %s", file_name(trace->path),
                                command[0] != '\0' ? " · " : "", command, figure->request->version));
}

void footer_draw(struct figure *figure)
{
    char loss[256];
    figure->y += 6;
    for (uint32_t i = 0; i < figure->request->trace_count; i++) {
        const struct layout_trace *trace = &figure->request->traces[i];
        loss_text(&trace->model->loss, loss, sizeof loss);
        if (loss[0] != '\0')
            draw_foot_line(figure, SLOT_WARNING, arena_printf(figure->arena, "%s: %s", file_name(trace->path), loss));
        draw_provenance(figure, trace);
    }
}
