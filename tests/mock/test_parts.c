/* `cugantt record` with options that say what to record, around programs that mark their parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

static struct outcome last;

/* `cugantt record -o t.cgt ARGUMENTS... SCENARIO`, which must succeed; opens the trace. */
#define RECORD(...) record((char *[]){(char *)CUGANTT, "record", "-o", "t.cgt", __VA_ARGS__, NULL})

static struct outcome run(char *const argv[])
{
    static const char *const environment[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, NULL};
    program_directory();
    return last = program_run(argv, environment);
}

static struct reader *record(char *const argv[])
{
    run(argv);
    if (!WIFEXITED(last.status) || WEXITSTATUS(last.status) != 0)
        fail_msg("wait status %#x, stderr: %s", (unsigned)last.status, last.err);
    return trace_open("t.cgt");
}

static const struct cgt_range *range_named(const struct reader *r, const char *name)
{
    const struct cgt_range *range;
    for (unsigned i = 0; (range = trace_record(r, CGT_RANGE, i)) != NULL; i++)
        if (strcmp(reader_string(r, range->name), name) == 0)
            return range;
    fail_msg("no range \"%s\"", name);
    return NULL;
}

/* Ranges from before CUDA, of any text and domain, from several threads; and those that never ended. */
static void test_nvtx(void **state)
{
    (void)state;
    struct reader *r = RECORD("--nvtx", MOCK_PARTS, "nvtx");
    assert_int_equal(trace_count(r, CGT_RANGE), 8);
    const struct cgt_range *outer = range_named(r, "before CUDA"), *wide = range_named(r, "wide ä€😀");
    const struct cgt_range *library = range_named(r, "registered"), *started = range_named(r, "across threads");
    const struct cgt_range *other = range_named(r, "in the other thread"), *mark = range_named(r, "here");
    const struct cgt_kernel *kernel = trace_record(r, CGT_KERNEL, 0);
    assert_int_equal(outer->type, CGT_RANGE_PUSHED);
    assert_int_equal(outer->open, 0);
    assert_true(outer->begin_ns <= wide->begin_ns && wide->end_ns <= outer->end_ns);
    assert_true(wide->begin_ns <= kernel->begin_ns && kernel->end_ns <= wide->end_ns);
    assert_string_equal(reader_string(r, outer->domain), "");
    assert_string_equal(reader_string(r, library->domain), "library");
    assert_int_equal(library->color, 0xff112233);
    assert_int_equal(outer->color, 0);
    assert_int_equal(started->type, CGT_RANGE_STARTED);
    assert_int_equal(started->thread, outer->thread);
    assert_true(started->end_ns > mark->begin_ns);
    assert_true(other->thread != outer->thread);
    assert_int_equal(mark->type, CGT_RANGE_MARK);
    assert_int_equal(mark->begin_ns, mark->end_ns);
    assert_int_equal(range_named(r, "never popped")->open, 1);
    assert_int_equal(range_named(r, "never ended")->open, 1);
    assert_int_equal(trace_loss(r, CGT_LOSS_DROPPED), 0);
    reader_close(r);
    r = RECORD(MOCK_PARTS, "steps");
    assert_int_equal(trace_count(r, CGT_RANGE), 0);
    assert_int_equal(trace_count(r, CGT_KERNEL), 9);
    reader_close(r);
}

static void test_nvtx_many(void **state)
{
    (void)state;
    struct reader *r = RECORD("--nvtx", "--flush", "1", MOCK_PARTS, "many");
    const struct cgt_range *range;
    unsigned open = 0;
    for (unsigned i = 0; (range = trace_record(r, CGT_RANGE, i)) != NULL; i++)
        open += range->open;
    assert_int_equal(trace_count(r, CGT_RANGE), 100000 + 10);
    assert_int_equal(open, 10); /* of each thread the one that ended with it */
    assert_int_equal(trace_loss(r, CGT_LOSS_DROPPED), 0);
    reader_close(r);
    r = RECORD("--range", "nvtx:many", MOCK_PARTS, "many");
    assert_int_equal(trace_count(r, CGT_KERNEL), 0);
    assert_true(trace_count(r, CGT_PAUSE) > 1);
    reader_close(r);
}

static void test_nvtx_fork(void **state)
{
    (void)state;
    struct reader *r = RECORD("--nvtx", "--range", "nvtx:child", MOCK_PARTS, "fork");
    assert_int_equal(trace_count(r, CGT_KERNEL), 0); /* the parent never enters it */
    reader_close(r);
    r = RECORD("--nvtx", MOCK_PARTS, "fork");
    assert_int_equal(trace_count(r, CGT_RANGE), 1);
    range_named(r, "parent");
    reader_close(r);
}

/* The launches that are in the trace, by number, must be these (ends with 0), each with its call. */
static void assert_launches(const struct reader *r, const uint32_t *numbers)
{
    unsigned count = 0;
    for (; numbers[count] != 0; count++) {
        const struct cgt_kernel *kernel = trace_record(r, CGT_KERNEL, count);
        const struct cgt_call *call = trace_record(r, CGT_CALL, count);
        if (kernel == NULL || call == NULL || kernel->grid[0] != numbers[count] || call->correlation != numbers[count])
            fail_msg("launch %u is not number %u", count, (unsigned)numbers[count]);
    }
    assert_int_equal(trace_count(r, CGT_KERNEL), count);
    assert_int_equal(trace_count(r, CGT_CALL), count);
}

static void test_range_profiler(void **state)
{
    (void)state;
    struct reader *r = RECORD("--range", "profiler", MOCK_PARTS, "profiler");
    assert_launches(r, (const uint32_t[]){2, 4, 0});
    assert_int_equal(trace_count(r, CGT_PAUSE), 3);
    const struct cgt_pause *between = trace_record(r, CGT_PAUSE, 1);
    const struct cgt_kernel *second = trace_record(r, CGT_KERNEL, 0), *fourth = trace_record(r, CGT_KERNEL, 1);
    assert_int_equal(between->reason, CGT_PAUSE_RANGE);
    assert_true(between->begin_ns >= second->end_ns && between->end_ns <= fourth->begin_ns);
    assert_string_equal(trace_property(r, "limited_to"), "between cudaProfilerStart and cudaProfilerStop");
    assert_string_equal(last.err, "cugantt: t.cgt: 2 operations, 2 calls, 0 lost\n");
    reader_close(r);
    r = RECORD("--range", "profiler", MOCK_PARTS, "slow");
    assert_int_equal(trace_count(r, CGT_KERNEL), 0);
    assert_non_null(strstr(last.err, "the range that was to be recorded was never entered"));
    reader_close(r);
}

static void test_range_nvtx(void **state)
{
    (void)state;
    struct reader *r = RECORD("--range", "nvtx:step 2", MOCK_PARTS, "steps");
    assert_launches(r, (const uint32_t[]){21, 22, 0});
    assert_int_equal(trace_count(r, CGT_RANGE), 0);
    assert_int_equal(trace_count(r, CGT_PAUSE), 2);
    reader_close(r);
    r = RECORD("--nvtx", "--range", "nvtx:step 2", MOCK_PARTS, "steps");
    assert_int_equal(trace_count(r, CGT_RANGE), 3); /* with what is around it */
    assert_int_equal(range_named(r, "all")->open, 0);
    reader_close(r);
}

static void test_delay_and_duration(void **state)
{
    (void)state;
    struct reader *r = RECORD("--delay", "125ms", "--duration", "150ms", MOCK_PARTS, "slow");
    unsigned kernels = trace_count(r, CGT_KERNEL);
    assert_in_range(kernels, 1, 5); /* 3 on a machine with time to spare */
    assert_int_equal(trace_count(r, CGT_CALL), kernels);
    assert_true(((const struct cgt_kernel *)trace_record(r, CGT_KERNEL, 0))->grid[0] > 1);
    assert_int_equal(trace_count(r, CGT_PAUSE), 2);
    assert_int_equal(((const struct cgt_pause *)trace_record(r, CGT_PAUSE, 0))->reason, CGT_PAUSE_DELAY);
    assert_int_equal(((const struct cgt_pause *)trace_record(r, CGT_PAUSE, 1))->reason, CGT_PAUSE_DURATION);
    assert_string_equal(trace_property(r, "limited_to"), "150 ms, from 125 ms on");
    reader_close(r);
    r = RECORD("--delay", "3600s", MOCK_PARTS, "slow");
    reader_close(r);
}

static void test_max_size(void **state)
{
    (void)state;
    struct stat about;
    struct reader *r = RECORD("--max-size", "1MiB", "--flush", "10", MOCK_PARTS, "large");
    assert_int_equal(stat("t.cgt", &about), 0);
    assert_in_range(about.st_size, 1 << 20, 4 << 20); /* all of it would be 5.6 MiB */
    assert_true(trace_count(r, CGT_KERNEL) > 1000);
    assert_true(trace_count(r, CGT_KERNEL) < 40000);
    assert_int_equal(trace_count(r, CGT_PAUSE), 1);
    assert_int_equal(((const struct cgt_pause *)trace_record(r, CGT_PAUSE, 0))->reason, CGT_PAUSE_SIZE);
    assert_non_null(strstr(last.err, "0 lost; stopped recording at 1 MiB, as asked"));
    reader_close(r);
}

static void test_graphs(void **state)
{
    (void)state;
    struct reader *r = RECORD("--graphs", "whole", MOCK_PARTS, "graph");
    const struct cgt_graph *graph = trace_record(r, CGT_GRAPH, 0);
    assert_non_null(graph);
    assert_int_equal(graph->graph, 4);
    assert_int_equal(graph->stream, 13);
    assert_int_equal(graph->correlation, 9);
    assert_int_equal(graph->begin_ns, 1000);
    assert_int_equal(graph->end_ns, 3000);
    assert_string_equal(trace_property(r, "graphs"), "whole");
    assert_int_equal(((const struct cgt_end *)trace_record(r, CGT_END, 0))->operations, 1);
    reader_close(r);
    r = RECORD(MOCK_PARTS, "calls");
    assert_null(trace_property(r, "graphs"));
    reader_close(r);
}

/* Which of the launch, the copy and the question are there. */
static void assert_calls(const char *option, const char *numbers)
{
    struct reader *r = RECORD("--calls", (char *)option, MOCK_PARTS, "calls");
    char found[8] = "";
    const struct cgt_call *call;
    for (unsigned i = 0; (call = trace_record(r, CGT_CALL, i)) != NULL && i < 7; i++)
        found[i] = (char)('0' + call->correlation);
    assert_string_equal(found, numbers);
    assert_int_equal(trace_count(r, CGT_KERNEL), 1);
    if (strcmp(option, "work") == 0)
        assert_null(trace_property(r, "calls"));
    else
        assert_string_equal(trace_property(r, "calls"), option);
    reader_close(r);
}

static void test_calls(void **state)
{
    (void)state;
    assert_calls("all", "123");
    assert_calls("work", "12");
    assert_calls("blocking", "2");
    assert_calls("none", "");
}

/* What the program noted of itself stands with the tracer's own properties. */
static void test_property(void **state)
{
    (void)state;
    struct reader *r = RECORD(MOCK_PARTS, "property");
    assert_string_equal(trace_property(r, "probe.copy_engines"), "3");
    assert_string_equal(trace_property(r, "text"), "ä, \"b\"");
    assert_non_null(trace_property(r, "pid"));
    reader_close(r);
}

/* `run` takes the same options. */
static void test_wrong_usage(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"--calls", "some"},    {"--graphs", "half"}, {"--range", "nvtx:"},
                                           {"--range", "kernels"}, {"--delay", "soon"},  {"--max-size", "0"},
                                           {"--max-size", "7Q"},   {"--delay", "-1s"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *const *commands[] = {
            (char *[]){(char *)CUGANTT, "record", (char *)wrong[i][0], (char *)wrong[i][1], (char *)MOCK_PARTS, "calls",
                       NULL},
            (char *[]){(char *)CUGANTT, "run", (char *)wrong[i][0], (char *)wrong[i][1], "pageable", NULL}};
        for (int k = 0; k < 2; k++) {
            run(commands[k]);
            assert_true(WIFEXITED(last.status));
            assert_int_equal(WEXITSTATUS(last.status), 2);
            assert_non_null(strstr(last.err, wrong[i][0]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nvtx),          cmocka_unit_test(test_nvtx_many),
        cmocka_unit_test(test_nvtx_fork),     cmocka_unit_test(test_range_profiler),
        cmocka_unit_test(test_range_nvtx),    cmocka_unit_test(test_delay_and_duration),
        cmocka_unit_test(test_max_size),      cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_calls),         cmocka_unit_test(test_property),
        cmocka_unit_test(test_wrong_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
