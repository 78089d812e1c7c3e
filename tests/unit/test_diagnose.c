/* Each rule: a trace that it must find, a near miss that it must not, and one that it cannot tell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/quantile.h"
#include "diagnosed.h"

/* Three kernels issued at once: on 13, on `second`, on 13's neighbour `third`; each begins when the one before ends. */
static struct result three_kernels(int second, int third, const char *more)
{
    char recipe[1024];
    snprintf(recipe, sizeof recipe,
             STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                     "call 2 6us 9us cudaLaunchKernel\nkernel 2 %d 312us 612us b\n"
                     "call 3 10us 12us cudaLaunchKernel\nkernel 3 %d 614us 914us c\n%send 1ms\n",
             second, third, more);
    return diagnosed(recipe);
}

static void legacy_default_stream_both_ways(void **state)
{
    (void)state;
    struct result r = three_kernels(7, 14, "");
    const struct finding *f = found(&r, CAUSE_LEGACY_DEFAULT_STREAM);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROVEN);
    assert_int_equal(f->count, 2);
    /* b waits from the window's begin for a (10 to 310 us), c from there for b (to 612 us) */
    assert_int_equal(f->cost_ns, 602000);
    assert_int_equal(f->places[0].lane, r.model->spans[f->places[0].operation].lane);
    assert_int_equal(r.model->spans[f->places[0].blocker].end_ns, 612000);
    assert_int_equal(r.model->spans[f->places[1].blocker].end_ns, 310000);
    diagnosed_end(&r);
}

static void non_blocking_streams_are_exempt(void **state)
{
    (void)state;
    /* the same timing, but the last kernel's stream does not know the default stream */
    struct result r = three_kernels(7, 15, "");
    assert_int_equal(found(&r, CAUSE_LEGACY_DEFAULT_STREAM)->count, 1);
    assert_true(r.d.lost_ns[CAUSE_UNEXPLAINED] > 500000);
    diagnosed_end(&r);
    r = three_kernels(14, 15, "");
    assert_null(found(&r, CAUSE_LEGACY_DEFAULT_STREAM));
    diagnosed_end(&r);
}

static void unknown_stream_flags_cannot_tell(void **state)
{
    (void)state;
    struct result r = diagnosed("call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                          "call 2 6us 9us cudaLaunchKernel\nkernel 2 7 312us 612us b\nend 1ms\n");
    assert_null(found(&r, CAUSE_LEGACY_DEFAULT_STREAM));
    assert_true(untold(&r, CAUSE_LEGACY_DEFAULT_STREAM));
    diagnosed_end(&r);
    r = three_kernels(7, 14, "");
    assert_false(untold(&r, CAUSE_LEGACY_DEFAULT_STREAM));
    diagnosed_end(&r);
}

static void event_wait_is_matched_by_its_id(void **state)
{
    (void)state;
    const char *recipe = STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                                 "call 2 6us 7us cudaEventRecord\nevent 2 13 1 %d\n"
                                 "call 3 8us 9us cudaStreamWaitEvent\nsync 3 8us 9us wait stream=15 event=1 id=5\n"
                                 "call 4 9us 12us cudaLaunchKernel\nkernel 4 15 311us 500us b\nend 1ms\n";
    char text[1024];
    snprintf(text, sizeof text, recipe, 5);
    struct result r = diagnosed(text);
    const struct finding *f = found(&r, CAUSE_EVENT_WAIT);
    assert_non_null(f);
    assert_int_equal(f->cost_ns, 300000);
    assert_int_equal(r.model->spans[f->places[0].blocker].begin_ns, 10000);
    diagnosed_end(&r);
    /* another recording of the same event: nothing that b waited for */
    snprintf(text, sizeof text, recipe, 6);
    r = diagnosed(text);
    assert_null(found(&r, CAUSE_EVENT_WAIT));
    assert_false(untold(&r, CAUSE_EVENT_WAIT));
    diagnosed_end(&r);
    /* the calls alone say that something waited, not for what */
    r = diagnosed(STREAMS "call 3 8us 9us cudaStreamWaitEvent\ncall 4 9us 12us cudaLaunchKernel\nkernel 4 15 311us 500us b\nend 1ms\n");
    assert_true(untold(&r, CAUSE_EVENT_WAIT));
    diagnosed_end(&r);
}

static struct result two_copies(const char *kind, const char *more)
{
    char recipe[1024];
    snprintf(recipe, sizeof recipe,
             STREAMS "call 1 0us 5us cudaMemcpyAsync\ncopy 1 13 10us 1010us htod pinned device 50M\n"
                     "call 2 6us 9us cudaMemcpyAsync\ncopy 2 15 1013us 2013us %s 50M %s\nend 3ms\n",
             kind, more);
    return diagnosed(recipe);
}

static void copy_engine_by_direction(void **state)
{
    (void)state;
    struct result r = two_copies("htod pinned device", "");
    const struct finding *f = found(&r, CAUSE_COPY_ENGINE_BUSY);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROBABLE);
    assert_int_equal(f->cost_ns, 1000000);
    diagnosed_end(&r);
    r = two_copies("dtoh device pinned", "");
    assert_null(found(&r, CAUSE_COPY_ENGINE_BUSY));
    diagnosed_end(&r);
    r = two_copies("htod pinned device", "channel-type=1");
    assert_null(found(&r, CAUSE_COPY_ENGINE_BUSY));
    diagnosed_end(&r);
}

#define HOST_TRACE(calls) STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 110us a\n" \
                                  calls "call 9 1000us 1005us cudaLaunchKernel\nkernel 9 13 1010us 1110us b\nend 2ms\n"

static void host_pieces_by_call(void **state)
{
    (void)state;
    static const struct {
        const char *recipe;
        enum cause cause;
        int64_t ns;
    } rows[] = {
        {HOST_TRACE("call 2 20us 900us cudaDeviceSynchronize\n"), CAUSE_HOST_SYNC, 790000},
        {HOST_TRACE("call 2 20us 900us cudaFree\n"), CAUSE_HOST_ALLOC, 790000},
        {HOST_TRACE("call 2 20us 900us cuModuleLoadData\n"), CAUSE_HOST_MODULE_LOAD, 790000},
        {HOST_TRACE("call 2 20us 900us cudaGetDevice\n"), CAUSE_HOST_BUSY, 890000},
        {HOST_TRACE(""), CAUSE_HOST_BUSY, 890000},
        {HOST_TRACE("call 2 20us 900us cudaMemcpyAsync\ncopy 2 14 30us 890us htod pageable device 8M\n"),
         CAUSE_HOST_STAGING, 790000},
        {HOST_TRACE("call 2 20us 900us cudaMemcpy\ncopy 2 14 30us 890us htod pinned device 8M async=0\n"), CAUSE_HOST_SYNC,
         790000},
        /* another thread's wait does not hold this one */
        {HOST_TRACE("call 2 20us 900us cudaDeviceSynchronize thread=2\n"), CAUSE_HOST_BUSY, 890000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct result r = diagnosed(rows[i].recipe);
        if (r.d.lost_ns[rows[i].cause] < rows[i].ns || r.d.lost_ns[rows[i].cause] > rows[i].ns + 200000)
            fail_msg("row %zu: %s is %lld ns", i, cause_id(rows[i].cause), (long long)r.d.lost_ns[rows[i].cause]);
        assert_non_null(found(&r, rows[i].cause));
        diagnosed_end(&r);
    }
}

static void pageable_staging_and_its_reference(void **state)
{
    (void)state;
    /* 10 MiB: 2 ms staged, 0.2 ms pinned */
    const char *recipe = STREAMS "%s%scall 1 0us 2ms cudaMemcpyAsync\ncopy 1 13 100us 2100us htod %s device 10M\nend 9ms\n";
    char text[1024];
    snprintf(text, sizeof text, recipe, "", "copy 5 14 5ms 5.2ms htod pinned device 10M\n", "pageable");
    struct result r = diagnosed(text);
    const struct finding *f = found(&r, CAUSE_PAGEABLE_STAGING);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROVEN);
    assert_in_range(f->cost_ns, 1799000, 1801000);
    diagnosed_end(&r);

    snprintf(text, sizeof text, recipe, "device 0 pcie=5x16\n", "", "pageable");
    r = diagnosed(text);
    f = found(&r, CAUSE_PAGEABLE_STAGING);
    assert_int_equal(f->confidence, CONFIDENCE_PROBABLE);
    assert_in_range(f->cost_ns, 1800000, 1820000);
    assert_non_null(strstr(f->text, "PCIe 5 x16"));
    diagnosed_end(&r);

    snprintf(text, sizeof text, recipe, "", "", "pageable");
    r = diagnosed(text);
    assert_int_equal(found(&r, CAUSE_PAGEABLE_STAGING)->confidence, CONFIDENCE_POSSIBLE);
    assert_true(untold(&r, CAUSE_PAGEABLE_STAGING));
    diagnosed_end(&r);

    snprintf(text, sizeof text, recipe, "", "", "pinned");
    r = diagnosed(text);
    assert_null(found(&r, CAUSE_PAGEABLE_STAGING));
    diagnosed_end(&r);

    snprintf(text, sizeof text, recipe, "", "", "unknown");
    r = diagnosed(text);
    assert_null(found(&r, CAUSE_PAGEABLE_STAGING));
    assert_true(untold(&r, CAUSE_PAGEABLE_STAGING));
    diagnosed_end(&r);
}

static void short_pageable_copies_are_no_finding(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 5ms a\n"
                                  "call 2 6us 9us cudaMemcpyAsync\ncopy 2 14 12us 13us htod pageable device 6\nend 6ms\n");
    assert_null(found(&r, CAUSE_PAGEABLE_STAGING));
    assert_null(found(&r, CAUSE_HOST_STAGING));
    diagnosed_end(&r);
    /* many of them keep the host busy, but not with staging; one of a megabyte does */
    const char *recipe = STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 20us a\n"
                                 "call 2 21us 90us cudaMemcpyAsync\ncopy 2 14 80us 88us htod pageable device %s\n"
                                 "call 3 91us 95us cudaLaunchKernel\nkernel 3 13 98us 108us a\nend 6ms\n";
    char text[512];
    snprintf(text, sizeof text, recipe, "64K");
    r = diagnosed(text);
    assert_int_equal(r.d.lost_ns[CAUSE_HOST_STAGING], 0);
    assert_true(r.d.lost_ns[CAUSE_HOST_BUSY] > 60000);
    diagnosed_end(&r);
    snprintf(text, sizeof text, recipe, "1M");
    r = diagnosed(text);
    assert_true(r.d.lost_ns[CAUSE_HOST_STAGING] > 60000);
    diagnosed_end(&r);
}

static struct result chains(int second_stream, const char *more)
{
    char recipe[1024];
    snprintf(recipe, sizeof recipe,
             STREAMS "call 1 0us 1us cudaMemcpyAsync\ncopy 1 15 10us 210us htod pinned device 10M\n"
                     "call 2 2us 3us cudaLaunchKernel\nkernel 2 15 212us 812us a\n"
                     "call 3 4us 5us cudaMemcpyAsync\ncopy 3 %d 814us 1014us htod pinned device 10M\n%send 2ms\n",
             second_stream, more);
    return diagnosed(recipe);
}

static void two_chains_in_one_stream(void **state)
{
    (void)state;
    struct result r = chains(15, "");
    const struct finding *f = found(&r, CAUSE_STREAM_ORDER);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_POSSIBLE);
    assert_int_equal(f->cost_ns, 600000); /* while the kernel ran */
    diagnosed_end(&r);
    r = chains(14, ""); /* a stream of its own: whatever it waited for, not stream order */
    assert_null(found(&r, CAUSE_STREAM_ORDER));
    diagnosed_end(&r);
    r = chains(15, "call 4 1us 2us cudaLaunchKernel\nkernel 4 14 200us 900us b\n"); /* the device was busy anyway */
    assert_null(found(&r, CAUSE_STREAM_ORDER));
    diagnosed_end(&r);
}

static void latency_is_learned(void **state)
{
    (void)state;
    char recipe[4096] = STREAMS, line[160];
    for (int i = 0; i < 20; i++) {
        /* queued work, 2 us between kernels; once 300 us that nothing explains */
        int begin = i * 102 + (i >= 10 ? 300 : 0);
        snprintf(line, sizeof line, "call %d %dns %dns cudaLaunchKernel\nkernel %d 13 %dus %dus k\n", i + 1, i * 10, i * 10 + 5,
                 i + 1, begin + 1, begin + 101);
        strcat(recipe, line);
    }
    strcat(recipe, "end 9ms\n");
    struct result r = diagnosed(recipe);
    assert_in_range(r.d.lost_ns[CAUSE_UNEXPLAINED], 290000, 300000);
    assert_in_range(r.d.lost_ns[CAUSE_LAUNCH_LATENCY], 38000, 50000);
    assert_non_null(found(&r, CAUSE_UNEXPLAINED));
    diagnosed_end(&r);
}

static void code_loading_inside_a_launch(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 110us a\n"
                                  "call 2 112us 900us cudaLaunchKernel\nkernel 2 13 905us 1005us b\n"
                                  "overhead 120us 880us function thread=1\n"
                                  "overhead 120us 880us flush thread=2\nend 2ms\n");
    assert_int_equal(r.d.lost_ns[CAUSE_HOST_MODULE_LOAD], 760000);
    assert_int_equal(r.d.lost_ns[CAUSE_PROFILER], 0);
    diagnosed_end(&r);
}

/* Clocks that disagree by less than a launch takes make negative gaps: no finding comes of them. */
static void skewed_clocks_are_no_finding(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 10us 15us cudaLaunchKernel\nkernel 1 13 9us 110us a\n"
                                  "call 2 112us 115us cudaLaunchKernel\nkernel 2 13 111us 205us b\nend 2ms\n");
    assert_int_equal(r.model->skew.early, 2);
    assert_int_equal(r.model->skew.worst_ns, 1000);
    assert_int_equal(r.model->skew.least_ns, -1000);
    assert_int_equal(r.d.finding_count, 0);
    assert_int_equal(r.d.gap_ns, 1000);
    diagnosed_end(&r);
}

/* The same without CUPTI's word for it: the first launch of a kernel stayed in its call, a later one did too. */
static void first_launches_load_code(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 110us a\n"
                                  "call 2 112us 900us cudaLaunchKernel\nkernel 2 13 905us 1005us b\n"
                                  "call 3 1007us 1800us cudaLaunchKernel\nkernel 3 13 1805us 1905us b\nend 2ms\n");
    assert_in_range(r.d.lost_ns[CAUSE_HOST_MODULE_LOAD], 690000, 700000);
    assert_int_equal(found(&r, CAUSE_HOST_MODULE_LOAD)->count, 1);
    assert_int_equal(found(&r, CAUSE_HOST_MODULE_LOAD)->confidence, CONFIDENCE_PROBABLE);
    assert_in_range(r.d.lost_ns[CAUSE_UNEXPLAINED], 690000, 700000);
    diagnosed_end(&r);
}

static void operations_without_calls(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "kernel 0 13 10us 110us a\nkernel 0 13 900us 905us b\nend 2ms\n");
    assert_true(untold(&r, CAUSE_HOST_BUSY));
    assert_int_equal(r.d.lost_ns[CAUSE_HOST_BUSY], 0);
    diagnosed_end(&r);
}

static void headline_uses_unions(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "kernel 0 13 100 300 a\nkernel 0 14 200 400 b\nkernel 0 15 250 260 c\nkernel 0 15 500 600 d\n"
                                  "kernel 0 15 550 550 empty\nend 2ms\n");
    assert_int_equal(r.d.busy_ns, 400);
    assert_int_equal(r.d.overlap_ns, 100);
    assert_int_equal(r.d.end_ns - r.d.begin_ns, 500);
    diagnosed_end(&r);
    r = diagnosed("end 1\n");
    assert_int_equal(r.d.finding_count, 0);
    assert_int_equal(r.d.gap_ns, 0);
    diagnosed_end(&r);
}

/* The same event and stream ids in two processes have nothing to do with each other. */
static void processes_do_not_wait_for_each_other(void **state)
{
    (void)state;
    static const char *const ranks[] = {
        STREAMS "property rank 0\ncall 1 0us 5us cudaLaunchKernel\nkernel 1 13 10us 310us a\n"
                "call 2 6us 7us cudaEventRecord\nevent 2 13 1 5\nend 1ms\n",
        STREAMS "property rank 1\ncall 3 8us 9us cudaStreamWaitEvent\nsync 3 8us 9us wait stream=7 event=1 id=5\n"
                "call 4 9us 12us cudaLaunchKernel\nkernel 4 7 311us 500us b\nend 1ms\n"};
    struct result r = {.model = recipe_models(ranks, 2)};
    arena_init(&r.arena);
    diagnose(r.model, &r.arena, &r.d);
    pieces_check(&r);
    assert_null(found(&r, CAUSE_EVENT_WAIT));
    assert_null(found(&r, CAUSE_LEGACY_DEFAULT_STREAM));
    diagnosed_end(&r);
}

/* As damage may make it: a piece holds two years at most, longer gaps are several. */
static void years_between_operations(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 10us 12us cudaLaunchKernel\nkernel 1 13 20us 30us a\n"
                                        "call 2 290000000s 290000001s cudaLaunchKernel\nkernel 2 13 290000002s 290000003s b\n"
                                        "end 290000004s\n");
    assert_true(r.d.gap_ns > INT64_C(289999999) * 1000000000);
    assert_true(r.d.lost_ns[CAUSE_HOST_BUSY] > INT64_C(289999999) * 1000000000);
    diagnosed_end(&r);
}

static void quantiles_within_a_percent(void **state)
{
    (void)state;
    static struct quantiles q;
    assert_int_equal(quantile_at(&q, 0.5), 0);
    for (int64_t ns = 1; ns <= 100000; ns++)
        quantile_add(&q, ns);
    assert_in_range(quantile_at(&q, 0.5), 49500, 50500);
    assert_in_range(quantile_at(&q, 0.9), 89100, 90900);
    assert_in_range(quantile_at(&q, 0), 0, 1);
    quantile_add(&q, INT64_MAX); /* the last bucket */
    assert_true(quantile_at(&q, 1) == 0 || quantile_at(&q, 0.999999) > 99000);
}

/* Random traces: whatever they hold, the pieces sum to the gaps (diagnosed() checks) and nothing is negative. */
static void random_traces_add_up(void **state)
{
    (void)state;
    static const char *const calls[] = {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaMemcpy", "cudaFree", "cudaStreamSynchronize"};
    static char recipe[60000];
    srand(1);
    for (int round = 0; round < 200; round++) {
        int n = snprintf(recipe, sizeof recipe, STREAMS);
        for (int i = 1, at = 0; i <= 100; i++) {
            static const int streams[] = {7, 13, 14, 15, 99};
            int call = rand() % 5, stream = streams[rand() % 5], length = rand() % 50, wait = rand() % 300;
            n += snprintf(recipe + n, sizeof recipe - (size_t)n, "call %d %d %d %s thread=%d\n", i, at, at + length, calls[call],
                          1 + rand() % 2);
            if (call == 0)
                n += snprintf(recipe + n, sizeof recipe - (size_t)n, "kernel %d %d %d %d k\n", i, stream, at + wait,
                              at + wait + rand() % 200);
            if (call == 1 || call == 2)
                n += snprintf(recipe + n, sizeof recipe - (size_t)n, "copy %d %d %d %d %s %d\n", i, stream, at + wait,
                              at + wait + rand() % 200, rand() % 2 ? "htod pageable device" : "dtoh device pinned", rand());
            if (rand() % 4 == 0)
                n += snprintf(recipe + n, sizeof recipe - (size_t)n, "event %d %d 1 %d\n", i, stream, rand() % 10);
            if (rand() % 4 == 0)
                n += snprintf(recipe + n, sizeof recipe - (size_t)n, "sync %d %d %d wait stream=%d id=%d\n", i, at, at + 1, stream,
                              rand() % 10);
            if (rand() % 4 == 0)
                n += snprintf(recipe + n, sizeof recipe - (size_t)n, "overhead %d %d request thread=1\n", at, at + rand() % 60);
            at += rand() % 100;
        }
        struct result r = diagnosed(recipe);
        assert_true(r.d.busy_ns >= r.d.overlap_ns && r.d.overlap_ns >= 0);
        for (uint32_t i = 0; i < r.d.finding_count; i++) {
            assert_true(r.d.findings[i].cost_ns >= 0);
            assert_true(r.d.findings[i].text[0] != '\0');
            assert_null(strchr(r.d.findings[i].text, '{'));
        }
        diagnosed_end(&r);
    }
}

/* What a stream did in a pause is not known: its gap counts from the pause's end, and the pause is no wall time. */
static void pauses_are_no_gaps(void **state)
{
    (void)state;
    static const char recipe[] = STREAMS "call 1 0us 5us cudaLaunchKernel\nkernel 1 15 10us 20us a\n%s"
                                         "call 2 935us 936us cudaLaunchKernel\nkernel 2 15 940us 1ms b\nend 2ms\n";
    char text[1024];
    snprintf(text, sizeof text, recipe, "");
    struct result r = diagnosed(text);
    assert_int_equal(r.d.gap_ns, 920000);
    assert_non_null(found(&r, CAUSE_HOST_BUSY));
    diagnosed_end(&r);
    snprintf(text, sizeof text, recipe, "pause 30us 930us range\n");
    r = diagnosed(text);
    assert_int_equal(r.d.paused_ns, 900000);
    assert_int_equal(r.d.gap_ns, 10000);
    assert_int_equal(r.d.lost_ns[CAUSE_HOST_BUSY], 5000);
    assert_null(found(&r, CAUSE_PROFILER));
    diagnosed_end(&r);
}

/* A whole graph waits and is waited for as a kernel is. */
static void graphs_are_operations(void **state)
{
    (void)state;
    struct result r = diagnosed(STREAMS "call 1 0us 5us cudaGraphLaunch\ngraph 1 13 10us 310us 4\n"
                                  "call 2 6us 9us cudaLaunchKernel\nkernel 2 7 312us 612us b\n"
                                  "call 3 10us 12us cudaGraphLaunch\ngraph 3 14 614us 914us 4\nend 1ms\n");
    assert_non_null(found(&r, CAUSE_LEGACY_DEFAULT_STREAM));
    assert_int_equal(found(&r, CAUSE_LEGACY_DEFAULT_STREAM)->count, 2);
    assert_non_null(strstr(found(&r, CAUSE_LEGACY_DEFAULT_STREAM)->text, "graph 4"));
    diagnosed_end(&r);
}

/* Calls that were not to be recorded are no loss, but leave questions open. */
static void calls_not_asked_for(void **state)
{
    (void)state;
    struct result r = diagnosed("property calls none\n" STREAMS "kernel 1 13 10us 310us a\nkernel 2 13 700us 800us b\nend 1ms\n");
    assert_int_equal(r.model->loss.unmatched, 0);
    assert_true(untold(&r, CAUSE_HOST_BUSY));
    diagnosed_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legacy_default_stream_both_ways),
        cmocka_unit_test(non_blocking_streams_are_exempt),
        cmocka_unit_test(unknown_stream_flags_cannot_tell),
        cmocka_unit_test(event_wait_is_matched_by_its_id),
        cmocka_unit_test(copy_engine_by_direction),
        cmocka_unit_test(host_pieces_by_call),
        cmocka_unit_test(pageable_staging_and_its_reference),
        cmocka_unit_test(short_pageable_copies_are_no_finding),
        cmocka_unit_test(two_chains_in_one_stream),
        cmocka_unit_test(latency_is_learned),
        cmocka_unit_test(code_loading_inside_a_launch),
        cmocka_unit_test(skewed_clocks_are_no_finding),
        cmocka_unit_test(first_launches_load_code),
        cmocka_unit_test(operations_without_calls),
        cmocka_unit_test(headline_uses_unions),
        cmocka_unit_test(processes_do_not_wait_for_each_other),
        cmocka_unit_test(years_between_operations),
        cmocka_unit_test(quantiles_within_a_percent),
        cmocka_unit_test(random_traces_add_up),
        cmocka_unit_test(pauses_are_no_gaps),
        cmocka_unit_test(graphs_are_operations),
        cmocka_unit_test(calls_not_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
