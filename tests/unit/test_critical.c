#include "diagnose/critical.h"

#include <stdio.h>
#include <string.h>

#include "recipe.h"
#include "unit.h"

#define STREAMS "context 1 null=7\nstream 7 null\nstream 13 blocking\nstream 14 blocking\nstream 15 non-blocking\n"

/* The path in words: "kernel:100 event-wait:3 ..." (us). */
static void path_is(const char *recipe, const char *expected)
{
    struct model *model = recipe_model(recipe);
    struct diagnosis d;
    struct arena arena;
    struct critical_path path;
    char text[1024] = "";
    arena_init(&arena);
    diagnose(model, &arena, &d);
    critical_path_find(model, &d, &arena, &path);
    for (uint32_t i = 0; i < path.count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s:%lld", i > 0 ? " " : "", critical_id(model, &path.steps[i]),
                 (long long)(path.steps[i].end_ns - path.steps[i].begin_ns) / 1000);
    }
    assert_string_equal(text, expected);
    arena_finish(&arena);
    model_destroy(model);
}

static void one_stream(void **state)
{
    (void)state;
    path_is(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 110us a\n"
                    "call 2 6us 9us cudaLaunchKernel\nkernel 2 13 112us 212us b\nend 1ms\n",
            "kernel:100 launch-latency:2 kernel:100");
}

/* The kernel of the other stream is what was waited for; the one before in its own stream is not on the path. */
static void through_an_event(void **state)
{
    (void)state;
    path_is(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                    "call 2 6us 7us cudaEventRecord\nevent 2 13 1 5\n"
                    "call 3 7us 8us cudaLaunchKernel\nkernel 3 15 12us 50us short\n"
                    "call 4 8us 9us cudaStreamWaitEvent\nsync 4 8us 9us wait stream=15 event=1 id=5\n"
                    "call 5 9us 12us cudaLaunchKernel\nkernel 5 15 312us 500us b\nend 1ms\n",
            "kernel:300 launch-latency:2 kernel:188");
}

/* The host waits for the device, works alone, and launches again. */
static void through_the_host(void **state)
{
    (void)state;
    path_is(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 110us a\n"
                    "call 2 6us 120us cudaStreamSynchronize\n"
                    "call 3 420us 425us cudaLaunchKernel\nkernel 3 13 430us 530us b\nend 1ms\n",
            "kernel:100 host-sync:10 host-busy:300 launch-latency:10 kernel:100");
}

/* Launches come so slowly that the kernels before do not matter. */
static void host_bound(void **state)
{
    (void)state;
    path_is(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 20us a\n"
                    "call 2 100us 105us cudaLaunchKernel\nkernel 2 13 110us 120us b\n"
                    "call 3 200us 205us cudaLaunchKernel\nkernel 3 13 210us 220us c\nend 1ms\n",
            "host-busy:90 host-busy:5 host-busy:95 launch-latency:10 kernel:10");
}

static void nothing(void **state)
{
    (void)state;
    path_is("end 1\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_stream),       cmocka_unit_test(through_an_event), cmocka_unit_test(through_the_host),
        cmocka_unit_test(host_bound), cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
