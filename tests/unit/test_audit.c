/* What tools count, with causes: sums that can be reckoned by hand. */
#include "diagnose/audit.h"

#include "diagnosed.h"

static void habits_are_counted(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 0us 900us cudaMemcpyAsync\ncopy 1 13 100us 890us htod pageable device 8M async=1\n"
                                        "call 2 1ms 1900us cuMemcpyHtoD_v2\ncopy 2 13 1100us 1890us htod pageable device 8M async=0\n"
                                        "call 3 2ms 2100us cudaMemcpyAsync\ncopy 3 14 2010us 2500us dtoh device pinned 8M async=1\n"
                                        "call 4 3ms 3300us cuStreamSynchronize\ncall 5 4ms 4200us cudaEventSynchronize\nend 9ms\n");
    struct audit audit;
    audit_find(r.model, &r.d, &r.arena, &audit);
    assert_int_equal(audit.habits[AUDIT_PAGEABLE_ASYNC].count, 1);
    assert_int_equal(audit.habits[AUDIT_PAGEABLE_ASYNC].bytes, 8 << 20);
    assert_int_equal(audit.habits[AUDIT_PAGEABLE_ASYNC].host_ns, 900000);
    assert_int_equal(audit.habits[AUDIT_SYNC_COPY].count, 1);
    assert_int_equal(audit.habits[AUDIT_SYNC_COPY].host_ns, 900000);
    assert_int_equal(audit.habits[AUDIT_SYNC_MEMSET].count, 0);
    assert_int_equal(audit.habits[AUDIT_SYNC_CALL].count, 2);
    assert_int_equal(audit.habits[AUDIT_SYNC_CALL].host_ns, 500000);
    diagnosed_end(&r);
}

/* 100 us of kernel, 700 us in cudaFree, 10 us of latency, 190 us of kernel. */
static void idle_time_has_causes(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 0us 100us a\n"
                                        "call 2 50us 800us cudaFree\n"
                                        "call 3 800us 805us cudaLaunchKernel\nkernel 3 14 810us 1ms b\nend 2ms\n");
    struct audit audit;
    audit_find(r.model, &r.d, &r.arena, &audit);
    assert_int_equal(audit.device_count, 1);
    const struct audit_device *device = &audit.devices[0];
    assert_int_equal(device->busy_ns, 290000);
    /* nothing was asked of stream 14 before the call: the host had not issued it */
    assert_int_equal(device->idle_ns[CAUSE_HOST_BUSY], 700000);
    assert_int_equal(device->idle_ns[CAUSE_LAUNCH_LATENCY], 10000);
    assert_int_equal(device->longest_end_ns - device->longest_begin_ns, 710000);
    assert_int_equal(device->period_count, 1);
    assert_in_range(device->periods[0].begin_ns, 100000, 134000);
    assert_in_range(device->periods[0].end_ns, 799000, 801000);
    assert_int_equal(device->periods[0].busy_ns, 0);
    diagnosed_end(&r);
}

static void pending_work_is_counted(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 0us 1us cudaLaunchKernel\nkernel 1 13 10us 110us a\n"
                                        "call 2 2us 3us cudaLaunchKernel\nkernel 2 13 112us 210us a\n"
                                        "call 3 4us 5us cudaLaunchKernel\nkernel 3 13 212us 310us a\n"
                                        "call 4 400us 401us cudaLaunchKernel\nkernel 4 13 410us 510us a\nend 1ms\n");
    struct audit audit;
    audit_find(r.model, &r.d, &r.arena, &audit);
    assert_int_equal(audit.stream_count, 1);
    assert_int_equal(audit.streams[0].count, 4);
    assert_int_equal(audit.streams[0].none, 2);
    assert_int_equal(audit.streams[0].most, 2);
    diagnosed_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(habits_are_counted),
        cmocka_unit_test(idle_time_has_causes),
        cmocka_unit_test(pending_work_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
