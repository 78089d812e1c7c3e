/* Samples of PCIe links in the model. */
#include <stdio.h>


#include "recipe.h"
#include "timeline/model.h"
#include "unit.h"

#define HEAD                                 \
    "device 0 name=Card pcie=5x16\n"         \
    "context 1 device=0 null=7\n"            \
    "stream 7 null\n"                        \
    "kernel 1 7 1ms 2ms spin\n"

static struct model *model_of(const char *samples)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "%send 3ms\n", samples);
    return recipe_model(text);
}

static void test_sorted_by_device(void **state)
{
    (void)state;
    struct model *m = model_of("bus 20us 22us 300 0\n"
                               "bus 10us 20us 0 5 device=1 samples=5\n"
                               "bus 10us 20us 100 50 samples=5\n");
    assert_int_equal(m->bus_count, 2);
    const struct bus *bus = model_bus_find(m, 0, 0);
    assert_int_equal(bus->count, 2);
    assert_int_equal(bus->samples, 6);
    assert_int_equal(bus->sampled_ns, 12000);
    assert_int_equal(m->bus_samples[bus->first].bytes[BUS_TO_DEVICE], 100);
    assert_int_equal(m->bus_samples[bus->first].bytes[BUS_FROM_DEVICE], 50);
    assert_int_equal(m->bus_samples[bus->first + 1].begin_ns, 20000);
    assert_true(bus->peak_bytes_per_ns > 63 && bus->peak_bytes_per_ns < 63.1);
    assert_true(model_bus_find(m, 0, 1)->peak_bytes_per_ns == 0); /* nothing is known of that device */
    assert_null(model_bus_find(m, 0, 2));
    model_destroy(m);
}

static void test_bytes_of_a_window(void **state)
{
    (void)state;
    int64_t known_ns;
    struct model *m = model_of("bus 10us 20us 1000 0\n"
                               "bus 20us 30us 4000 0\n"
                               "bus 40us 50us 8000 0\n");
    const struct bus *bus = model_bus_find(m, 0, 0);
    assert_true(model_bus_bytes(m, bus, BUS_TO_DEVICE, 0, 100000, &known_ns) == 13000);
    assert_int_equal(known_ns, 30000);
    assert_true(model_bus_bytes(m, bus, BUS_TO_DEVICE, 15000, 25000, &known_ns) == 2500);
    assert_int_equal(known_ns, 10000);
    assert_true(model_bus_bytes(m, bus, BUS_TO_DEVICE, 30000, 40000, &known_ns) == 0);
    assert_int_equal(known_ns, 0);
    assert_true(model_bus_bytes(m, bus, BUS_FROM_DEVICE, 0, 100000, NULL) == 0);
    model_destroy(m);
}

/* What cannot be is left out: no length, no samples, devices that there are not, times twice. */
static void test_damaged(void **state)
{
    (void)state;
    struct model *m = model_of("bus 10us 10us 1000 0\n"
                               "bus 20us 30us 1000 0 samples=0\n"
                               "bus 20us 30us 1000 0 device=4000000000\n"
                               "bus 40us 60us 1000 0\n"
                               "bus 45us 55us 1000 0\n"
                               "bus 50us 70us 1000 0\n");
    const struct bus *bus = model_bus_find(m, 0, 0);
    assert_int_equal(m->bus_count, 1);
    assert_int_equal(bus->count, 2);
    assert_int_equal(m->bus_samples[bus->first + 1].begin_ns, 60000);
    assert_int_equal(bus->sampled_ns, 30000);
    model_destroy(m);
}

static void test_held_and_lost(void **state)
{
    (void)state;
    struct model *m = model_of("bus 10us 20us 1 0\n"
                               "property bus_held_ns 5000\n"
                               "property bus_held_ns 9000\n"
                               "loss samples 7\n");
    assert_int_equal(model_bus_held_ns(m, 0), 9000);
    assert_int_equal(m->loss.samples, 7);
    assert_int_equal(m->loss.dropped, 0);
    model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted_by_device),
        cmocka_unit_test(test_bytes_of_a_window),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_held_and_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
