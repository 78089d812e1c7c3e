/* The tracer in a program, with a fake libcupti in place of a GPU. No recorder: the environment is set here. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

static struct outcome run(const char *scenario, const char *variable)
{
    char *argv[] = {(char *)MOCK_HOST, (char *)scenario, NULL};
    const char *env[] = {"CUDA_INJECTION64_PATH=" TRACER, "CUGANTT_CUPTI=" FAKE_CUPTI, "CUGANTT_OUTPUT=t.cgt",
                         "CUGANTT_TITLE=A title", "LD_LIBRARY_PATH=" FAKE_NVML_DIR, variable, NULL};
    program_directory();
    return program_run(argv, env);
}

static void assert_status(struct outcome outcome, int status)
{
    if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) != status)
        fail_msg("wait status %#x, stderr: %s", (unsigned)outcome.status, outcome.err);
}

/* Runs a scenario that must end with 0 and without a word, and opens its trace. */
static struct reader *traced(const char *scenario, const char *variable)
{
    struct outcome outcome = run(scenario, variable);
    assert_status(outcome, 0);
    assert_string_equal(outcome.err, "");
    return trace_open("t.cgt");
}

static void test_normal_untouched(void **state)
{
    (void)state;
    struct outcome outcome = run("normal", NULL);
    assert_status(outcome, 7);
    assert_string_equal(outcome.out, "output of the program\n");
    assert_string_equal(outcome.err, "");
}

static void test_normal_machine(void **state)
{
    (void)state;
    run("normal", NULL);
    struct reader *r = trace_open("t.cgt");
    const struct cgt_device *device = trace_record(r, CGT_DEVICE, 0);
    assert_string_equal(reader_string(r, device->name), "Mock GPU");
    assert_int_equal(device->sm_count, 132);
    assert_int_equal(device->copy_engines, 3);
    assert_int_equal(device->max_warps_per_sm, 64);
    assert_int_equal(device->registers_per_sm, 65536);
    assert_int_equal(device->shared_bytes_per_sm, 233472);
    assert_int_equal(device->memory_bus_mb_per_s, 4800000);
    assert_int_equal(device->pcie_generation, 5);
    assert_int_equal(device->pcie_lanes, 16);
    const struct cgt_context *context = trace_record(r, CGT_CONTEXT, 0);
    assert_int_equal(context->null_stream, 7);
    const struct cgt_stream *stream = trace_record(r, CGT_STREAM, 0);
    assert_int_equal(stream->id, 13);
    assert_int_equal(stream->priority, -5);
    assert_int_equal(stream->flag, CGT_STREAM_NON_BLOCKING);
    reader_close(r);
}

static void test_normal_operations(void **state)
{
    (void)state;
    run("normal", NULL);
    struct reader *r = trace_open("t.cgt");
    const struct cgt_kernel *kernel = trace_record(r, CGT_KERNEL, 0);
    assert_string_equal(reader_string(r, kernel->name), "_Z4spinx");
    assert_int_equal(kernel->begin_ns, 2000);
    assert_int_equal(kernel->end_ns, 2500);
    assert_int_equal(kernel->correlation, 7);
    assert_int_equal(kernel->stream, 13);
    assert_int_equal(kernel->channel, 2);
    assert_int_equal(kernel->channel_type, CGT_CHANNEL_COMPUTE);
    assert_int_equal(kernel->graph, 3);
    assert_int_equal(kernel->graph_node, 9);
    assert_int_equal(kernel->grid[2], 6);
    assert_int_equal(kernel->block[1], 2);
    assert_int_equal(kernel->registers_per_thread, 40);
    assert_int_equal(kernel->dynamic_shared_bytes, 2048);
    const struct cgt_copy *copy = trace_record(r, CGT_COPY, 0);
    assert_int_equal(copy->bytes, 4096);
    assert_int_equal(copy->copy_kind, CGT_COPY_HTOD);
    assert_int_equal(copy->source_kind, CGT_MEMORY_PAGEABLE);
    assert_int_equal(copy->asynchronous, 1);
    assert_int_equal(copy->channel_type, CGT_CHANNEL_COPY_ENGINE);
    const struct cgt_copy *peer = trace_record(r, CGT_COPY, 1);
    assert_int_equal(peer->copy_kind, CGT_COPY_PTOP);
    assert_int_equal(peer->target_device, 1);
    assert_int_equal(peer->asynchronous, 0);
    const struct cgt_memset *set = trace_record(r, CGT_MEMSET, 0);
    assert_int_equal(set->value, 0xab);
    assert_int_equal(set->memory_kind, CGT_MEMORY_DEVICE);
    reader_close(r);
}

static void test_normal_host(void **state)
{
    (void)state;
    run("normal", NULL);
    struct reader *r = trace_open("t.cgt");
    const struct cgt_call *first = trace_record(r, CGT_CALL, 0), *launch = trace_record(r, CGT_CALL, 1);
    assert_string_equal(reader_string(r, first->name), "cuInit");
    assert_int_equal(first->domain, CGT_CALL_DRIVER);
    assert_string_equal(reader_string(r, launch->name), "cudaLaunchKernel_v7000");
    assert_int_equal(launch->domain, CGT_CALL_RUNTIME);
    assert_int_equal(launch->correlation, 7);
    const struct cgt_thread *thread = trace_record(r, CGT_THREAD, 0);
    assert_int_equal(thread->id, launch->thread);
    assert_string_equal(reader_string(r, thread->name), "mock-host");
    const struct cgt_sync *sync = trace_record(r, CGT_SYNC, 0);
    assert_int_equal(sync->type, CGT_SYNC_STREAM_WAIT);
    assert_int_equal(sync->event_sync, 77);
    const struct cgt_event *event = trace_record(r, CGT_EVENT, 0);
    assert_int_equal(event->event, 4);
    assert_int_equal(event->event_sync, 77);
    const struct cgt_memory *memory = trace_record(r, CGT_MEMORY, 0);
    assert_int_equal(memory->kind, CGT_MEMORY_PINNED);
    assert_int_equal(memory->stream, CGT_NONE);
    const struct cgt_overhead *overhead = trace_record(r, CGT_OVERHEAD, 0);
    assert_int_equal(overhead->kind, CGT_OVERHEAD_COMMAND_BUFFER_FULL);
    assert_int_equal(overhead->thread, 99);
    assert_int_equal(overhead->correlation, 13);
    reader_close(r);
}

static void test_normal_provenance(void **state)
{
    (void)state;
    run("normal", "CUDA_LAUNCH_BLOCKING=1");
    struct reader *r = trace_open("t.cgt");
    assert_string_equal(trace_property(r, "program"), "mock-host");
    assert_non_null(strstr(trace_property(r, "command"), "mock-host normal"));
    assert_string_equal(trace_property(r, "title"), "A title");
    assert_string_equal(trace_property(r, "cupti"), "130001");
    assert_string_equal(trace_property(r, "env.CUDA_LAUNCH_BLOCKING"), "1");
    assert_int_equal(strlen(trace_property(r, "started")), strlen("2026-01-02T03:04:05Z"));
    assert_null(trace_property(r, "not_recorded"));
    assert_string_equal(trace_property(r, "calls_not_recorded"),
                        "cudaGetLastError cudaGetErrorString cudaGetDevice cudaPointerGetAttributes "
                        "cudaDeviceGetAttribute cudaOccupancyMaxActiveBlocksPerMultiprocessor "
                        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaStreamIsCapturing "
                        "cudaStreamIsCapturing_ptsz cudaOccupancyMaxActiveClusters");
    assert_int_equal(trace_count(r, CGT_CLOCK), 2);
    const struct cgt_end *end = trace_record(r, CGT_END, 0);
    assert_int_equal(end->operations, 4);
    assert_int_equal(end->calls, 2);
    assert_int_equal(trace_count(r, CGT_LOSS), 0);
    reader_close(r);
}

static void test_old_version(void **state)
{
    (void)state;
    struct reader *r = traced("old", "FAKE_CUPTI_VERSION=18");
    const struct cgt_sync *sync = trace_record(r, CGT_SYNC, 0);
    assert_true(sync->event_sync == UINT64_MAX);
    assert_int_equal(sync->event, 4);
    const struct cgt_event *event = trace_record(r, CGT_EVENT, 0);
    assert_true(event->event_sync == UINT64_MAX);
    assert_int_equal(event->time_ns, 0);
    const struct cgt_overhead *overhead = trace_record(r, CGT_OVERHEAD, 0);
    assert_int_equal(overhead->correlation, 0);
    assert_int_equal(overhead->thread, CGT_NONE);
    reader_close(r);
}

static void assert_untraced(struct outcome outcome, int status, const char *reason)
{
    assert_status(outcome, status);
    assert_non_null(strstr(outcome.err, "cugantt: not recorded: "));
    if (strstr(outcome.err, reason) == NULL)
        fail_msg("stderr: %s", outcome.err);
    assert_int_equal(access("t.cgt", F_OK), -1);
}

static void test_untraced(void **state)
{
    (void)state;
    assert_untraced(run("normal", "FAKE_CUPTI_VERSION=12"), 7, "too old");
    assert_untraced(run("normal", "FAKE_CUPTI_BUSY=1"), 7, "another profiler or debugger");
    assert_untraced(run("normal", "FAKE_CUPTI_SUBSCRIBED=1"), 7, "another profiler or debugger");
    assert_untraced(run("normal", "FAKE_CUPTI_REFUSE=10"), 7, "kernel");
    assert_untraced(run("normal", "CUGANTT_CUPTI=/nowhere/libcupti.so"), 7, "libcupti was not found");
    assert_untraced(run("normal", "CUGANTT_OUTPUT=/nowhere/t.cgt"), 7, "/nowhere/t.cgt: cannot create");
    assert_untraced(run("normal", "CUGANTT_OUTPUT=%q{NOT_THERE}.cgt"), 7, "NOT_THERE");
}

static void test_kind_refused(void **state)
{
    (void)state;
    struct reader *r = traced("late", "FAKE_CUPTI_REFUSE=17");
    assert_string_equal(trace_property(r, "not_recorded"), "overhead");
    reader_close(r);
}

static void test_query_leaves_no_file(void **state)
{
    (void)state;
    struct outcome outcome = run("query", NULL);
    assert_status(outcome, 0);
    assert_string_equal(outcome.err, "");
    assert_int_equal(access("t.cgt", F_OK), -1);
}

static void test_late_work(void **state)
{
    (void)state;
    struct reader *r = traced("late", NULL);
    assert_int_equal(trace_count(r, CGT_CALL), 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(((const struct cgt_call *)trace_record(r, CGT_CALL, i))->correlation, i + 1);
    reader_close(r);
}

static void test_losses(void **state)
{
    (void)state;
    struct reader *r = traced("refused", "CUGANTT_FLUSH_MS=0");
    assert_in_range(trace_loss(r, CGT_LOSS_REFUSED), 600 - 512 + 1, 600 - 512 + 2); /* one may be in preparation */
    assert_int_equal(trace_loss(r, CGT_LOSS_DROPPED), 1);
    reader_close(r);
    r = traced("dropped", NULL);
    assert_int_equal(trace_loss(r, CGT_LOSS_DROPPED), 5);
    reader_close(r);
    r = traced("unknown", NULL);
    assert_int_equal(trace_loss(r, CGT_LOSS_UNKNOWN), 2);
    assert_int_equal(trace_count(r, CGT_KERNEL), 1);
    reader_close(r);
    r = traced("invalid", NULL);
    assert_int_equal(trace_loss(r, CGT_LOSS_INVALID), 3);
    assert_int_equal(trace_count(r, CGT_KERNEL), 1);
    reader_close(r);
}

static void test_completion_during_exit(void **state)
{
    (void)state;
    struct reader *r = traced("busy-exit", NULL);
    assert_int_equal(trace_count(r, CGT_END), 1);
    assert_true(trace_count(r, CGT_CALL) > 0);
    assert_int_equal(trace_loss(r, CGT_LOSS_DROPPED), 0); /* every buffer came back zeroed */
    reader_close(r);
}

static void test_fork(void **state)
{
    (void)state;
    struct reader *r = traced("fork", NULL);
    assert_int_equal(trace_count(r, CGT_KERNEL), 2);
    assert_int_equal(trace_count(r, CGT_END), 1);
    reader_close(r);
}

static void test_twice(void **state)
{
    (void)state;
    reader_close(traced("twice", NULL));
}

static void test_disk_full(void **state)
{
    (void)state;
    assert_status(run("full", NULL), 0);
    struct reader *r = trace_open("t.cgt");
    assert_true(trace_count(r, CGT_CALL) > 0);
    assert_true(trace_count(r, CGT_CALL) < 10000);
    reader_close(r);
    assert_status(run("normal", "CUGANTT_OUTPUT=/dev/full"), 7);
}

static void test_killed(void **state)
{
    (void)state;
    struct outcome outcome = run("killed", "CUGANTT_FLUSH_MS=20");
    assert_true(WIFSIGNALED(outcome.status));
    struct reader *r = trace_open("t.cgt");
    assert_int_equal(trace_count(r, CGT_KERNEL), 1);
    assert_int_equal(trace_count(r, CGT_CALL), 1);
    assert_int_equal(trace_count(r, CGT_END), 0);
    reader_close(r);
}

/* Without a recorder nobody knows whose file it is: it is kept, and the new one gets a number. */
static void test_existing_kept(void **state)
{
    (void)state;
    char names[4][256];
    char *argv[] = {(char *)MOCK_HOST, (char *)"twice", NULL};
    const char *env[] = {"CUDA_INJECTION64_PATH=" TRACER, "CUGANTT_CUPTI=" FAKE_CUPTI, "CUGANTT_OUTPUT=t.cgt", NULL};
    program_directory();
    assert_status(program_run(argv, env), 0);
    assert_status(program_run(argv, env), 0);
    assert_int_equal(program_traces(names, 4), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal_untouched),
        cmocka_unit_test(test_normal_machine),
        cmocka_unit_test(test_normal_operations),
        cmocka_unit_test(test_normal_host),
        cmocka_unit_test(test_normal_provenance),
        cmocka_unit_test(test_old_version),
        cmocka_unit_test(test_untraced),
        cmocka_unit_test(test_kind_refused),
        cmocka_unit_test(test_query_leaves_no_file),
        cmocka_unit_test(test_late_work),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_completion_during_exit),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_existing_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
