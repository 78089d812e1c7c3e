#include "drawing.h"

#include <math.h>
#include <stdlib.h>

#include "recipe.h"

static double fixed_width(void *context, enum text_style style, const char *text)
{
    (void)context;
    size_t characters = 0;
    for (const char *c = text; *c != '\0'; c++)
        characters += ((unsigned char)*c & 0xc0) != 0x80;
    return 0.55 * text_size(style) * (double)characters;
}

const struct text_measure drawing_measure = {fixed_width, NULL};

void drawing_init(struct drawing *d, const char *recipe)
{
    *d = (struct drawing){.model = recipe_model(recipe)};
    arena_init(&d->arena);
    diagnose(d->model, &d->arena, &d->diagnosis);
    d->trace = (struct layout_trace){.model = d->model,
                                     .diagnosis = &d->diagnosis,
                                     .path = "dir/test.cgt",
                                     .begin_ns = d->model->begin_ns,
                                     .end_ns = d->model->end_ns};
    d->request = (struct layout_request){.traces = &d->trace,
                                         .trace_count = 1,
                                         .width = 1600,
                                         .from_ns = LAYOUT_AUTO,
                                         .to_ns = LAYOUT_AUTO,
                                         .version = "0",
                                         .measure = &drawing_measure};
}

void drawing_finish(struct drawing *d)
{
    arena_finish(&d->arena);
    model_destroy(d->model);
}

void drawing_draw(struct drawing *d)
{
    struct error err = {0};
    d->request.traces = &d->trace;
    scene_init(&d->scene, &d->arena);
    if (!layout_figure(&d->request, &d->scene, &err))
        fail_msg("%s", err.what);
}

const char *drawing_text(struct drawing *d)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    scene_print(&d->scene, file);
    fclose(file);
    const char *copy = arena_strdup(&d->arena, text);
    free(text);
    return copy;
}

struct text_box drawing_box(const struct scene_op *op)
{
    static const double before[] = {[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1};
    if (op->kind == SCENE_BADGE)
        return (struct text_box){op->x - op->w, op->y - op->w, op->x + op->w, op->y + op->w};
    double width = fixed_width(NULL, op->style, op->text), size = text_size(op->style);
    if (op->w > 0)
        width = fmin(width, op->w);
    double left = op->x - before[op->anchor] * width;
    return (struct text_box){left, op->y - 0.75 * size, left + width, op->y + 0.2 * size};
}
