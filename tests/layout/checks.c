#include "checks.h"

#include <math.h>

bool check_is_text(const struct scene_op *op)
{
    return op->kind == SCENE_TEXT || op->kind == SCENE_BADGE;
}

bool check_is_bar(const struct scene_op *op)
{
    return op->kind == SCENE_RECT && op->slot >= SLOT_BAR_FIRST && op->slot < SLOT_BAR_FIRST + SLOT_BAR_COUNT;
}

static void check_numbers(const struct scene *scene)
{
    assert_true(isfinite(scene->width) && isfinite(scene->height) && scene->height > 50);
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct scene_op *op = &scene->ops[i];
        assert_true(isfinite(op->x) && isfinite(op->y) && isfinite(op->w) && isfinite(op->h) && isfinite(op->bend));
        if (op->kind == SCENE_RECT)
            assert_true(op->w >= 0 && op->h >= 0);
    }
}

void check_texts(const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->count; i++) {
        if (!check_is_text(&scene->ops[i]))
            continue;
        struct text_box a = drawing_box(&scene->ops[i]);
        if (a.left < 0 || a.right > scene->width || a.top < 0 || a.bottom > scene->height)
            fail_msg("text \"%s\" leaves the page", scene->ops[i].text);
        for (uint32_t k = 0; k < i; k++) {
            if (!check_is_text(&scene->ops[k]))
                continue;
            struct text_box b = drawing_box(&scene->ops[k]);
            if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                fail_msg("texts \"%s\" and \"%s\" overlap", scene->ops[i].text, scene->ops[k].text);
        }
    }
}

static bool lies_in(struct point p, struct text_box box)
{
    return p.x > box.left && p.x < box.right && p.y > box.top && p.y < box.bottom;
}

static void check_arrow(const struct scene *scene, const struct scene_op *arrow)
{
    struct point c[4];
    scene_arrow_points(arrow, c);
    for (double t = 0; t <= 1; t += 0.01) {
        double s = 1 - t;
        struct point p = {s * s * s * c[0].x + 3 * s * s * t * c[1].x + 3 * s * t * t * c[2].x + t * t * t * c[3].x,
                          s * s * s * c[0].y + 3 * s * s * t * c[1].y + 3 * s * t * t * c[2].y + t * t * t * c[3].y};
        for (uint32_t i = 0; i < scene->count; i++)
            if (check_is_text(&scene->ops[i]) && lies_in(p, drawing_box(&scene->ops[i])))
                fail_msg("an arrow crosses \"%s\"", scene->ops[i].text);
    }
}

static void check_arrows(const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->ops[i].kind == SCENE_ARROW)
            check_arrow(scene, &scene->ops[i]);
}

/* The rectangle of the lane that holds the bar; NULL if none does. */
const struct scene_op *check_lane_of(const struct scene *scene, const struct scene_op *bar)
{
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct scene_op *lane = &scene->ops[i];
        if (lane->kind == SCENE_RECT && lane->slot == SLOT_LANE && bar->x >= lane->x - 1 &&
            bar->x + bar->w <= lane->x + lane->w + 1.5 && bar->y >= lane->y - 0.01 &&
            bar->y + bar->h <= lane->y + lane->h + 0.01)
            return lane;
    }
    return NULL;
}

/* Legend swatches are the only bars outside of lanes, and lie below all of them. */
static void check_bars(const struct scene *scene)
{
    double lowest = 0;
    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->ops[i].kind == SCENE_RECT && scene->ops[i].slot == SLOT_LANE && scene->ops[i].w > 100)
            lowest = fmax(lowest, scene->ops[i].y + scene->ops[i].h);
    for (uint32_t i = 0; i < scene->count; i++)
        if (check_is_bar(&scene->ops[i]) && scene->ops[i].y < lowest)
            assert_non_null(check_lane_of(scene, &scene->ops[i]));
}

void check_scene(const struct scene *scene)
{
    check_numbers(scene);
    check_texts(scene);
    check_arrows(scene);
    check_bars(scene);
}
