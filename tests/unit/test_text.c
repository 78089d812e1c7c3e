#include "diagnose/diagnose.h"
#include "unit.h"

static void times(void **state)
{
    (void)state;
    static const struct {
        int64_t ns;
        const char *text;
    } rows[] = {{0, "0 ns"},          {999, "999 ns"},        {1000, "1.00 us"},     {12500, "12.5 us"},  {999600, "1.00 ms"},
                {2120000, "2.12 ms"}, {61900000, "61.9 ms"}, {265000000, "265 ms"}, {1300000000, "1.30 s"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buf[32];
        assert_string_equal(time_text(rows[i].ns, buf, sizeof buf), rows[i].text);
    }
}

static void sizes_and_rates(void **state)
{
    (void)state;
    char buf[32];
    assert_string_equal(bytes_text(6, buf, sizeof buf), "6 bytes");
    assert_string_equal(bytes_text(32 << 20, buf, sizeof buf), "32 MiB");
    assert_string_equal(bytes_text(1536, buf, sizeof buf), "1.5 KiB");
    assert_string_equal(rate_text(8.53, buf, sizeof buf), "8.5 GB/s");
    assert_string_equal(rate_text(54.9, buf, sizeof buf), "55 GB/s");
}

static void every_cause_is_described(void **state)
{
    (void)state;
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        assert_true(cause_id((enum cause)cause)[0] != '\0');
        assert_true(cause_title((enum cause)cause)[0] != '\0');
        assert_true(cause_meaning((enum cause)cause)[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),
        cmocka_unit_test(sizes_and_rates),
        cmocka_unit_test(every_cause_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
