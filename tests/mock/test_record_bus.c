/* `cugantt record --pcie` around a program that uses a fake libcupti: samples of its fake PCIe link (fake_pm.c). */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "program.h"

static struct outcome last;

/* Records a scenario with --pcie and another option, and `variable` set; both may be NULL. */
static struct outcome record(const char *scenario, const char *option, const char *variable)
{
    const char *env[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, "FAKE_PM_SETUP_MS=30", variable, NULL};
    char *argv[9] = {(char *)CUGANTT, "record", "-o", "t.cgt", "--pcie=5us"}, **next = argv + 5;
    if (option != NULL)
        *next++ = (char *)option;
    *next++ = (char *)MOCK_BUS;
    *next++ = (char *)scenario;
    program_directory();
    return last = program_run(argv, env);
}

static struct reader *recorded(const char *scenario, const char *option, const char *variable, int status)
{
    record(scenario, option, variable);
    if (!WIFEXITED(last.status) || WEXITSTATUS(last.status) != status)
        fail_msg("wait status %#x, stderr: %s", (unsigned)last.status, last.err);
    return trace_open("t.cgt");
}

static const struct cgt_bus *bus(const struct reader *r, unsigned index)
{
    return trace_record(r, CGT_BUS, index);
}

/* The fake's pattern: of ten samples one is busy, and the quiet ones between them are one record. */
static void assert_pattern(const struct reader *r)
{
    unsigned count = trace_count(r, CGT_BUS);
    assert_true(count > 100);
    for (unsigned i = 1; i + 1 < count; i++) {
        bool busy = bus(r, i)->samples == 1;
        assert_int_equal(bus(r, i)->begin_ns, bus(r, i - 1)->end_ns);
        assert_int_equal(bus(r, i)->samples, busy ? 1 : 9);
        assert_int_equal(bus(r, i)->end_ns - bus(r, i)->begin_ns, busy ? 5000 : 45000);
        assert_int_equal(bus(r, i)->to_device_bytes, busy ? 65536 : 0);
        assert_true(busy ? bus(r, i)->from_device_bytes == 4096 : bus(r, i)->from_device_bytes >= 4 * 512);
    }
}

static int64_t held_ns(const struct reader *r)
{
    return atoll(trace_property(r, "bus_held_ns"));
}

/* From before the program's first operation until behind its last. */
static void test_covers(void **state)
{
    (void)state;
    struct reader *r = recorded("copy", NULL, NULL, 3);
    const struct cgt_copy *copy = trace_record(r, CGT_COPY, 0);
    unsigned count = trace_count(r, CGT_BUS);
    assert_pattern(r);
    assert_true(bus(r, 0)->begin_ns < copy->begin_ns);
    assert_true(bus(r, count - 1)->end_ns >= copy->end_ns);
    assert_string_equal(trace_property(r, "bus_interval_ns"), "5000");
    assert_true(held_ns(r) >= 30000000 && held_ns(r) < 2000000000);
    assert_int_equal(trace_loss(r, CGT_LOSS_SAMPLES), 0);
    assert_string_equal(last.err, "cugantt: t.cgt: 1 operations, 0 calls, 0 lost\n");
    reader_close(r);
}

static void test_clock(void **state)
{
    (void)state;
    struct reader *r = recorded("copy", NULL, "FAKE_PM_CLOCK=1", 3);
    assert_true(trace_count(r, CGT_BUS) > 50);
    assert_int_equal(bus(r, 5)->begin_ns, bus(r, 4)->end_ns);
    reader_close(r);
}

static void test_devices(void **state)
{
    (void)state;
    struct reader *r = recorded("devices", NULL, NULL, 0);
    unsigned samples[2] = {0};
    for (unsigned i = 0; i < trace_count(r, CGT_BUS); i++) {
        assert_true(bus(r, i)->device < 2);
        samples[bus(r, i)->device] += bus(r, i)->samples;
    }
    assert_true(samples[0] > 1000 && samples[1] > 500);
    assert_true(held_ns(r) >= 60000000);
    reader_close(r);
}

/* No samples while the gate is closed, and holes on purpose are no loss. */
static void test_range(void **state)
{
    (void)state;
    struct reader *r = recorded("range", "--range=profiler", NULL, 0);
    assert_int_equal(trace_count(r, CGT_COPY), 2);
    const struct cgt_copy *first = trace_record(r, CGT_COPY, 0), *second = trace_record(r, CGT_COPY, 1);
    unsigned holes = 0;
    assert_true(bus(r, 0)->begin_ns <= first->begin_ns);
    assert_true(bus(r, 0)->begin_ns > first->begin_ns - 15000000);
    for (unsigned i = 1; i < trace_count(r, CGT_BUS); i++) {
        if (bus(r, i)->begin_ns == bus(r, i - 1)->end_ns)
            continue;
        holes++;
        assert_true(bus(r, i - 1)->end_ns >= first->end_ns && bus(r, i)->begin_ns <= second->begin_ns);
    }
    assert_int_equal(holes, 1);
    assert_true(bus(r, trace_count(r, CGT_BUS) - 1)->end_ns < second->end_ns + 25000000);
    assert_int_equal(trace_loss(r, CGT_LOSS_SAMPLES), 0);
    reader_close(r);
}

static void test_overflow(void **state)
{
    (void)state;
    struct reader *r = recorded("copy", NULL, "FAKE_PM_OVERFLOW=1", 3);
    unsigned long lost = trace_loss(r, CGT_LOSS_SAMPLES);
    assert_true(lost >= 100 && lost <= 104); /* the hole, and what it took to start anew */
    assert_null(strstr(last.err, " 0 lost"));
    reader_close(r);
}

/* Whatever keeps the counters from us, the program is recorded, ends as it would, and one line says why. */
static void test_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"FAKE_PM_REFUSE=35", "NVreg_RestrictProfilingToAdminUsers=0"},
        {"FAKE_PM_REFUSE=35", "CAP_SYS_ADMIN"},
        {"FAKE_PM_REFUSE=27", "not supported"},
        {"FAKE_PM_REFUSE=26", "another profiler holds"},
        {"FAKE_PM_REFUSE=999", "CUPTI error 999"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reader *r = recorded("copy", NULL, cases[i][0], 3);
        const char *said = strstr(last.err, "PCIe not sampled: ");
        assert_non_null(said);
        assert_non_null(strstr(said, cases[i][1]));
        assert_non_null(strstr(trace_property(r, "bus_not_recorded"), cases[i][1]));
        assert_int_equal(trace_count(r, CGT_BUS), 0);
        assert_int_equal(trace_count(r, CGT_COPY), 1);
        assert_int_equal(strlen(last.err), strcspn(last.err, "\n") + 1);
        reader_close(r);
    }
}

static void test_signal(void **state)
{
    (void)state;
    record("signal", NULL, NULL);
    assert_true(WIFSIGNALED(last.status));
    assert_int_equal(WTERMSIG(last.status), SIGTERM);
    struct reader *r = trace_open("t.cgt");
    const struct cgt_copy *copy = trace_record(r, CGT_COPY, 0);
    assert_pattern(r);
    assert_true(bus(r, trace_count(r, CGT_BUS) - 1)->end_ns >= copy->end_ns);
    reader_close(r);
}

static void test_fork(void **state)
{
    (void)state;
    struct reader *r = recorded("fork", NULL, NULL, 0);
    assert_pattern(r);
    reader_close(r);
}

static void test_not_asked(void **state)
{
    (void)state;
    const char *env[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, NULL};
    char *argv[] = {(char *)CUGANTT, "record", "-o", "t.cgt", (char *)MOCK_BUS, "copy", NULL};
    program_directory();
    last = program_run(argv, env);
    struct reader *r = trace_open("t.cgt");
    assert_int_equal(trace_count(r, CGT_BUS), 0);
    assert_null(trace_property(r, "bus_held_ns"));
    assert_null(trace_property(r, "bus_not_recorded"));
    reader_close(r);
}

/* Without =VALUE the next word is the program. */
static void test_option(void **state)
{
    (void)state;
    const char *env[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, NULL};
    char *argv[] = {(char *)CUGANTT, "record", "--pcie", "-o", "t.cgt", (char *)MOCK_BUS, "copy", NULL};
    static const char *const wrong[] = {"--pcie=soon", "--pcie=1ns", "--pcie=1s"};
    program_directory();
    last = program_run(argv, env);
    struct reader *r = trace_open("t.cgt");
    assert_string_equal(trace_property(r, "bus_interval_ns"), "5000");
    reader_close(r);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        argv[2] = (char *)wrong[i];
        last = program_run(argv, env);
        assert_int_equal(WEXITSTATUS(last.status), 2);
        assert_non_null(strstr(last.err, "--pcie"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covers),   cmocka_unit_test(test_clock),   cmocka_unit_test(test_devices),
        cmocka_unit_test(test_range),    cmocka_unit_test(test_overflow), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_signal),   cmocka_unit_test(test_fork),    cmocka_unit_test(test_not_asked),
        cmocka_unit_test(test_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
