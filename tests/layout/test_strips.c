/* Strips of the PCIe link: their area is the bytes, whatever the scale. */
#include "checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "device 0 name=Card pcie=5x16\ncontext 1 null=7\nstream 7 null\nkernel 1 7 1ms 2ms k\n"

enum { PEAK_MB_PER_S = 63008 }; /* PCIe 5 x16 */

struct strip_sum {
    double area;        /* px² */
    double left, right; /* of what is drawn, px */
};

static const struct scene_op *text_op(const struct scene *scene, const char *text)
{
    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->ops[i].kind == SCENE_TEXT && strcmp(scene->ops[i].text, text) == 0)
            return &scene->ops[i];
    return NULL;
}

/* The rectangle behind the strip, and the plot's edges with it. */
static const struct scene_op *ground_of(const struct scene *scene, const char *name)
{
    const struct scene_op *label = text_op(scene, name);
    assert_non_null(label);
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct scene_op *op = &scene->ops[i];
        if (op->kind == SCENE_RECT && op->slot == SLOT_LANE && op->y <= label->y && op->y + op->h >= label->y)
            return op;
    }
    fail_msg("no strip \"%s\"", name);
    return NULL;
}

/* What is drawn in a colour, but for the legend. */
static struct strip_sum strip_of(const struct scene *scene, enum slot slot)
{
    struct strip_sum sum = {.left = INFINITY};
    const struct scene_op *last = ground_of(scene, "PCIe from GPU");
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct scene_op *op = &scene->ops[i];
        if (op->kind != SCENE_RECT || op->slot != slot || op->y > last->y + last->h)
            continue;
        sum.area += op->w * op->h;
        sum.left = fmin(sum.left, op->x);
        sum.right = fmax(sum.right, op->x + op->w);
    }
    return sum;
}

/* Random samples: lengths from `least_ns` to twice that, a third of them idle, some with holes in front of them. Returns
 * the bytes of one direction between the bounds. */
static double recipe_make(char *text, size_t size, unsigned least_ns, int64_t from_ns, int64_t to_ns)
{
    double bytes = 0;
    int64_t at = 900000;
    FILE *f = fmemopen(text, size, "w");
    fputs(HEAD, f);
    while (at < 2100000) {
        int64_t length = least_ns + rand() % least_ns;
        unsigned to = rand() % 3 == 0 ? 0 : (unsigned)(rand() % (int)(length * PEAK_MB_PER_S / 1000));
        at += rand() % 10 == 0 ? length : 0;
        fprintf(f, "bus %lldns %lldns %u 0\n", (long long)at, (long long)(at + length), to);
        int64_t begin = at > from_ns ? at : from_ns, end = at + length < to_ns ? at + length : to_ns;
        bytes += end > begin ? to * ((double)(end - begin) / (double)length) : 0;
        at += length;
    }
    fputs("end 3ms\n", f);
    fclose(f);
    return bytes;
}

/* Far denser than pixels, about as dense, and sparser. */
static void area_is_bytes(void **state)
{
    (void)state;
    static const unsigned lengths[] = {60, 700, 1000, 5000, 40000};
    enum { SIZE = 1 << 21 };
    char *text = malloc(SIZE);
    for (unsigned seed = 0; seed < 20; seed++) {
        srand(seed);
        struct drawing d;
        int64_t from = 1000000 + rand() % 300000, to = 1500000 + rand() % 500000;
        double bytes = recipe_make(text, SIZE, lengths[seed % 5], from, to);
        drawing_init(&d, text);
        d.request.width = 700 + rand() % 1500;
        d.request.from_ns = from - 1000000;
        d.request.to_ns = to - 1000000;
        drawing_draw(&d);
        check_scene(&d.scene);
        const struct scene_op *ground = ground_of(&d.scene, "PCIe to GPU");
        struct strip_sum sum = strip_of(&d.scene, SLOT_HTOD);
        double full = ground->h - 4; /* full rate is a little below the top */
        double drawn = sum.area / (full * ground->w) * (double)(to - from) * PEAK_MB_PER_S / 1000;
        if (fabs(drawn - bytes) > 0.001 * bytes)
            fail_msg("seed %u: %.0f bytes drawn as %.0f", seed, bytes, drawn);
        assert_true(sum.left >= ground->x - 1e-6 && sum.right <= ground->x + ground->w + 1e-6);
        drawing_finish(&d);
    }
    free(text);
}

/* A burst stands where a bar of the same time would. */
static void aligned_with_bars(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, HEAD "bus 900us 1ms 0 0\nbus 1ms 2ms 30000000 0\nbus 2ms 2100us 0 0\nend 3ms\n");
    drawing_draw(&d);
    struct strip_sum burst = strip_of(&d.scene, SLOT_HTOD), bar = strip_of(&d.scene, SLOT_KERNEL);
    assert_true(fabs(burst.left - bar.left) <= 1 && fabs(burst.right - bar.right) <= 1);
    assert_true(strip_of(&d.scene, SLOT_DTOH).area == 0);
    assert_non_null(text_op(&d.scene, "PCIe from GPU"));
    assert_non_null(text_op(&d.scene, "GB/s, link 63"));
    check_scene(&d.scene);
    drawing_finish(&d);
}

/* What was not sampled does not look idle. */
static void holes_are_marked(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, HEAD "bus 900us 1200us 1000 0\nbus 1700us 2100us 1000 0\nend 3ms\n");
    drawing_draw(&d);
    const struct scene_op *ground = ground_of(&d.scene, "PCIe to GPU");
    struct strip_sum holes = strip_of(&d.scene, SLOT_PAUSE);
    assert_true(holes.right - holes.left > 0.4 * ground->w && holes.right - holes.left < 0.55 * ground->w);
    assert_non_null(text_op(&d.scene, "link not sampled"));
    check_scene(&d.scene);
    drawing_finish(&d);
}

static void none_without_samples(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, HEAD "end 3ms\n");
    drawing_draw(&d);
    assert_null(text_op(&d.scene, "PCIe to GPU"));
    drawing_finish(&d);
    drawing_init(&d, HEAD "bus 10us 20us 1000 0\nend 3ms\n"); /* outside of the window */
    drawing_draw(&d);
    assert_null(text_op(&d.scene, "PCIe to GPU"));
    drawing_finish(&d);
}

/* A link that is not known, or that moves more than it can: the busiest sample is the top. */
static void unknown_links(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, "context 1 null=7\nkernel 1 7 1ms 2ms k\nbus 900us 2100us 1200000 2400000 device=3\nend 3ms\n");
    drawing_draw(&d);
    assert_non_null(text_op(&d.scene, "GB/s, at most 2"));
    check_scene(&d.scene);
    drawing_finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(area_is_bytes),        cmocka_unit_test(aligned_with_bars), cmocka_unit_test(holes_are_marked),
        cmocka_unit_test(none_without_samples), cmocka_unit_test(unknown_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
