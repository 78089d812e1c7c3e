/* Rules that no record proves: a trace that each must find, and near misses that it must not. */
#include <stdio.h>
#include <string.h>

#include "diagnosed.h"

#define H200 "device 0 sms=132\n" /* 64 warps, 32 blocks each */

/* Kernel b is ready at once and begins 1 ms later, just before kernel a of another stream ends. */
static struct result beside(const char *device, int grid, int block, int channel)
{
    char recipe[1024];
    snprintf(recipe, sizeof recipe,
             "%s" STREAMS "stream 16 non-blocking\n"
             "call 1 0us 5us cudaLaunchKernel\nkernel 1 15 10us 1010us a grid=%d block=%d channel=1\n"
             "call 2 6us 9us cudaLaunchKernel\nkernel 2 16 1000us 1500us b grid=8 block=1024 channel=%d\nend 2ms\n",
             device, grid, block, channel);
    return diagnosed(recipe);
}

static void full_devices(void **state)
{
    (void)state;
    struct result r = beside(H200, 1056, 1024, 2);
    const struct finding *f = found(&r, CAUSE_DEVICE_FULL);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROBABLE);
    assert_int_equal(f->cost_ns, 990000); /* of the window, from a's begin on */
    assert_int_equal(r.model->spans[f->places[0].blocker].begin_ns, 10000);
    diagnosed_end(&r);
    r = beside(H200, 60, 1024, 2); /* half the multiprocessors are free */
    assert_null(found(&r, CAUSE_DEVICE_FULL));
    assert_non_null(found(&r, CAUSE_UNEXPLAINED));
    assert_false(untold(&r, CAUSE_DEVICE_FULL));
    diagnosed_end(&r);
    r = beside(H200, 132, 1024, 2); /* one block on each leaves room for another */
    assert_null(found(&r, CAUSE_DEVICE_FULL));
    diagnosed_end(&r);
    r = beside("", 1056, 1024, 2); /* what the device holds is not known */
    assert_null(found(&r, CAUSE_DEVICE_FULL));
    assert_true(untold(&r, CAUSE_DEVICE_FULL));
    diagnosed_end(&r);
}

/* Streams 15 and 16, two kernels each; the third waits until the second begins. */
static struct result queued(int channel, int third_begin_us)
{
    char recipe[1024];
    snprintf(recipe, sizeof recipe,
             STREAMS "stream 16 non-blocking\n"
             "call 1 0us 2us cudaLaunchKernel\nkernel 1 15 10us 510us a channel=1\n"
             "call 2 3us 5us cudaLaunchKernel\nkernel 2 15 512us 1012us a channel=1\n"
             "call 3 6us 8us cudaLaunchKernel\nkernel 3 16 %dus %dus b channel=%d\nend 2ms\n",
             third_begin_us, third_begin_us + 500, channel);
    return diagnosed(recipe);
}

static void shared_queues(void **state)
{
    (void)state;
    struct result r = queued(1, 514);
    const struct finding *f = found(&r, CAUSE_HARDWARE_QUEUE_SHARED);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROBABLE);
    assert_int_equal(f->cost_ns, 502000);
    assert_int_equal(r.model->spans[f->places[0].blocker].begin_ns, 512000);
    assert_int_equal(r.d.lost_ns[CAUSE_UNEXPLAINED], 0);
    diagnosed_end(&r);
    r = queued(2, 514); /* a queue of its own */
    assert_null(found(&r, CAUSE_HARDWARE_QUEUE_SHARED));
    assert_true(r.d.lost_ns[CAUSE_UNEXPLAINED] > 300000);
    diagnosed_end(&r);
    r = queued(1, 800); /* not when the queue let it go */
    assert_null(found(&r, CAUSE_HARDWARE_QUEUE_SHARED));
    diagnosed_end(&r);
    r = queued(1, 20); /* normal latency */
    assert_null(found(&r, CAUSE_HARDWARE_QUEUE_SHARED));
    diagnosed_end(&r);
}

static void graph_nodes(void **state)
{
    (void)state;
    static const char recipe[] = STREAMS "call 1 0us 5us cudaGraphLaunch\n"
                                         "kernel 1 15 10us 310us a graph=2\nkernel 1 14 312us 400us b graph=2\n"
                                         "kernel 1 15 402us 500us c graph=%d\nend 1ms\n";
    char text[512];
    snprintf(text, sizeof text, recipe, 2);
    struct result r = diagnosed(text);
    const struct finding *f = found(&r, CAUSE_GRAPH_ORDER);
    assert_non_null(f);
    assert_int_equal(f->count, 2);
    assert_int_equal(f->cost_ns, 390000); /* 300 of b for a, 90 of c for b */
    diagnosed_end(&r);
    snprintf(text, sizeof text, recipe, 0); /* c is no node */
    r = diagnosed(text);
    assert_int_equal(found(&r, CAUSE_GRAPH_ORDER)->count, 1);
    diagnosed_end(&r);
}

static void host_functions(void **state)
{
    (void)state;
    static const char recipe[] = STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 15 10us 110us a\n"
                                         "call 2 6us 8us %s thread=%d\n"
                                         "call 3 9us 11us cudaLaunchKernel\nkernel 3 15 615us 700us b\nend 1ms\n";
    char text[512];
    snprintf(text, sizeof text, recipe, "cudaLaunchHostFunc", 1);
    struct result r = diagnosed(text);
    const struct finding *f = found(&r, CAUSE_HOST_CALLBACK);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROBABLE);
    assert_int_equal(f->cost_ns, 505000);
    assert_int_equal(r.model->spans[f->places[0].blocker].call_class, CALL_HOST_FUNC);
    diagnosed_end(&r);
    snprintf(text, sizeof text, recipe, "cudaLaunchHostFunc", 2); /* of another thread */
    r = diagnosed(text);
    assert_null(found(&r, CAUSE_HOST_CALLBACK));
    diagnosed_end(&r);
    snprintf(text, sizeof text, recipe, "cudaEventRecord", 1);
    r = diagnosed(text);
    assert_null(found(&r, CAUSE_HOST_CALLBACK));
    diagnosed_end(&r);
}

/* A launch call of 500 us on stream 14, between two kernels of stream 13. */
static struct result long_launch(const char *first, const char *more)
{
    char recipe[1024];
    snprintf(recipe, sizeof recipe,
             "%s" STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 110us a\n"
             "call 2 100us 600us cudaLaunchKernel\nkernel 2 14 105us 595us a\n%s"
             "call 3 602us 605us cudaLaunchKernel\nkernel 3 13 607us 700us a\nend 2ms\n",
             first, more);
    return diagnosed(recipe);
}

static void launches_that_block(void **state)
{
    (void)state;
    struct result r = long_launch("property env.CUDA_LAUNCH_BLOCKING 1\n", "");
    const struct finding *f = found(&r, CAUSE_LAUNCH_BLOCKING);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROVEN);
    assert_int_equal(f->cost_ns, 490000);
    diagnosed_end(&r);
    r = long_launch("property env.CUDA_LAUNCH_BLOCKING 0\n", "");
    assert_null(found(&r, CAUSE_LAUNCH_BLOCKING));
    assert_non_null(found(&r, CAUSE_HOST_BUSY));
    diagnosed_end(&r);
    /* what the driver did in the call */
    r = long_launch("", "overhead 150us 550us function thread=1\n");
    assert_int_equal(r.d.lost_ns[CAUSE_HOST_MODULE_LOAD], 400000);
    assert_in_range(r.d.lost_ns[CAUSE_HOST_BUSY], 90000, 92000);
    diagnosed_end(&r);
}

/* 1100 launches of 20 us on stream 14; from one number on they block. Then one on stream 13, which had run dry. */
static struct result many_launches(int from)
{
    static char recipe[200000];
    int n = snprintf(recipe, sizeof recipe, STREAMS "call 9000 0us 1us cudaLaunchKernel\nkernel 9000 13 10us 110us a\n");
    int at = 2;
    for (int i = 1; i <= 1100; i++) {
        int length = i >= from ? 20 : 1, begin = 20 + i * 20;
        begin = begin > at + 1 ? begin : at + 1;
        n += snprintf(recipe + n, sizeof recipe - (size_t)n, "call %d %dus %dus cudaLaunchKernel\nkernel %d 14 %dus %dus b\n", i, at,
                      at + length, i, begin, begin + 19);
        at += length;
    }
    snprintf(recipe + n, sizeof recipe - (size_t)n, "call 9001 %dus %dus cudaLaunchKernel\nkernel 9001 13 %dus %dus a\nend 1s\n", at,
             at + 1, at + 5, at + 105);
    return diagnosed(recipe);
}

static void full_launch_queues(void **state)
{
    (void)state;
    struct result r = many_launches(1000);
    const struct finding *f = found(&r, CAUSE_LAUNCH_QUEUE_FULL);
    assert_non_null(f);
    assert_int_equal(f->cost_ns, 101 * 20000);
    assert_int_equal(f->count, 1);
    diagnosed_end(&r);
    r = many_launches(9999);
    assert_null(found(&r, CAUSE_LAUNCH_QUEUE_FULL));
    diagnosed_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_devices),   cmocka_unit_test(shared_queues),       cmocka_unit_test(graph_nodes),
        cmocka_unit_test(host_functions), cmocka_unit_test(launches_that_block), cmocka_unit_test(full_launch_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
