/* What the wall time would be without a cause, where it can be reckoned by hand. */
#include <stdio.h>
#include <string.h>

#include "diagnosed.h"

/* The predicted wall time without the cause, us; -1: not predicted, -2: not found. */
static int64_t without(const char *recipe, enum cause cause)
{
    struct result r = diagnosed(recipe);
    const struct finding *f = found(&r, cause);
    int64_t predicted = f == NULL ? -2 : f->predicted_wall_ns < 0 ? -1 : (f->predicted_wall_ns + 500) / 1000;
    diagnosed_end(&r);
    return predicted;
}

/* Kernels of 300 us on 13, on the default stream, on 14: one after another, because of the default stream. */
static void default_stream_removed(void **state)
{
    (void)state;
    assert_int_equal(without(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                                     "call 2 6us 9us cudaLaunchKernel\nkernel 2 7 312us 612us b\n"
                                     "call 3 10us 12us cudaLaunchKernel\nkernel 3 14 614us 914us c\nend 1ms\n",
                             CAUSE_LEGACY_DEFAULT_STREAM),
                     304); /* the last is called at 10 us, begins 2 us later as it did, and ends at 312 of 10 us */
}

/* The wait for a on the other stream is dropped. */
static void event_removed(void **state)
{
    (void)state;
    const char *recipe = STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                                 "call 2 6us 7us cudaEventRecord\nevent 2 13 1 5\n"
                                 "call 3 8us 9us cudaStreamWaitEvent\nsync 3 8us 9us wait stream=15 event=1 id=5\n"
                                 "call 4 9us 12us cudaLaunchKernel\nkernel 4 15 311us 511us b\nend 1ms\n";
    assert_int_equal(without(recipe, CAUSE_EVENT_WAIT), 300);
}

/* Two staged copies of 10 MiB on two streams, 2 ms each, kernel behind each; the pinned copy of 0.2 ms is the measure. */
static void staging_removed(void **state)
{
    (void)state;
    const char *recipe = STREAMS "call 1 0us 2ms cudaMemcpyAsync\ncopy 1 13 100us 2100us htod pageable device 10M\n"
                                 "call 2 2ms 2002us cudaLaunchKernel\nkernel 2 13 2102us 2602us a\n"
                                 "call 3 2003us 4ms cudaMemcpyAsync\ncopy 3 14 2110us 4010us htod pageable device 10M\n"
                                 "call 4 4001us 4003us cudaLaunchKernel\nkernel 4 14 4012us 4512us a\n"
                                 "call 5 4004us 4006us cudaMemcpyAsync\ncopy 5 15 4520us 4720us htod pinned device 10M\nend 9ms\n";
    /* calls of 3 us: the copies follow each other on the engine (200 us each), each kernel its copy, the last copy its own
     * wait for the engine that is in nobody's way */
    assert_in_range(without(recipe, CAUSE_PAGEABLE_STAGING), 905, 1120);
}

/* A long kernel and a short one, a call, and for 300 us nothing; then a kernel on each stream again. */
#define STEPS STREAMS "call 1 0us 2us cudaLaunchKernel\nkernel 1 13 10us 510us a\n" \
                      "call 5 3us 5us cudaLaunchKernel\nkernel 5 14 12us 112us a\n%s" \
                      "call 3 820us 825us cudaLaunchKernel\nkernel 3 14 830us 1330us b\n" \
                      "call 4 840us 845us cudaLaunchKernel\nkernel 4 13 850us 1350us b\nend 2ms\n"

static void host_removed(void **state)
{
    (void)state;
    char recipe[1024];
    snprintf(recipe, sizeof recipe, STEPS, "call 2 6us 520us cudaDeviceSynchronize\n");
    /* b on 13 would be issued before a has ended, at 510, and begin 10 us later as it did */
    assert_int_equal(without(recipe, CAUSE_HOST_SYNC), 520 + 500 - 10);
    /* the 300 us outside CUDA (and the 20 until the last launch) go, the wait until 520 stays; in a graph a kernel follows at once */
    assert_int_equal(without(recipe, CAUSE_HOST_BUSY), 520 + 500 - 10 + 1);
    snprintf(recipe, sizeof recipe, STEPS, "call 2 512us 812us cudaMallocHost\n");
    assert_int_equal(without(recipe, CAUSE_HOST_ALLOC), 1350 - 297 - 10);
    snprintf(recipe, sizeof recipe, STEPS, "call 2 512us 812us cuModuleLoadData\n");
    assert_int_equal(without(recipe, CAUSE_HOST_MODULE_LOAD), 1350 - 297 - 10);
    /* a free that had to wait for the kernel still waits for it when something else is removed */
    snprintf(recipe, sizeof recipe, STEPS, "call 2 6us 520us cudaFree\n");
    assert_int_equal(without(recipe, CAUSE_HOST_BUSY), 520 + 500 - 10 + 1);
}

/* Three chains in one stream: in streams of their own the copies still take turns. */
static void stream_order_removed(void **state)
{
    (void)state;
    const char *recipe = STREAMS "call 1 0us 1us cudaMemcpyAsync\ncopy 1 15 10us 210us htod pinned device 10M\n"
                                 "call 2 2us 3us cudaLaunchKernel\nkernel 2 15 211us 811us a\n"
                                 "call 3 4us 5us cudaMemcpyAsync\ncopy 3 15 812us 1012us htod pinned device 10M\n"
                                 "call 4 6us 7us cudaLaunchKernel\nkernel 4 15 1013us 1613us a\nend 2ms\n";
    /* the second copy begins 1 us behind the first, and its kernel behind it */
    assert_int_equal(without(recipe, CAUSE_STREAM_ORDER), 1002);
}

static void launches_removed(void **state)
{
    (void)state;
    const char *recipe = "property env.CUDA_LAUNCH_BLOCKING 1\n" STREAMS
                         "call 1 0us 520us cudaLaunchKernel\nkernel 1 13 10us 510us a\n"
                         "call 2 521us 1040us cudaLaunchKernel\nkernel 2 14 530us 1030us a\n"
                         "call 3 1041us 1550us cudaLaunchKernel\nkernel 3 13 1050us 1550us a\nend 2ms\n";
    /* calls of 3 us: 14's at 4, beginning 9 later; 13's second follows its first */
    assert_in_range(without(recipe, CAUSE_LAUNCH_BLOCKING), 1000, 1015);
}

/* What cannot be removed, or cannot be played, has no prediction. */
static void not_predicted(void **state)
{
    (void)state;
    assert_int_equal(without(STREAMS "call 1 0us 5us cudaMemcpyAsync\ncopy 1 13 10us 1010us htod pinned device 50M\n"
                                     "call 2 6us 9us cudaMemcpyAsync\ncopy 2 15 1013us 2013us htod pinned device 50M\nend 3ms\n",
                             CAUSE_COPY_ENGINE_BUSY),
                     -1);
    assert_int_equal(without(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                                     "call 2 6us 9us cudaLaunchKernel\nkernel 2 7 312us 612us b\nkernel 0 13 700us 710us c\nend 1ms\n",
                             CAUSE_LEGACY_DEFAULT_STREAM),
                     -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_stream_removed), cmocka_unit_test(event_removed),        cmocka_unit_test(staging_removed),
        cmocka_unit_test(host_removed),           cmocka_unit_test(stream_order_removed), cmocka_unit_test(launches_removed),
        cmocka_unit_test(not_predicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
