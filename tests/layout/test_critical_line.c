/* The critical path as a line through the rows. */
#include "checks.h"

#include <math.h>
#include <string.h>

static const char recipe[] =
    "device 0 name=Card\ncontext 1 null=7\nstream 13 blocking\nstream 14 non-blocking\n"
    "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
    "call 2 6us 7us cudaEventRecord\nevent 2 13 1 5\n"
    "call 3 8us 9us cudaStreamWaitEvent\nsync 3 8us 9us wait stream=14 event=1 id=5\n"
    "call 4 9us 12us cudaLaunchKernel\nkernel 4 14 310us 500us b\n"
    "call 5 13us 510us cudaStreamSynchronize\n"
    "call 6 700us 705us cudaLaunchKernel\nkernel 6 14 705us 1ms c\nend 2ms\n";

static double right(const struct scene_op *op)
{
    return op->x + op->w;
}

/* Along the rows it reaches from end to end; between rows it stands where one step ends and the next begins. */
static void line_is_whole(void **state)
{
    (void)state;
    struct drawing d;
    struct critical_path path;
    drawing_init(&d, recipe);
    critical_path_find(d.model, &d.diagnosis, &d.arena, &path);
    d.trace.critical = &path;
    drawing_draw(&d);
    const struct scene_op *last = NULL;
    double covered = 0, first = -1;
    uint32_t changes = 0;
    for (uint32_t i = 0; i < d.scene.count; i++) {
        const struct scene_op *op = &d.scene.ops[i];
        if (op->kind != SCENE_RECT || op->slot != SLOT_CRITICAL)
            continue;
        if (op->h > 4) { /* from row to row */
            assert_true(last != NULL && fabs(op->x + op->w / 2 - right(last)) < 0.01);
            changes++;
            continue;
        }
        if (i + 1 < d.scene.count && d.scene.ops[i + 1].kind == SCENE_TEXT && op->w < 40)
            continue; /* the legend's */
        if (first < 0)
            first = op->x;
        covered += op->w;
        last = op;
    }
    assert_int_equal(changes, 3); /* stream 13, stream 14, host, stream 14 */
    assert_true(fabs(covered - (right(last) - first)) < 0.1);
    assert_non_null(strstr(drawing_text(&d), "critical path"));
    check_scene(&d.scene);
    drawing_finish(&d);
}

static void not_drawn_unasked(void **state)
{
    (void)state;
    struct drawing d;
    drawing_init(&d, recipe);
    drawing_draw(&d);
    assert_null(strstr(drawing_text(&d), "critical"));
    drawing_finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(line_is_whole), cmocka_unit_test(not_drawn_unasked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
