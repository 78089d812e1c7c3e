/* Ticks: round, in order, inside the window, far enough apart, and named so that they can be told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/scale.h"

static struct scale scale_of(int64_t begin_ns, int64_t end_ns, double width)
{
    return (struct scale){.begin_ns = begin_ns,
                          .end_ns = end_ns,
                          .longest_ns = end_ns - begin_ns,
                          .left = 100,
                          .right = 100 + width,
                          .px_per_ns = width / (double)(end_ns - begin_ns)};
}

static int leading_digit(int64_t value)
{
    while (value >= 10) {
        assert_int_equal(value % 10, 0);
        value /= 10;
    }
    return (int)value;
}

static void check_ticks(const struct scale *scale)
{
    struct ticks ticks = scale_ticks(scale, 80);
    char text[2][32] = {"", ""};
    int digit = leading_digit(ticks.step_ns);
    assert_true(digit == 1 || digit == 2 || digit == 5);
    assert_true((double)ticks.step_ns * scale->px_per_ns >= 79.99);
    assert_true(ticks.first_ns >= scale->begin_ns && ticks.first_ns - ticks.step_ns < scale->begin_ns);
    for (uint32_t i = 0; i < ticks.count; i++) {
        assert_true(ticks.first_ns + i * ticks.step_ns <= scale->end_ns);
        tick_text(&ticks, i, text[i % 2], sizeof text[0]);
        assert_string_not_equal(text[0], text[1]);
        double value = strtod(text[i % 2], NULL) * (double)ticks.unit_ns;
        assert_true(llabs((int64_t)(value + 0.5) - (ticks.first_ns + i * ticks.step_ns)) <= ticks.step_ns / 100 + 1);
    }
}

static void ticks_of_many_windows(void **state)
{
    (void)state;
    for (int64_t length = 1000; length < 100000000000; length = length * 7 / 3)
        for (int64_t begin = -length / 90; begin < 30000000000; begin = begin * 5 + 12345) {
            struct scale scale = scale_of(begin, begin + length, 1400);
            check_ticks(&scale);
            if (begin <= 0)
                begin = 1;
        }
}

static void labels(void **state)
{
    (void)state;
    struct scale scale = scale_of(0, 2120000, 1400);
    struct ticks ticks = scale_ticks(&scale, 300);
    char text[32];
    assert_string_equal(ticks.unit, "ms");
    assert_string_equal(tick_text(&ticks, 0, text, sizeof text), "0");
    assert_string_equal(tick_text(&ticks, 1, text, sizeof text), "0.5");
    assert_string_equal(tick_text(&ticks, 2, text, sizeof text), "1");
    scale.longest_ns = 3000000000;
    assert_string_equal(scale_ticks(&scale, 300).unit, "s");
}

static void pixels(void **state)
{
    (void)state;
    struct scale scale = scale_of(1000, 2000, 1000);
    assert_true(scale_x(&scale, 1500) == 600);
    assert_true(scale_x(&scale, 500) == -400);
    struct extent extent = scale_extent(&scale, 500, 9000);
    assert_true(extent.left == 100 && extent.right == 1100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ticks_of_many_windows), cmocka_unit_test(labels),
                                       cmocka_unit_test(pixels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
