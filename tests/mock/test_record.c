/* `cugantt record` around a program that uses a fake libcupti, and around programs without CUDA. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

static const char *const environment[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, "RANK=3", NULL};

/* `cugantt record ARGUMENTS...` in a new directory; the list ends with NULL. */
#define RECORD(...) record((char *[]){(char *)CUGANTT, "record", __VA_ARGS__, NULL})

static struct outcome record(char *const argv[])
{
    program_directory();
    return program_run(argv, environment);
}

static void assert_status(const struct outcome *outcome, int status)
{
    if (!WIFEXITED(outcome->status) || WEXITSTATUS(outcome->status) != status)
        fail_msg("wait status %#x, stderr: %s", (unsigned)outcome->status, outcome->err);
}

static void assert_said(const struct outcome *outcome, const char *text)
{
    if (strstr(outcome->err, text) == NULL)
        fail_msg("\"%s\" is not in stderr: %s", text, outcome->err);
}

static void assert_lines(const struct outcome *outcome, int lines)
{
    int count = 0;
    for (const char *at = outcome->err; *at != '\0'; at++)
        count += *at == '\n';
    if (count != lines)
        fail_msg("%d lines expected in stderr: %s", lines, outcome->err);
}

static void test_passes_through(void **state)
{
    (void)state;
    struct outcome o = RECORD("-o", "t.cgt", "--", MOCK_HOST, "normal");
    assert_status(&o, 7);
    assert_string_equal(o.out, "output of the program\n");
    assert_string_equal(o.err, "cugantt: t.cgt: 4 operations, 2 calls, 0 lost\n");
    reader_close(trace_open("t.cgt"));
}

static void test_default_name(void **state)
{
    (void)state;
    char names[4][256], expected[64];
    struct outcome o = RECORD(MOCK_HOST, "twice");
    assert_status(&o, 0);
    assert_int_equal(program_traces(names, 4), 1);
    struct reader *r = trace_open(names[0]);
    snprintf(expected, sizeof expected, "mock-host-%s.cgt", trace_property(r, "pid"));
    assert_string_equal(names[0], expected);
    reader_close(r);
}

static void test_placeholders(void **state)
{
    (void)state;
    char names[4][256], host[128], expected[256];
    struct outcome o = RECORD("-o", "a%%-%h-%q{RANK}.cgt", MOCK_HOST, "twice");
    assert_status(&o, 0);
    assert_int_equal(gethostname(host, sizeof host), 0);
    snprintf(expected, sizeof expected, "a%%-%s-3.cgt", host);
    assert_int_equal(program_traces(names, 4), 1);
    assert_string_equal(names[0], expected);
}

static void test_wrong_usage(void **state)
{
    (void)state;
    struct outcome o = RECORD("-o", "%q{NOT_THERE}.cgt", MOCK_HOST, "normal");
    assert_status(&o, 2);
    assert_said(&o, "NOT_THERE");
    assert_string_equal(o.out, "");
    o = RECORD("-o", "%z.cgt", MOCK_HOST, "normal");
    assert_status(&o, 2);
    assert_said(&o, "%z");
    o = RECORD("--flush", "soon", MOCK_HOST, "normal");
    assert_status(&o, 2);
    o = RECORD("-o", "t.cgt");
    assert_status(&o, 2);
    assert_lines(&o, 1);
}

static void test_cannot_run(void **state)
{
    (void)state;
    struct outcome o = RECORD("/nowhere/program");
    assert_status(&o, 127);
    assert_lines(&o, 1);
    o = RECORD("no-program-of-this-name");
    assert_status(&o, 127);
    assert_lines(&o, 1);
    o = RECORD("/etc/passwd");
    assert_status(&o, 126);
    assert_lines(&o, 1);
}

static void test_never_used_cuda(void **state)
{
    (void)state;
    char names[4][256];
    struct outcome o = RECORD("sh", "-c", "echo out; exit 5");
    assert_status(&o, 5);
    assert_string_equal(o.out, "out\n");
    assert_string_equal(o.err, "cugantt: sh never used CUDA: nothing recorded\n");
    o = RECORD(MOCK_HOST, "query");
    assert_status(&o, 0);
    assert_lines(&o, 1);
    assert_said(&o, "never used one: nothing recorded");
    assert_int_equal(program_traces(names, 4), 0);
}

static void test_not_recorded(void **state)
{
    (void)state;
    char *argv[] = {(char *)CUGANTT, "record", (char *)MOCK_HOST, "normal", NULL};
    const char *busy[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, "FAKE_CUPTI_BUSY=1", NULL};
    program_directory();
    struct outcome o = program_run(argv, busy);
    assert_status(&o, 7);
    assert_lines(&o, 1);
    assert_said(&o, "was not recorded: CUPTI cannot be used: another profiler or debugger");
    o = RECORD("-o", "/nowhere/t.cgt", MOCK_HOST, "normal");
    assert_status(&o, 7);
    assert_said(&o, "/nowhere/t.cgt: cannot create");
}

static void test_newer_cupti(void **state)
{
    (void)state;
    char *argv[] = {(char *)CUGANTT, "record", "-o", "t.cgt", (char *)MOCK_HOST, "normal", NULL};
    const char *newer[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, "FAKE_CUPTI_VERSION=140000", NULL};
    program_directory();
    struct outcome o = program_run(argv, newer);
    assert_status(&o, 7);
    assert_said(&o, "t.cgt: 4 operations, 2 calls, 0 lost; CUPTI is newer than this cugantt knows");
    reader_close(trace_open("t.cgt"));
}

static void test_disk_full(void **state)
{
    (void)state;
    struct outcome o = RECORD("-o", "t.cgt", MOCK_HOST, "full");
    assert_status(&o, 0);
    assert_lines(&o, 1);
    assert_said(&o, "cannot write: File too large");
    assert_true(strstr(o.err, " 0 lost") == NULL);
}

/* A disk of its own, which only the program sees. */
static void test_disk_really_full(void **state)
{
    (void)state;
    static const char script[] = "mkdir disk && mount -t tmpfs -o size=256k none disk || exit 77\n"
                                 "\"$0\" record -o disk/t.cgt -- \"$1\" long || exit\n"
                                 "cp disk/t.cgt .";
    char *argv[] = {"unshare", "-rm", "sh", "-c", (char *)script, (char *)CUGANTT, (char *)MOCK_HOST, NULL};
    const char *env[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, NULL};
    program_directory();
    struct outcome o = program_run(argv, env);
    if (!WIFEXITED(o.status) || (WEXITSTATUS(o.status) != 0 && strstr(o.err, "cugantt") == NULL))
        skip(); /* no name spaces here */
    assert_status(&o, 0);
    assert_said(&o, "cannot write: No space left on device");
    struct reader *r = trace_open("t.cgt");
    assert_true(trace_count(r, CGT_CALL) > 1000);
    assert_int_equal(trace_count(r, CGT_CALL) + trace_count(r, CGT_KERNEL) + trace_loss(r, CGT_LOSS_WRITE), 10001);
    reader_close(r);
}

static void test_taken_over(void **state)
{
    (void)state;
    struct outcome o = RECORD("--flush", "0", "-o", "t.cgt", MOCK_HOST, "taken-over");
    assert_status(&o, 0);
    assert_lines(&o, 1);
    assert_said(&o, "t.cgt: 2 operations, 0 calls, 1 lost; another profiler in the program took CUPTI over");
    struct reader *r = trace_open("t.cgt");
    assert_int_equal(trace_loss(r, CGT_LOSS_DROPPED), 1);
    reader_close(r);
}

/* Neither loses anything: what comes before is ours, what comes after the other's. */
static void test_rival(void **state)
{
    (void)state;
    char *argv[] = {(char *)CUGANTT, "record", "--flush", "0", "-o", "t.cgt", (char *)MOCK_HOST, "rival", NULL};
    const char *env[] = {"CUGANTT_CUPTI=" FAKE_CUPTI, "RIVAL=" RIVAL, NULL};
    program_directory();
    struct outcome o = program_run(argv, env);
    assert_status(&o, 0);
    assert_string_equal(o.out, "the other one got 2 kernels\n");
    assert_said(&o, "t.cgt: 1 operations, 0 calls, 0 lost; another profiler in the program took CUPTI over");
    struct reader *r = trace_open("t.cgt");
    assert_int_equal(trace_count(r, CGT_PAUSE), 1);
    assert_int_equal(((const struct cgt_pause *)trace_record(r, CGT_PAUSE, 0))->reason, CGT_PAUSE_PROFILER);
    reader_close(r);
}

static void test_taken_over_silently(void **state)
{
    (void)state;
    struct outcome o = RECORD("--flush", "0", "-o", "t.cgt", MOCK_HOST, "taken-over-silently");
    assert_status(&o, 0);
    assert_lines(&o, 1);
    assert_said(&o, "t.cgt: 1 operations, 0 calls, 1 lost; another profiler in the program took CUPTI over");
}

static void test_killed(void **state)
{
    (void)state;
    struct outcome o = RECORD("--flush", "20", "-o", "t.cgt", MOCK_HOST, "killed");
    assert_true(WIFSIGNALED(o.status));
    assert_int_equal(WTERMSIG(o.status), SIGKILL);
    assert_lines(&o, 1);
    assert_said(&o, "t.cgt: 1 operations, 1 calls; process ");
    assert_said(&o, "ended early");
}

static void test_signal_death(void **state)
{
    (void)state;
    struct outcome o = RECORD(MOCK_HOST, "signal");
    assert_true(WIFSIGNALED(o.status));
    assert_int_equal(WTERMSIG(o.status), SIGTERM);
}

/* Sent to the recorder alone, a signal reaches the program. */
static void test_signal_forwarded(void **state)
{
    (void)state;
    char *argv[] = {(char *)CUGANTT, "record", (char *)MOCK_HOST, "wait", NULL};
    const struct timespec tick = {0, 10 * 1000000};
    struct stat out = {0};
    program_directory();
    pid_t pid = program_start(argv, environment);
    for (int i = 0; i < 500 && (stat("stdout.txt", &out) != 0 || out.st_size == 0); i++)
        nanosleep(&tick, NULL);
    kill(pid, SIGUSR1);
    struct outcome o = program_wait(pid);
    assert_string_equal(o.out, "ready\n");
    assert_status(&o, 3);
}

static void test_overwrites_earlier_run(void **state)
{
    (void)state;
    program_directory();
    char *argv[] = {(char *)CUGANTT, "record", "-o", "t.cgt", (char *)MOCK_HOST, "normal", NULL};
    FILE *earlier = fopen("t.cgt", "w");
    assert_non_null(earlier);
    assert_true(fputs("a trace of an earlier run", earlier) >= 0);
    fclose(earlier);
    struct outcome o = program_run(argv, environment);
    assert_status(&o, 7);
    reader_close(trace_open("t.cgt"));
}

/* Two processes, one name: neither loses its trace. */
static void test_two_processes(void **state)
{
    (void)state;
    char names[4][256];
    struct outcome o = RECORD("-o", "t.cgt", MOCK_HOST, "exec");
    assert_status(&o, 0);
    assert_lines(&o, 2);
    assert_int_equal(program_traces(names, 4), 2);
    unsigned operations = 0;
    for (int i = 0; i < 2; i++) {
        struct reader *r = trace_open(names[i]);
        assert_int_equal(trace_count(r, CGT_END), 1);
        operations += trace_count(r, CGT_KERNEL) + trace_count(r, CGT_COPY) + trace_count(r, CGT_MEMSET);
        reader_close(r);
    }
    assert_int_equal(operations, 1 + 4);
    assert_string_equal(names[1], "t.cgt");
    assert_int_equal(strncmp(names[0], "t-", 2), 0);
}

/* The name holds for the directory of the recorder, wherever the program goes. */
static void test_program_changes_directory(void **state)
{
    (void)state;
    struct outcome o = RECORD("-o", "t.cgt", "sh", "-c", "cd / && exec " MOCK_HOST " twice");
    assert_status(&o, 0);
    assert_said(&o, "cugantt: t.cgt: ");
    reader_close(trace_open("t.cgt"));
}

static void test_run_list(void **state)
{
    (void)state;
    char *argv[] = {(char *)CUGANTT, "run", "--list", NULL};
    static const char *const names[] = {"pageable ", "pinned ", "default-stream ", "explicit-stream ",
                                        "pipeline-pageable ", "pipeline-pinned "};
    program_directory();
    struct outcome o = program_run(argv, NULL);
    assert_status(&o, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(strstr(o.out, names[i]));
    char *wrong[] = {(char *)CUGANTT, "run", "no-such-workload", NULL};
    o = program_run(wrong, NULL);
    assert_status(&o, 2);
    assert_said(&o, "no-such-workload");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes_through),
        cmocka_unit_test(test_default_name),
        cmocka_unit_test(test_placeholders),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_cannot_run),
        cmocka_unit_test(test_never_used_cuda),
        cmocka_unit_test(test_not_recorded),
        cmocka_unit_test(test_newer_cupti),
        cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_disk_really_full),
        cmocka_unit_test(test_taken_over),
        cmocka_unit_test(test_taken_over_silently),
        cmocka_unit_test(test_rival),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_signal_death),
        cmocka_unit_test(test_signal_forwarded),
        cmocka_unit_test(test_overwrites_earlier_run),
        cmocka_unit_test(test_two_processes),
        cmocka_unit_test(test_program_changes_directory),
        cmocka_unit_test(test_run_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
