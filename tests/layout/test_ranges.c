/* Rows of NVTX ranges, whole graphs, and stretches that were not recorded. */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct scene_op *text_op(const struct scene *scene, const char *text)
{
    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->ops[i].kind == SCENE_TEXT && strcmp(scene->ops[i].text, text) == 0)
            return &scene->ops[i];
    fail_msg("no text \"%s\"", text);
    return NULL;
}

#define NVTX "device 0 name=Card\ncontext 1 null=7\nstream 8 blocking\nthread 100 main\n" \
             "call 1 0 1ms cudaLaunchKernel thread=100\nkernel 1 8 1ms 10ms k\n"           \
             "call 2 2ms 3ms cudaGraphLaunch thread=101\ngraph 2 8 10ms 18ms 4\n"

/* Ranges lie below their thread, inner ones below outer ones, each domain in a row of its own. */
static void ranges_nest_below_their_thread(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, NVTX "range 0 18ms outermost thread=100\nrange 1ms 9ms first_half thread=100\n"
                          "range 9ms 17ms second_half thread=100\nrange 2ms 8ms innermost thread=100\n"
                          "range 3ms 12ms of_library thread=100 domain=Library\n"
                          "range 3ms 12ms elsewhere thread=200\n");
    drawing_draw(&d);
    double outer = text_op(&d.scene, "outermost")->y, first = text_op(&d.scene, "first_half")->y;
    double inner = text_op(&d.scene, "innermost")->y, library = text_op(&d.scene, "of_library")->y;
    assert_true(text_op(&d.scene, "thread 100")->y < outer);
    assert_true(outer < first && first < inner && inner < library);
    assert_true(text_op(&d.scene, "second_half")->y == first);
    assert_true(library < text_op(&d.scene, "thread 101")->y);
    assert_true(text_op(&d.scene, "thread 101")->y < text_op(&d.scene, "elsewhere")->y);
    assert_true(text_op(&d.scene, "elsewhere")->y < text_op(&d.scene, "stream 8")->y);
    text_op(&d.scene, "NVTX, thread 200");
    text_op(&d.scene, "Library");
    text_op(&d.scene, "range");
    check_scene(&d.scene);
    drawing_finish(&d);
}

/* A range that began hundreds of ranges before the window still lies around it. */
static void long_ranges_reach_into_the_window(void **state)
{
    (void)state;
    struct drawing d;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs(NVTX "range 0 18ms around thread=100\n", f);
    for (int i = 0; i < 1000; i++)
        fprintf(f, "range %dus %dus small thread=100\n", i, i + 1);
    fclose(f);
    drawing_init(&d, text);
    d.request.from_ns = 8000000;
    drawing_draw(&d);
    text_op(&d.scene, "around");
    check_scene(&d.scene);
    drawing_finish(&d);
    free(text);
}

/* A whole graph is a bar and counted; what was not recorded on purpose is shaded, and no time that the GPU was idle. */
static void graphs_and_pauses(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, NVTX "call 3 98ms 99ms cudaLaunchKernel thread=100\nkernel 3 8 99ms 101ms k\n"
                          "pause 18ms 97ms range\n");
    drawing_draw(&d);
    const struct scene_op *pause = NULL;
    for (uint32_t i = 0; i < d.scene.count && pause == NULL; i++)
        if (d.scene.ops[i].slot == SLOT_PAUSE)
            pause = &d.scene.ops[i];
    assert_non_null(pause);
    assert_true(pause->w > 0.7 * (d.scene.width - 200) && pause->w < d.scene.width);
    text_op(&d.scene, "graph 4");
    text_op(&d.scene, "graph launch (whole)");
    text_op(&d.scene, "not recorded, on purpose");
    text_op(&d.scene, "GPU busy 19.0 of 21.0 ms");
    assert_non_null(strstr(drawing_text(&d), "2 kernels \u00b7 1 graph launch"));
    check_texts(&d.scene);
    drawing_finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_nest_below_their_thread),
        cmocka_unit_test(long_ranges_reach_into_the_window),
        cmocka_unit_test(graphs_and_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
