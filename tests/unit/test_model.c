#include <string.h>

#include "recipe.h"
#include "timeline/calls.h"
#include "timeline/demangle.h"
#include "timeline/model.h"
#include "timeline/summary.h"
#include "timeline/sweep.h"
#include "unit.h"

static const char recipe[] = "context 1 null=7\n"
                             "stream 13 non-blocking priority=-5\n"
                             "stream 14 blocking\n" /* never used: no lane */
                             "thread 42 worker\n"
                             "call 9 900 950 cudaStreamSynchronize thread=42\n"
                             "call 2 200 2000 cudaMemcpyAsync_ptsz_v7000 thread=41\n"
                             "call 1 100 150 cudaLaunchKernel_v7000 thread=42\n"
                             "kernel 1 13 300 400 _Z4spinIfEvx\n"
                             "kernel 1 13 250 290 _Z4spinIfEvx graph=3\n" /* out of order, same call */
                             "copy 2 7 500 1500 htod pageable device 2M\n"
                             "copy 3 7 1500 1600 dtoh device pinned 1K\n" /* no call */
                             "kernel 1 13 0 0 broken\n"
                             "kernel 1 13 700 600 broken\n"
                             "loss invalid 3\n"
                             "loss dropped 4\n"
                             "end 5000\n";

static void lanes_and_order(void **state)
{
    (void)state;
    struct model *m = recipe_model(recipe);
    char name[64];
    assert_int_equal(m->lane_count, 4);
    assert_string_equal(model_lane_name(m, 0, name, sizeof name), "thread 41");
    assert_string_equal(model_lane_name(m, 1, name, sizeof name), "thread 42");
    assert_string_equal(m->lanes[1].name, "worker");
    assert_string_equal(model_lane_name(m, 2, name, sizeof name), "stream 7 (default)");
    assert_string_equal(model_lane_name(m, 3, name, sizeof name), "stream 13");
    assert_int_equal(m->lanes[3].stream_flag, CGT_STREAM_NON_BLOCKING);
    assert_int_equal(m->lanes[3].priority, -5);
    const struct span *kernels = &m->spans[m->lanes[3].first];
    assert_int_equal(m->lanes[3].count, 2);
    assert_int_equal(kernels[0].begin_ns, 250);
    assert_int_equal(kernels[1].begin_ns, 300);
    assert_int_equal(m->lanes[3].busy_ns, 140);
    assert_int_equal(m->begin_ns, 250);
    assert_int_equal(m->end_ns, 1600);
    model_destroy(m);
}

static void links_and_loss(void **state)
{
    (void)state;
    struct model *m = recipe_model(recipe);
    const struct span *first = &m->spans[m->lanes[3].first];
    const struct span *call = &m->spans[first->peer];
    char text[64];
    assert_int_equal(call->begin_ns, 100);
    assert_ptr_equal(&m->spans[call->peer], first); /* the earliest of the operations that it issued */
    assert_int_equal(call->call_class, CALL_LAUNCH);
    const struct span *copy = &m->spans[m->lanes[2].first];
    assert_true(copy->flags & SPAN_STAGED);
    assert_true(m->spans[copy->peer].flags & SPAN_STAGED);
    assert_false(m->spans[copy->peer].flags & SPAN_BLOCKING);
    assert_int_equal(copy[1].peer, MODEL_NONE);
    assert_false(copy[1].flags & SPAN_STAGED);
    assert_int_equal(m->loss.unmatched, 1);
    assert_int_equal(m->loss.invalid, 3 + 2);
    assert_int_equal(m->loss.dropped, 4);
    assert_string_equal(model_span_label(m, first, text, sizeof text), "spin");
    assert_string_equal(model_span_label(m, &m->spans[copy->peer], text, sizeof text), "cudaMemcpyAsync");
    assert_string_equal(model_span_name(m, copy, text, sizeof text), "Memcpy HtoD (Pageable -> Device)");
    model_destroy(m);
}

static void events_in_the_order_of_calls(void **state)
{
    (void)state;
    struct model *m = recipe_model("context 1 null=7\n"
                                   "call 1 10 20 cudaLaunchKernel\n"
                                   "kernel 1 13 30 90 spin\n"
                                   "call 5 50 51 cudaStreamWaitEvent\n"
                                   "sync 5 50 51 wait stream=13 event=1 id=8\n"
                                   "call 4 40 41 cudaEventRecord\n"
                                   "event 4 13 1 8\n"
                                   "event 77 13 1 9\n" /* without its call */
                                   "sync 6 60 61 stream stream=13\n"
                                   "end 100\n");
    assert_int_equal(m->event_count, 2);
    assert_false(m->events[0].is_wait);
    assert_int_equal(m->events[0].call_ns, 40);
    assert_true(m->events[1].is_wait);
    assert_int_equal(m->events[1].event_sync, 8);
    assert_int_equal(m->events[0].lane, m->events[1].lane);
    model_destroy(m);
}

static void calls_are_classified(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum call_class call_class;
        bool synchronous;
        int length;
    } rows[] = {
        {"cudaLaunchKernel_v7000", CALL_LAUNCH, false, 16},
        {"cudaLaunchKernelExC_ptsz_v11060", CALL_LAUNCH, false, 19},
        {"cudaLaunchHostFunc_v10000", CALL_HOST_FUNC, false, 18},
        {"cuGraphLaunch", CALL_LAUNCH, false, 13},
        {"cudaMemcpy_v3020", CALL_COPY, true, 10},
        {"cudaMemcpyAsync_v3020", CALL_COPY, false, 15},
        {"cuMemcpyHtoD_v2", CALL_COPY, true, 12},
        {"cuMemcpyHtoDAsync_v2", CALL_COPY, false, 17},
        {"cudaMemsetAsync_v3020", CALL_MEMSET, false, 15},
        {"cudaDeviceSynchronize_v3020", CALL_SYNC, false, 21},
        {"cuStreamSynchronize_ptsz", CALL_SYNC, false, 19},
        {"cudaStreamWaitEvent_v3020", CALL_EVENT, false, 19},
        {"cudaFree_v3020", CALL_ALLOC, false, 8},
        {"cudaMallocHost_v3020", CALL_ALLOC, false, 14},
        {"cuModuleLoadData", CALL_MODULE, false, 16},
        {"cudaGetDevice_v3020", CALL_OTHER, false, 13},
        {"hipLaunchKernel", CALL_LAUNCH, false, 15},
        {"hipExtModuleLaunchKernel", CALL_LAUNCH, false, 24},
        {"hipModuleLoadData", CALL_MODULE, false, 17},
        {"hipMemcpyWithStream", CALL_COPY, true, 19},
        {"hipMemcpyAsync", CALL_COPY, false, 14},
        {"hipHostMalloc", CALL_ALLOC, false, 13},
        {"hipStreamSynchronize", CALL_SYNC, false, 20},
        {"hipGetDevice", CALL_OTHER, false, 12},
        {"hip", CALL_OTHER, false, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(call_classify(rows[i].name), rows[i].call_class);
        assert_int_equal(call_is_synchronous_copy(rows[i].name), rows[i].synchronous);
        assert_int_equal(call_short_length(rows[i].name), rows[i].length);
    }
}

static void kernel_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *label;
    } rows[] = {
        {"_Z4spinx", "spin"},
        {"spin", "spin"},
        {"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_",
         "vectorized_elementwise_kernel"},
        {"void ns::spin<float, int>(long, (lambda)(int))", "spin"},
        {"_ZN6cudapy8__main__6matmulB2v1B3abcE5ArrayIfLi2E1C7mutable7alignedE", "matmul"},
        {"(", "("},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char full[512], label[512];
        assert_string_equal(demangle_short(rows[i].name, label, sizeof label), rows[i].label);
        demangle_full(rows[i].name, full, sizeof full);
        assert_string_equal(demangle_short(full, label, sizeof label), rows[i].label);
    }
    char endless[9000] = "void ns::spin<", label[64]; /* longer than any buffer of ours */
    for (size_t i = strlen(endless); i < sizeof endless - 20; i += 4)
        strcpy(endless + i, "int,");
    strcat(endless, "int>(long)");
    assert_string_equal(demangle_short(endless, label, sizeof label), "spin");
}

static void summary_counts_unions(void **state)
{
    (void)state;
    struct model *m = recipe_model("context 1 null=7\n"
                                   "kernel 1 13 100 200 a\n"
                                   "kernel 2 13 150 250 a\n" /* overlaps on its own stream */
                                   "kernel 3 14 240 300 a\n"
                                   "copy 4 15 190 320 htod pageable device 1K\n"
                                   "copy 5 15 400 410 dtoh device pinned 2K\n"
                                   "memset 6 15 500 510 4K\n"
                                   "kernel 7 1 100 200 a device=1 context=2\n"
                                   "end 600\n");
    struct arena arena;
    uint32_t count;
    arena_init(&arena);
    struct device_summary *d = summary_build(m, &arena, &count);
    assert_int_equal(count, 2);
    assert_int_equal(d[0].kernels, 3);
    assert_int_equal(d[0].copies, 2);
    assert_int_equal(d[0].memsets, 1);
    assert_int_equal(d[0].streams, 3);
    assert_int_equal(d[0].kernel_busy_ns, 200);
    assert_int_equal(d[0].copy_busy_ns, 140);
    assert_int_equal(d[0].copy_hidden_ns, 110);
    assert_int_equal(d[0].busy_ns, 220 + 10 + 10);
    assert_int_equal(d[0].multi_stream_ns, 110); /* 13 and 15: 190-250, 14 and 15: 240-300 */
    assert_int_equal(d[0].span_ns, 410);
    assert_int_equal(d[0].pageable.count, 1);
    assert_int_equal(d[0].pageable.ns, 130);
    assert_int_equal(d[0].pinned.bytes, 2048);
    assert_int_equal(d[1].kernels, 1);
    assert_int_equal(d[1].busy_ns, 100);
    arena_finish(&arena);
    model_destroy(m);
}

static void no_gpu_work(void **state)
{
    (void)state;
    struct model *m = recipe_model("call 1 10 20 cudaGetDevice\nend 30\n");
    struct arena arena;
    uint32_t count;
    arena_init(&arena);
    summary_build(m, &arena, &count);
    assert_int_equal(count, 0);
    assert_int_equal(m->operation_count, 0);
    assert_int_equal(m->begin_ns, 0);
    arena_finish(&arena);
    model_destroy(m);
}

/* Two ranks whose ids are all the same; the second one's CUPTI counts from another zero. */
static void two_processes(void **state)
{
    (void)state;
    static const char *const ranks[] = {
        "property rank 0\nclock 1000 1000\ncontext 1 null=7\nstream 13 blocking\n"
        "call 1 100 150 cudaLaunchKernel thread=1\nkernel 1 13 200 300 a\noverhead 110 120 flush thread=1\nend 900\n",
        "property rank 1\nclock 1000 5000001000\ncontext 1 null=7\nstream 13 non-blocking\n"
        "call 1 700 750 cudaMemcpy thread=1\ncopy 1 13 800 850 htod pageable device 1K\nloss dropped 2\n"};
    struct model *m = recipe_models(ranks, 2);
    char name[64];
    assert_int_equal(m->process_count, 2);
    assert_int_equal(m->lane_count, 4);
    assert_string_equal(model_lane_name(m, 0, name, sizeof name), "rank 0 thread 1");
    assert_string_equal(model_lane_name(m, 3, name, sizeof name), "rank 1 stream 13");
    assert_int_equal(m->lanes[2].stream_flag, CGT_STREAM_BLOCKING);
    assert_int_equal(m->lanes[3].stream_flag, CGT_STREAM_NON_BLOCKING);
    const struct span *kernel = &m->spans[m->lanes[2].first], *copy = &m->spans[m->lanes[3].first];
    assert_int_equal(m->spans[kernel->peer].begin_ns, 100);
    assert_int_equal(m->spans[copy->peer].begin_ns, INT64_C(5000000700));
    assert_int_equal(copy->begin_ns, INT64_C(5000000800));
    assert_int_equal(m->spans[copy->peer].call_class, CALL_COPY);
    assert_int_equal(m->spans[kernel->peer].call_class, CALL_LAUNCH);
    assert_int_equal(m->overheads[0].process, 0);
    assert_int_equal(m->loss.dropped, 2);
    assert_true(m->loss.unfinished);
    assert_int_equal(m->warning_count, 1);
    model_destroy(m);
}

/* A graph is an operation; ranges are neither operations nor calls, and lie between threads and streams. */
static void graphs_and_ranges(void **state)
{
    (void)state;
    struct model *m = recipe_model("property calls blocking\n"
                                   "call 1 100 150 cudaGraphLaunch_v10000 thread=42\n"
                                   "range 110 120 inner thread=42\n"
                                   "range 110 900 step_1 thread=42\n"
                                   "range 130 130 here thread=42 type=mark domain=lib color=0xff00ff00\n"
                                   "graph 1 13 300 700 5\n"
                                   "graph 2 13 800 900 5\n"
                                   "end 1000\n");
    char text[64];
    assert_int_equal(m->lane_count, 4);
    assert_string_equal(model_lane_name(m, 1, text, sizeof text), "ranges of thread 42");
    assert_string_equal(model_lane_name(m, 2, text, sizeof text), "lib ranges of thread 42");
    assert_int_equal(m->lanes[3].kind, LANE_STREAM);
    const struct span *ranges = &m->spans[m->lanes[1].first], *graph = &m->spans[m->lanes[3].first];
    assert_string_equal(model_span_name(m, &ranges[0], text, sizeof text), "step_1"); /* the outer one first */
    assert_string_equal(model_span_label(m, &ranges[1], text, sizeof text), "inner");
    assert_int_equal(model_range(m, &m->spans[m->lanes[2].first])->color, 0xff00ff00);
    assert_string_equal(model_span_label(m, graph, text, sizeof text), "graph 5");
    assert_int_equal(m->spans[graph->peer].begin_ns, 100);
    assert_int_equal(m->operation_count, 2);
    assert_int_equal(m->call_count, 1);
    assert_int_equal(m->loss.unmatched, 0); /* the second launch was not to be recorded */
    assert_int_equal(m->loss.unasked, 1);
    assert_int_equal(m->warning_count, 0);
    struct arena arena;
    uint32_t count;
    arena_init(&arena);
    struct device_summary *devices = summary_build(m, &arena, &count);
    assert_int_equal(devices[0].graphs, 2);
    assert_int_equal(devices[0].kernels, 0);
    assert_int_equal(devices[0].kernel_busy_ns, 500);
    arena_finish(&arena);
    model_destroy(m);
}

static void pauses(void **state)
{
    (void)state;
    const char *const texts[] = {"kernel 1 13 100 200 k\npause 500 700 range\npause 300 400 delay\nend 900\n",
                                 "kernel 1 13 100 200 k\npause 0 50 size\nend 900\n"};
    struct model *m = recipe_models(texts, 2);
    assert_int_equal(m->pause_count, 3);
    assert_int_equal(m->pauses[0].reason, CGT_PAUSE_DELAY);
    assert_int_equal(model_paused_ns(m, 0, 0, 1000), 300);
    assert_int_equal(model_paused_ns(m, 0, 350, 600), 150);
    assert_int_equal(model_paused_ns(m, 1, 0, 1000), 50);
    assert_true(model_resumed_ns(m, 0, 399) == INT64_MIN);
    assert_int_equal(model_resumed_ns(m, 0, 400), 400);
    assert_int_equal(model_resumed_ns(m, 0, 600), 400);
    assert_int_equal(model_resumed_ns(m, 0, 5000), 700);
    assert_int_equal(model_resumed_ns(m, 1, 60), 50);
    model_destroy(m);
}

/* Only they are created by a call that issues work to them; a context's own streams come with it. */
static void per_thread_default_streams(void **state)
{
    (void)state;
    struct model *m = recipe_model("context 1 null=7\n"
                                   "stream 7 null created=1\nstream 13 blocking created=2\nstream 14 blocking created=4\n"
                                   "stream 15 blocking\nstream 16 non-blocking created=7\n"
                                   "call 1 1 5 cudaMemset_v3020\nmemset 1 7 6 7 64\n"
                                   "call 2 10 20 cudaMemsetAsync_ptsz_v7000\nmemset 2 13 21 22 64\n"
                                   "call 3 23 24 cudaLaunchKernel_ptsz_v7000\nkernel 3 13 25 26 a\n"
                                   "call 4 30 31 cudaStreamCreate_v3020\n"
                                   "call 5 32 33 cudaLaunchKernel_ptsz_v7000\nkernel 5 14 34 35 a\n"
                                   "call 6 36 37 cudaLaunchKernel_ptsz_v7000\nkernel 6 15 38 39 a\n"
                                   "call 7 40 41 cudaLaunchKernel_ptsz_v7000\nkernel 7 16 42 43 a\nend 50\n");
    unsigned streams = 0;
    for (uint32_t i = 0; i < m->lane_count; i++) {
        assert_int_equal(m->lanes[i].per_thread, m->lanes[i].kind == LANE_STREAM && m->lanes[i].id == 13);
        streams += m->lanes[i].kind == LANE_STREAM;
    }
    assert_int_equal(streams, 5);
    model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_and_order),      cmocka_unit_test(links_and_loss),
        cmocka_unit_test(events_in_the_order_of_calls), cmocka_unit_test(calls_are_classified),
        cmocka_unit_test(kernel_names),         cmocka_unit_test(summary_counts_unions),
        cmocka_unit_test(no_gpu_work),          cmocka_unit_test(two_processes),
        cmocka_unit_test(graphs_and_ranges),
        cmocka_unit_test(per_thread_default_streams),
        cmocka_unit_test(pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
