#include "scene.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    double size;
    int weight;
} text_styles[TEXT_STYLE_COUNT] = {
#define X(id, name, size, weight) {name, size, weight},
    TEXT_STYLES(X)
#undef X
};

static const char *const pattern_names[PATTERN_COUNT] = {"plain", "hatch", "dots", "slants", "rules", "crosses"};

void scene_init(struct scene *scene, struct arena *arena)
{
    *scene = (struct scene){.arena = arena};
}

void scene_add(struct scene *scene, struct scene_op op)
{
    if (scene->count == scene->capacity) {
        uint32_t capacity = scene->capacity == 0 ? 256 : 2 * scene->capacity;
        struct scene_op *ops = ARENA_NEW(scene->arena, struct scene_op, capacity);
        if (scene->count > 0)
            memcpy(ops, scene->ops, scene->count * sizeof *ops);
        scene->ops = ops;
        scene->capacity = capacity;
    }
    scene->ops[scene->count++] = op;
}

void scene_arrow_points(const struct scene_op *op, struct point ret_points[4])
{
    double end_x = op->x + op->w, end_y = op->y + op->h;
    ret_points[0] = (struct point){op->x, op->y};
    ret_points[1] = (struct point){op->x + op->bend, op->y};
    ret_points[2] = (struct point){end_x - op->bend, end_y};
    ret_points[3] = (struct point){end_x, end_y};
}

/* Rounded, and never "-0.00". */
static double hundredths(double value)
{
    return round(value * 100) / 100 + 0.0;
}

static void print_numbers(FILE *file, const double *values, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, " %.2f", hundredths(values[i]));
}

static void print_op(FILE *file, const struct scene_op *op)
{
    static const char *const kinds[] = {"rect", "line", "arrow", "badge", "text"};
    static const char *const anchors[] = {"start", "middle", "end"};
    static const int numbers[] = {4, 4, 5, 3, 3};
    double values[] = {op->x, op->y, op->w, op->h, op->bend};
    fprintf(file, "%s %s", kinds[op->kind], palette_name(op->slot));
    print_numbers(file, values, numbers[op->kind]);
    if (op->kind == SCENE_LINE && op->bend > 0)
        print_numbers(file, &op->bend, 1);
    if (op->kind == SCENE_LINE && op->pattern != PATTERN_NONE)
        fputs(" dashed", file);
    if (op->kind == SCENE_RECT && op->pattern != PATTERN_NONE)
        fprintf(file, " %s %s", pattern_names[op->pattern], palette_name(op->ink));
    if (op->kind == SCENE_TEXT)
        fprintf(file, " %s %s", text_styles[op->style].name, anchors[op->anchor]);
    if (op->text != NULL)
        fprintf(file, " \"%s\"", op->text);
    fputc('\n', file);
}

void scene_print(const struct scene *scene, FILE *file)
{
    fprintf(file, "scene %.2f %.2f\n", hundredths(scene->width), hundredths(scene->height));
    for (uint32_t i = 0; i < scene->count; i++)
        print_op(file, &scene->ops[i]);
}

double text_size(enum text_style style)
{
    return text_styles[style].size;
}

int text_weight(enum text_style style)
{
    return text_styles[style].weight;
}
