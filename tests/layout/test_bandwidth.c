/* Rates of copies against their size. */
#include "checks.h"

#include <string.h>

#define PROBE                                                                                                      \
    "property title Copy rates\nproperty started 2026-12-01T01:22:33Z\ndevice 0 name=Card\n"                         \
    "property probe.rate.to_device.pageable 4096:0.6,65536:4,1048576:7,268435456:8.5\n"                             \
    "property probe.rate.to_device.pinned 4096:0.5,65536:7,1048576:40,268435456:55\n"                               \
    "property probe.rate.from_device.pageable 4096:0.4,65536:3,1048576:6,268435456:6\n"                             \
    "property probe.rate.from_device.pinned 4096:0.5,65536:6,1048576:39,268435456:54.9\n"                           \
    "property probe.rate.same_direction 55\nproperty probe.rate.both_directions 99\nproperty probe.copy_engines 3\n" \
    "property probe.waits_from.to_device 65536\nproperty probe.waits_from.from_device 1024\n"
#define REST "context 1 null=7\nstream 7 null\nkernel 1 7 0us 5us a\nend 1ms\n"

/* Every point stands where its size and rate are, and curves of near ends have names apart. */
static void points_and_names(void **state)
{
    (void)state;
    static const double widths[] = {500, 800, 1600};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct drawing d;
        struct error err = {0};
        double pinned[4] = {0};
        uint32_t marks = 0, dashed = 0;
        drawing_init(&d, PROBE REST);
        d.request.traces = &d.trace;
        d.request.width = widths[i];
        scene_init(&d.scene, &d.arena);
        assert_true(layout_bandwidth(&d.request, &d.scene, &err));
        for (uint32_t k = 0; k < d.scene.count; k++) {
            const struct scene_op *op = &d.scene.ops[k];
            if (op->kind == SCENE_RECT && (op->slot == SLOT_HTOD || op->slot == SLOT_DTOH)) {
                if (marks >= 4 && marks < 8) /* pinned, to the device */
                    pinned[marks - 4] = op->y + op->h / 2;
                marks++;
            }
            dashed += op->kind == SCENE_LINE && op->pattern != PATTERN_NONE;
        }
        assert_int_equal(marks, 16);
        assert_int_equal(dashed, 2 * 3 + 2);
        double per_rate = (pinned[0] - pinned[3]) / (55 - 0.5);
        assert_true(per_rate > 5);
        assert_float_equal(pinned[1], pinned[0] - per_rate * (7 - 0.5), 0.01);
        assert_float_equal(pinned[2], pinned[0] - per_rate * (40 - 0.5), 0.01);
        check_texts(&d.scene);
        assert_non_null(strstr(drawing_text(&d), "pinned, from device 55 GB/s"));
        assert_non_null(strstr(drawing_text(&d), "pageable: 15 % of pinned"));
        drawing_finish(&d);
    }
}

static void needs_rates(void **state)
{
    (void)state;
    struct drawing d;
    struct error err = {0};
    drawing_init(&d, REST);
    d.request.traces = &d.trace;
    scene_init(&d.scene, &d.arena);
    assert_false(layout_bandwidth(&d.request, &d.scene, &err));
    assert_non_null(strstr(err.what, "cugantt run probe"));
    drawing_finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_and_names), cmocka_unit_test(needs_rates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
