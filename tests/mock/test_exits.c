/* Whatever way a program ends: its trace has what came before, and its exit status or signal is that of an untraced
 * run. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

/* How the tracer and CUPTI behave. */
static const char *const at_end[] = {"CUGANTT_FLUSH_MS=0", "FAKE_CUPTI_VERSION=130001"};
static const char *const often[] = {"CUGANTT_FLUSH_MS=20", "FAKE_CUPTI_VERSION=130001"};
static const char *const often_but_pending[] = {"CUGANTT_FLUSH_MS=20", "FAKE_CUPTI_PENDING=1"};

static struct outcome run(const char *scenario, const char *const flush[2], bool traced)
{
    char *argv[] = {(char *)MOCK_HOST, (char *)scenario, NULL};
    const char *env[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, "CUGANTT_OUTPUT=t.cgt", flush[0], flush[1],
                         traced ? "CUDA_INJECTION64_PATH=" TRACER : NULL, NULL};
    program_directory();
    return program_run(argv, env);
}

/* Runs the scenario with and without the tracer, and opens the trace. */
static struct reader *trace_of(const char *scenario, const char *const flush[2])
{
    struct outcome untraced = run(scenario, flush, false);
    assert_int_not_equal(access("t.cgt", F_OK), 0);
    struct outcome traced = run(scenario, flush, true);
    if (traced.status != untraced.status)
        fail_msg("%s: wait status %#x, untraced %#x", scenario, (unsigned)traced.status, (unsigned)untraced.status);
    assert_string_equal(traced.out, untraced.out);
    assert_string_equal(traced.err, untraced.err);
    return trace_open("t.cgt");
}

/* Nothing is flushed before the end here, so all that the trace has was written then. */
static void assert_complete(const char *scenario)
{
    struct reader *r = trace_of(scenario, at_end);
    if (trace_count(r, CGT_KERNEL) != 2 || trace_count(r, CGT_END) != 1)
        fail_msg("%s: %u kernels, %u ends", scenario, trace_count(r, CGT_KERNEL), trace_count(r, CGT_END));
    assert_int_equal(trace_count(r, CGT_LOSS), 0);
    reader_close(r);
}

static void test_exits(void **state)
{
    (void)state;
    assert_complete("return");
    assert_complete("exit-thread");
    assert_complete("quick-exit");
}

static void test_faults(void **state)
{
    (void)state;
    assert_complete("abort");
    assert_complete("segv");
    assert_complete("overflow-caught");
}

static void test_signals(void **state)
{
    (void)state;
    assert_complete("sent-segv");
    assert_complete("term");
    assert_complete("int");
    assert_complete("hup");
    assert_complete("usr1");
    assert_complete("pipe");
    assert_complete("alarm");
}

static void test_threads_at_work(void **state)
{
    (void)state;
    assert_complete("busy");
    assert_complete("signalled-twice");
}

static void test_handlers_of_the_program(void **state)
{
    (void)state;
    assert_complete("chained-handler");
    assert_complete("ignored");
}

static void test_forked_child(void **state)
{
    (void)state;
    assert_complete("forked-child");
}

/* Where the tracer gets no chance: what was flushed before is there, and nothing is broken. */
static void assert_flushed(const char *scenario, const char *const flush[2], unsigned kernels)
{
    struct reader *r = trace_of(scenario, flush);
    if (trace_count(r, CGT_KERNEL) < kernels)
        fail_msg("%s: %u kernels", scenario, trace_count(r, CGT_KERNEL));
    assert_int_equal(trace_count(r, CGT_END), 0);
    reader_close(r);
}

static void test_no_chance(void **state)
{
    (void)state;
    assert_flushed("kill", often, 1);
    assert_flushed("exit-now", often, 1);
    assert_flushed("overflow", often, 1);
    assert_flushed("own-handler", often, 1);
    assert_flushed("earlier-handler", often, 1);
}

/* Buffers do not come back while an operation is pending: what is in them is read all the same. */
static void test_pending(void **state)
{
    (void)state;
    assert_flushed("kill", often_but_pending, 1);
    assert_flushed("exit-now", often_but_pending, 1);
}

/* The dying thread holds CUPTI's lock: the program does not wait for it for long, and what it had done is there. */
static void test_stuck(void **state)
{
    (void)state;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    struct reader *r = trace_of("stuck", often_but_pending);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - begin.tv_sec < 6);
    assert_int_equal(trace_count(r, CGT_KERNEL), 2);
    assert_int_equal(trace_count(r, CGT_END), 1);
    reader_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exits),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_threads_at_work),
        cmocka_unit_test(test_handlers_of_the_program),
        cmocka_unit_test(test_forked_child),
        cmocka_unit_test(test_no_chance),
        cmocka_unit_test(test_pending),
        cmocka_unit_test(test_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
