#include "figure.h"

#include <math.h>
#include <string.h>

enum { MOST_HELD = 40 }; /* bytes that are kept on one line */

void figure_begin(struct figure *figure, const struct layout_request *request, struct scene *scene)
{
    *figure = (struct figure){.request = request,
                              .scene = scene,
                              .arena = scene->arena,
                              .taken = {.arena = scene->arena},
                              .left = FIGURE_MARGIN,
                              .right = request->width - FIGURE_MARGIN,
                              .y = FIGURE_MARGIN};
    scene->width = request->width;
    scene_add(scene, (struct scene_op){.kind = SCENE_RECT, .slot = SLOT_PAGE, .w = scene->width});
}

void figure_end(struct figure *figure)
{
    struct scene *scene = figure->scene;
    scene->height = ceil(figure->y + FIGURE_MARGIN / 2.0);
    scene->ops[0].h = scene->height; /* the page */
}

double figure_text_width(const struct figure *figure, enum text_style style, const char *text)
{
    const struct text_measure *measure = figure->request->measure;
    return measure->width(measure->context, style, text);
}

struct box figure_text_box(const struct text_spot *spot, double width)
{
    double left = spot->x;
    if (spot->anchor == ANCHOR_MIDDLE)
        left -= width / 2;
    else if (spot->anchor == ANCHOR_END)
        left -= width;
    double size = text_size(spot->style);
    return (struct box){left, spot->y - 0.8 * size, left + width, spot->y + 0.25 * size};
}

double figure_text(struct figure *figure, const struct text_spot *spot, const char *text)
{
    double width = figure_text_width(figure, spot->style, text);
    bool cut = spot->max_width > 0 && width > spot->max_width;
    if (cut)
        width = spot->max_width;
    boxes_add(&figure->taken, figure_text_box(spot, width));
    scene_add(figure->scene, (struct scene_op){.kind = SCENE_TEXT,
                                               .slot = spot->slot,
                                               .style = spot->style,
                                               .anchor = spot->anchor,
                                               .x = spot->x,
                                               .y = spot->y,
                                               .w = cut ? spot->max_width : 0,
                                               .text = arena_strdup(figure->arena, text)});
    return width;
}

double figure_baseline(double middle_y, enum text_style style)
{
    return middle_y + 0.36 * text_size(style);
}

void figure_rect(struct figure *figure, enum slot slot, struct box box)
{
    scene_add(figure->scene, (struct scene_op){.kind = SCENE_RECT,
                                               .slot = slot,
                                               .x = box.left,
                                               .y = box.top,
                                               .w = box.right - box.left,
                                               .h = box.bottom - box.top});
}

void figure_badge(struct figure *figure, double x, double y, uint32_t number)
{
    double r = FIGURE_BADGE_RADIUS;
    boxes_add(&figure->taken, (struct box){x - r, y - r, x + r, y + r});
    scene_add(figure->scene, (struct scene_op){.kind = SCENE_BADGE,
                                               .slot = SLOT_BADGE,
                                               .x = x,
                                               .y = y,
                                               .w = r,
                                               .text = arena_printf(figure->arena, "%u", number)});
}

static void flow_newline(struct flow *flow)
{
    flow->x = flow->indent;
    flow->y += FIGURE_NOTE_LINE;
}

/* Bytes of the character at `text` (UTF-8). */
static size_t character_bytes(const char *text)
{
    size_t bytes = 1;
    while (((unsigned char)text[bytes] & 0xc0) == 0x80)
        bytes++;
    return bytes;
}

static const char *word_end(const char *text)
{
    text += strspn(text, " ");
    return text + strcspn(text, " ");
}

/* Whether a line had better not end behind this word: numbers stay with what they count and where they belong, as in
 * "4.89 ms" and "stream 14". */
static bool holds_next(const char *word, const char *end)
{
    size_t digits = strspn(word, "0123456789.");
    bool is_number = digits > 0 && word + digits == end && end[-1] != '.';
    return *end != '\0' && (is_number || strspn(end + 1, "0123456789") > 0);
}

/* End of the next piece that may not be broken: words that hold together, or a character if `by_character`. */
static const char *piece_end(const char *text, bool by_character)
{
    if (by_character && *text != ' ')
        return text + character_bytes(text);
    const char *word = text + strspn(text, " "), *end = word_end(word);
    while (holds_next(word, end) && end - text < MOST_HELD) {
        word = end + strspn(end, " ");
        end = word_end(word);
    }
    return end;
}

/* Longest beginning of `text`, in whole pieces, that is at most `room` px wide. */
static size_t fitting_bytes(const struct flow *flow, enum text_style style, const char *text, bool by_character)
{
    size_t fitting = 0;
    char line[1024];
    for (const char *end = piece_end(text, by_character); (size_t)(end - text) < sizeof line;
         end = piece_end(end, by_character)) {
        memcpy(line, text, (size_t)(end - text));
        line[end - text] = '\0';
        if (flow->x + figure_text_width(flow->figure, style, line) > flow->right)
            break;
        fitting = (size_t)(end - text);
        if (*end == '\0')
            break;
    }
    return fitting;
}

/* A word that is wider than a whole line is broken between characters: at least one goes on the line. */
static size_t broken_bytes(const struct flow *flow, enum text_style style, const char *text)
{
    size_t fitting = fitting_bytes(flow, style, text, true);
    return fitting > 0 ? fitting : character_bytes(text);
}

void flow_text(struct flow *flow, enum text_style style, enum slot slot, const char *text)
{
    while (*(text += strspn(text, " ")) != '\0') {
        size_t bytes = fitting_bytes(flow, style, text, false);
        if (bytes == 0 && flow->x > flow->indent) {
            flow_newline(flow);
            continue;
        }
        if (bytes == 0)
            bytes = broken_bytes(flow, style, text);
        char *line = arena_printf(flow->figure->arena, "%.*s", (int)bytes, text);
        struct text_spot spot = {.x = flow->x, .y = flow->y, .style = style, .slot = slot};
        flow->x += figure_text(flow->figure, &spot, line);
        text += bytes;
        if (*text != '\0')
            flow_newline(flow);
    }
    flow->x += figure_text_width(flow->figure, style, "n");
}
