/* Properties that every figure has, over random traces. */
#include "checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60 };

/* A small generator of its own: the same traces on every machine. */
static uint32_t random_below(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*state >> 8) * limit) >> 24);
}

static void add_operation(FILE *f, uint32_t *state, uint32_t correlation, int64_t time_ns)
{
    uint32_t stream = 7 + random_below(state, 4), kind = random_below(state, 4);
    int64_t begin = time_ns + 1000 + random_below(state, 4000);
    int64_t end = begin + (random_below(state, 3) == 0 ? random_below(state, 800) : random_below(state, 90000));
    if (kind <= 1)
        fprintf(f, "kernel %u %u %ld %ld kernel_%u\n", correlation, stream, (long)begin, (long)end, correlation % 5);
    else if (kind == 2)
        fprintf(f, "copy %u %u %ld %ld %s 1M\n", correlation, stream, (long)begin, (long)end,
                correlation % 2 == 0 ? "htod pageable device" : "dtoh device pinned");
    else
        fprintf(f, "memset %u %u %ld %ld 64K\n", correlation, stream, (long)begin, (long)end);
}

static char *random_recipe(uint32_t seed)
{
    uint32_t state = seed * 2654435761u + 1, count = 1 + random_below(&state, 120);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("property title Random trace\ndevice 0 name=Card\ncontext 1 null=7\nstream 7 null\nstream 8 blocking\n"
          "stream 9 non-blocking priority=-3\nstream 10 blocking\nthread 100 main\nthread 101 other\n", f);
    int64_t time_ns = 0;
    for (uint32_t i = 1; i <= count; i++) {
        time_ns += random_below(&state, random_below(&state, 8) == 0 ? 300000 : 9000);
        fprintf(f, "call %u %ld %ld cudaLaunchKernel thread=%u\n", i, (long)time_ns, (long)(time_ns + 900),
                100 + i % 2);
        add_operation(f, &state, i, time_ns);
    }
    if (seed % 3 == 0)
        fputs("pause 100us 300us range\ngraph 0 9 5us 60us 3\n", f);
    fprintf(f, "end %ld\n", (long)(time_ns + 10000000));
    fclose(f);
    return text;
}

/* Lanes of the scene from the top: threads in the model's order, then streams. */
static const struct scene_op *lane_rect(const struct scene *scene, uint32_t index)
{
    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->ops[i].kind == SCENE_RECT && scene->ops[i].slot == SLOT_LANE && index-- == 0)
            return &scene->ops[i];
    return NULL;
}

static bool has_bar_at(const struct scene *scene, const struct scene_op *lane, double x)
{
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct scene_op *op = &scene->ops[i];
        bool is_in_lane = check_is_bar(op) && op->y >= lane->y - 0.01 && op->y < lane->y + lane->h;
        if (is_in_lane && op->x <= x + 2 && op->x + op->w >= x - 2)
            return true;
    }
    return false;
}

/* The default window reaches a little beyond the trace on both sides: 1.2 % of it, plus a nanosecond. */
static void check_all_spans_drawn(const struct drawing *d)
{
    const struct model *m = d->model;
    double pad = floor(0.012 * (double)(m->end_ns - m->begin_ns)) + 1;
    double begin = (double)m->begin_ns - pad, end = (double)m->end_ns + pad;
    uint32_t row = 0;
    for (uint32_t lane = 0; lane < m->lane_count; lane++) {
        uint32_t drawn = 0;
        const struct scene_op *rect = lane_rect(&d->scene, row);
        for (uint32_t i = m->lanes[lane].first; i < m->lanes[lane].first + m->lanes[lane].count; i++) {
            double middle = (double)(m->spans[i].begin_ns + m->spans[i].end_ns) / 2;
            if (middle <= begin || middle >= end)
                continue;
            assert_non_null(rect);
            assert_true(has_bar_at(&d->scene, rect, rect->x + (middle - begin) / (end - begin) * rect->w));
            drawn++;
        }
        row += drawn > 0;
    }
}

static void every_figure(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
        struct drawing d;
        char *recipe = random_recipe(seed);
        drawing_init(&d, recipe);
        d.request.width = 500 + 97 * (seed % 25);
        drawing_draw(&d);
        check_scene(&d.scene);
        check_all_spans_drawn(&d);
        drawing_finish(&d);
        free(recipe);
    }
}

static void every_window(void **state)
{
    (void)state;
    uint32_t random = 77;
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
        struct drawing d;
        struct error err;
        char *recipe = random_recipe(seed);
        drawing_init(&d, recipe);
        int64_t length = d.model->end_ns - d.model->begin_ns;
        d.request.from_ns = random_below(&random, (uint32_t)length + 1);
        d.request.to_ns = d.request.from_ns + 1 + random_below(&random, (uint32_t)length + 1);
        scene_init(&d.scene, &d.arena);
        if (layout_figure(&d.request, &d.scene, &err)) {
            check_scene(&d.scene);
        } else {
            assert_non_null(strstr(err.what, "nothing to draw"));
        }
        drawing_finish(&d);
        free(recipe);
    }
}

static void same_input_same_scene(void **state)
{
    (void)state;
    char *recipe = random_recipe(5);
    struct drawing a, b;
    drawing_init(&a, recipe);
    drawing_init(&b, recipe);
    drawing_draw(&a);
    drawing_draw(&b);
    assert_string_equal(drawing_text(&a), drawing_text(&b));
    drawing_finish(&a);
    drawing_finish(&b);
    free(recipe);
}

/* 20,000 kernels in 40 ms, each running 500 ns of its 2 us: a quarter of the row's area, to the pixel column. */
static void crowds_cover_exactly(void **state)
{
    (void)state;
    char *recipe = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&recipe, &size);
    fputs("device 0 name=Card\ncontext 1 null=7\nstream 8 blocking\n", f);
    for (int i = 0; i < 20000; i++)
        fprintf(f, "kernel 0 8 %d %d k\n", 2000 * i, 2000 * i + 500);
    fclose(f);
    struct drawing d;
    drawing_init(&d, recipe);
    drawing_draw(&d);
    const struct scene_op *lane = lane_rect(&d.scene, 0);
    double area = 0;
    for (uint32_t i = 0; i < d.scene.count; i++)
        if (check_is_bar(&d.scene.ops[i]) && check_lane_of(&d.scene, &d.scene.ops[i]) == lane)
            area += d.scene.ops[i].w * d.scene.ops[i].h;
    double whole = lane->w / 1.024 * lane->h;
    assert_true(fabs(area / whole - 0.25) < 0.01);
    assert_non_null(strstr(drawing_text(&d), "many operations"));
    drawing_finish(&d);
    free(recipe);
}

static void lone_spans_are_seen(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, "device 0 name=Card\ncontext 1 null=7\nstream 8 blocking\nkernel 0 8 0 10 k\n"
                     "kernel 0 8 50ms 50000001 k\nkernel 0 8 99ms 100ms k\n");
    drawing_draw(&d);
    const struct scene_op *lane = lane_rect(&d.scene, 0);
    uint32_t full = 0;
    for (uint32_t i = 0; i < d.scene.count; i++)
        full += check_is_bar(&d.scene.ops[i]) && check_lane_of(&d.scene, &d.scene.ops[i]) == lane && d.scene.ops[i].h == lane->h &&
                d.scene.ops[i].w >= 1;
    assert_int_equal(full, 3);
    drawing_finish(&d);
}

/* Nothing of an explanation is cut, however narrow the figure. */
static void explanations_are_whole(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, "device 0 name=Card\ncontext 1 null=7\nstream 8 blocking\n"
                     "kernel 0 8 0 1ms k\nkernel 0 8 9ms 10ms k\n");
    struct place place = {1000000, 9000000, 1, MODEL_NONE, 0};
    struct finding finding = {.cause = CAUSE_HOST_BUSY,
                              .count = 1,
                              .cost_ns = 8000000,
                              .text = "first ääää "
                                      "second_word_that_is_much_wider_than_one_line_of_this_narrow_figure_can_be end.",
                              .advice = "last words",
                              .places = &place,
                              .place_count = 1};
    d.diagnosis.findings = &finding;
    d.diagnosis.finding_count = 1;
    d.request.width = 420;
    drawing_draw(&d);
    char seen[1024] = "";
    for (uint32_t i = 0; i < d.scene.count; i++)
        if (d.scene.ops[i].kind == SCENE_TEXT && d.scene.ops[i].style == TEXT_NOTE) {
            assert_true(d.scene.ops[i].w == 0);
            strncat(seen, d.scene.ops[i].text, sizeof seen - strlen(seen) - 1);
        }
    char expected[1024], *out = expected;
    for (const char *parts[] = {finding.text, finding.advice}, **p = parts; p < parts + 2; p++)
        for (const char *c = *p; *c != '\0'; c++)
            if (*c != ' ')
                *out++ = *c;
    *out = '\0';
    char *to = seen;
    for (const char *c = seen; *c != '\0'; c++)
        if (*c != ' ')
            *to++ = *c;
    *to = '\0';
    assert_string_equal(seen, expected);
    check_texts(&d.scene);
    drawing_finish(&d);
}

/* "4.89 ms" and "stream 14" stay together, whatever the width. */
static void numbers_stay_with_their_words(void **state)
{
    (void)state;
    struct drawing d;
    struct place place = {1000000, 9000000, 1, MODEL_NONE, 0};
    struct finding finding = {.cause = CAUSE_HOST_BUSY,
                              .cost_ns = 8000000,
                              .text = "Kernels waited on stream 14 for 4.89 ms, then on stream 15 for another 2.5 ms.",
                              .advice = "",
                              .places = &place,
                              .place_count = 1};
    for (int width = 420; width < 900; width += 7) {
        drawing_init(&d, "device 0 name=Card\ncontext 1 null=7\nstream 8 blocking\n"
                         "kernel 0 8 0 1ms k\nkernel 0 8 9ms 10ms k\n");
        d.diagnosis.findings = &finding;
        d.diagnosis.finding_count = 1;
        d.request.width = width;
        drawing_draw(&d);
        uint32_t lines = 0;
        for (uint32_t i = 0; i < d.scene.count; i++) {
            const struct scene_op *op = &d.scene.ops[i];
            if (op->kind != SCENE_TEXT || op->style != TEXT_NOTE)
                continue;
            lines++;
            assert_null(strchr("0123456789", op->text[0]));
            assert_int_not_equal(strncmp(op->text, "ms", 2), 0);
        }
        assert_true(lines >= 1);
        drawing_finish(&d);
    }
}

static void only_wanted_streams(void **state)
{
    (void)state;
    struct drawing d;
    uint32_t wanted[] = {9, LAYOUT_DEFAULT_STREAM};
    drawing_init(&d, "device 0 name=Card\ncontext 1 null=7\nstream 7 null\nstream 8 blocking\nstream 9 non-blocking\n"
                     "kernel 0 7 0 1ms k\nkernel 0 8 0 1ms k\nkernel 0 9 0 1ms k\n");
    d.request.streams = wanted;
    d.request.stream_count = 2;
    drawing_draw(&d);
    const char *text = drawing_text(&d);
    assert_non_null(strstr(text, "\"stream 7\""));
    assert_null(strstr(text, "\"stream 8\""));
    assert_non_null(strstr(text, "\"stream 9\""));
    drawing_finish(&d);
}

static void no_work_no_figure(void **state)
{
    (void)state;
    struct drawing d;
    struct error err;
    drawing_init(&d, "device 0 name=Card\ncontext 1 null=7\nthread 5 main\ncall 1 0 10 cudaMalloc thread=5\n");
    scene_init(&d.scene, &d.arena);
    assert_false(layout_figure(&d.request, &d.scene, &err));
    assert_non_null(strstr(err.what, "no GPU work"));
    drawing_finish(&d);
}

/* Panels of different length share the time per pixel. */
static void panels_share_the_scale(void **state)
{
    (void)state;
    struct drawing a, b;
    drawing_init(&a, "device 0 name=Card\ncontext 1 null=7\nstream 8 blocking\nkernel 0 8 0 40ms k\n");
    drawing_init(&b, "device 0 name=Card\ncontext 1 null=7\nstream 8 blocking\nkernel 0 8 5s 5010ms k\n");
    struct layout_trace traces[] = {a.trace, b.trace};
    struct layout_request request = a.request;
    struct error err;
    request.traces = traces;
    request.trace_count = 2;
    scene_init(&a.scene, &a.arena);
    assert_true(layout_figure(&request, &a.scene, &err));
    double widths[2] = {0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < a.scene.count && found < 2; i++)
        if (check_is_bar(&a.scene.ops[i]))
            widths[found++] = a.scene.ops[i].w;
    assert_int_equal(found, 2);
    assert_true(fabs(widths[0] - 4 * widths[1]) <= 4);
    drawing_finish(&a);
    drawing_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure),           cmocka_unit_test(every_window),
        cmocka_unit_test(same_input_same_scene),  cmocka_unit_test(crowds_cover_exactly),
        cmocka_unit_test(lone_spans_are_seen),    cmocka_unit_test(explanations_are_whole),
        cmocka_unit_test(only_wanted_streams),    cmocka_unit_test(no_work_no_figure),
        cmocka_unit_test(panels_share_the_scale), cmocka_unit_test(numbers_stay_with_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
