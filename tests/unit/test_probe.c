/* What `cugantt run probe` leaves in a trace, and what becomes of it. */
#include "diagnosed.h"

#include <string.h>

#include "diagnose/probe.h"

#define CURVES(to_pageable)                                                                                                    \
    "property probe.rate.to_device.pageable " to_pageable "\n"                                                                 \
    "property probe.rate.to_device.pinned 1024:0.5,10485760:50\n"                                                              \
    "property probe.rate.from_device.pageable 1024:0.25,10485760:5\n"                                                          \
    "property probe.rate.from_device.pinned 1024:0.5,10485760:40\n"
#define REST                                                                                                                   \
    "property probe.rate.same_direction 50\nproperty probe.rate.both_directions 90\nproperty probe.copy_engines 3\n"           \
    "property probe.waits_from.to_device 65536\nproperty probe.waits_from.from_device 0\n"                                     \
    "property probe.launch_ns 2100\nproperty probe.round_trip_ns 7300\n"                                                       \
    "property probe.queue_depth 1022\nproperty probe.concurrent_kernels 128\n"

static void curves_and_numbers(void **state)
{
    (void)state;
    struct model *m = recipe_model("property host a\ndevice 0 name=Card\n" CURVES("1024:0.25,10485760:10") REST "end 1ms\n");
    struct probe p;
    char texts[PROBE_TEXTS][PROBE_TEXT_SIZE];
    assert_true(probe_read(m, &p));
    const struct probe_curve *pinned = &p.curves[PROBE_TO_DEVICE][PROBE_PINNED];
    assert_int_equal(pinned->count, 2);
    assert_float_equal(probe_copy_ns(pinned, 100), 2048, 1e-6);
    assert_float_equal(probe_copy_ns(pinned, 1024), 2048, 1e-6);
    assert_float_equal(probe_copy_ns(pinned, (1024 + 10485760) / 2.0), (2048 + 10485760 / 50.0) / 2, 1e-6);
    assert_float_equal(probe_copy_ns(pinned, 2 * 10485760.0), 2 * 10485760 / 50.0, 1e-6);
    assert_string_equal(p.host, "a");
    assert_string_equal(p.device, "Card");
    assert_int_equal(probe_texts(&p, texts), 4);
    assert_string_equal(texts[0], "The largest pageable copies reach 10 GB/s to the device (10 MiB), pinned ones 50 GB/s, 5.0 times "
                                  "that; 5.0 GB/s from the device (10 MiB), pinned ones 40 GB/s, 8.0 times that.");
    assert_string_equal(texts[1], "The call of a pageable copy waits for the work in front of it in its stream: to the device from "
                                  "64 KiB on, from the device never.");
    assert_string_equal(texts[2], "Two pinned copies at once move 1.0 times the bytes of one in the same direction, 1.8 times in "
                                  "both (3 copy engines).");
    assert_string_equal(texts[3], "A launch call takes 2.10 us, 7.30 us with an empty kernel and the wait for it (traced). 1022 "
                                  "launches may be pending before a call is held; 128 kernels ran at once.");
    model_destroy(m);
}

/* What was not measured is not told. */
static void rates_alone(void **state)
{
    (void)state;
    struct model *m = recipe_model(CURVES("1024:0.25") "end 1ms\n");
    struct probe p;
    char texts[PROBE_TEXTS][PROBE_TEXT_SIZE];
    assert_true(probe_read(m, &p));
    assert_int_equal(probe_texts(&p, texts), 1);
    model_destroy(m);
}

static void no_rates(void **state)
{
    (void)state;
    static const char *const recipes[] = {
        "end 1ms\n",        CURVES("") "end 1ms\n",        CURVES("1024") "end 1ms\n",     CURVES("1024:0.5,") "end 1ms\n",
        CURVES("1024:-1") "end 1ms\n",  CURVES("1024:nan") "end 1ms\n", CURVES("2:1,2:1") "end 1ms\n",  CURVES("1024:1x") "end 1ms\n",
        CURVES("1024:inf") "end 1ms\n", CURVES("0:1") "end 1ms\n",      CURVES("1024:0.0") "end 1ms\n", REST "end 1ms\n",
    };
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        struct model *m = recipe_model(recipes[i]);
        struct probe p;
        assert_false(probe_read(m, &p));
        model_destroy(m);
    }
}

static const char staged[] = "property host a\ndevice 0 name=Card pcie=5x16\n" STREAMS
                             "call 1 0us 2ms cudaMemcpy\ncopy 1 7 0us 2ms htod pageable device 10M\nend 3ms\n";

/* Diagnoses the staged copy with a probe's trace as reference. */
static struct result with_probe(const char *probe)
{
    struct result r = {.model = recipe_model(staged)};
    struct model *from = recipe_model(probe);
    struct probe p;
    arena_init(&r.arena);
    assert_true(probe_read(from, &p));
    diagnose_with_probe(r.model, &p, &r.arena, &r.d);
    pieces_check(&r);
    model_destroy(from);
    return r;
}

/* 10 MiB: 2 ms staged, 0.21 ms pinned at the probe's 50 GB/s. */
static void reference_of_this_machine(void **state)
{
    (void)state;
    struct result r = with_probe("property host a\ndevice 0 name=Card\n" CURVES("1024:0.25") "end 1ms\n");
    const struct finding *f = found(&r, CAUSE_PAGEABLE_STAGING);
    assert_non_null(f);
    assert_int_equal(f->confidence, CONFIDENCE_PROVEN);
    assert_int_equal(f->cost_ns, 2000000 - 209715);
    assert_int_equal(f->predicted_wall_ns, 209715);
    assert_non_null(strstr(f->text, "pinned copies of these sizes, as probed here, reach 50 GB/s H→D"));
    diagnosed_end(&r);
}

static void reference_of_another(void **state)
{
    (void)state;
    struct result r = with_probe("property host b\ndevice 0 name=Card\n" CURVES("1024:0.25") "end 1ms\n");
    const struct finding *f = found(&r, CAUSE_PAGEABLE_STAGING);
    assert_int_equal(f->confidence, CONFIDENCE_PROBABLE);
    assert_non_null(strstr(f->text, "as probed on such a device, reach 50 GB/s"));
    diagnosed_end(&r);
    r = with_probe("property host a\ndevice 0 name=Other\n" CURVES("1024:0.25") "end 1ms\n");
    f = found(&r, CAUSE_PAGEABLE_STAGING);
    assert_int_equal(f->confidence, CONFIDENCE_PROBABLE);
    assert_non_null(strstr(f->text, "as probed on another device (Other), reach 50 GB/s"));
    diagnosed_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_and_numbers),        cmocka_unit_test(rates_alone),          cmocka_unit_test(no_rates),
        cmocka_unit_test(reference_of_this_machine), cmocka_unit_test(reference_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
