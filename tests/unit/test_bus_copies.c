/* What the PCIe link did while copies ran. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/diagnose.h"
#include "recipe.h"
#include "unit.h"

#define HEAD "device 0 name=Card pcie=5x16\ncontext 1 null=7\nstream 7 null\nstream 13 non-blocking\nthread 510 main\n"

struct result {
    struct model *model;
    struct arena arena;
    struct diagnosis d;
};

static struct result run(const char *text)
{
    struct result r = {.model = recipe_model(text)};
    arena_init(&r.arena);
    diagnose(r.model, &r.arena, &r.d);
    return r;
}

static void finish(struct result *r)
{
    arena_finish(&r->arena);
    model_destroy(r->model);
}

/* Samples of [from, to) us, `length` us each: bytes both ways. */
static void samples(FILE *f, int from, int to, int length, unsigned up, unsigned down)
{
    for (int at = from; at < to; at += length)
        fprintf(f, "bus %dus %dus %u %u\n", at, at + length, up, down);
}

/* Four bursts of 20 us in a millisecond, 1.1 MB each with their headers, for an upload of 4 MiB. */
static void staged_upload(FILE *f, int length)
{
    fputs("call 1 900us 1990us cudaMemcpy\ncopy 1 7 1ms 2ms htod pageable device 4M\n", f);
    samples(f, 900, 1000, length, 0, 0);
    for (int burst = 0; burst < 4; burst++) {
        int at = 1000 + burst * 250;
        samples(f, at, at + 20, length, (unsigned)(55000 * length), (unsigned)(3500 * length));
        samples(f, at + 20, at + 250, length, 0, 0);
    }
    samples(f, 2000, 2100, length, 0, 0);
}

static struct result staged(int length, const char *more)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs(HEAD, f);
    staged_upload(f, length);
    fputs(more, f);
    fputs("end 9ms\n", f);
    fclose(f);
    struct result r = run(text);
    free(text);
    return r;
}

static bool says(const struct result *r, const char *words)
{
    for (uint32_t i = 0; i < r->d.bus.line_count; i++)
        if (strstr(r->d.bus.lines[i], words) != NULL)
            return true;
    return false;
}

static void test_staged(void **state)
{
    (void)state;
    struct result r = staged(2, "");
    const struct bus_copies *sum = &r.d.bus.sums[BUS_TO_DEVICE][BUS_STAGED];
    assert_int_equal(r.d.bus.interval_ns, 2000);
    assert_int_equal(sum->count, 1);
    assert_int_equal(sum->bursts, 4);
    assert_int_equal(sum->bytes, 4 << 20);
    assert_int_equal(sum->call_ns, 1100000);
    assert_int_equal(sum->busy_ns, 80000);
    assert_int_equal(sum->burst_ns, 20000);
    assert_int_equal(sum->chunk_bytes, 1 << 20); /* of the copy: without headers */
    assert_int_equal(sum->chunk_low_bytes, 1 << 20);
    assert_int_equal(sum->chunk_high_bytes, 1 << 20);
    assert_int_equal(r.d.bus.item_count, 1);
    assert_int_equal(r.d.bus.items[0].busy_ns, 80000);
    assert_true(says(&r, "idle for 93 % of the calls"));
    assert_true(says(&r, "4 bursts of 1.00 MiB"));
    assert_true(says(&r, "52 GB/s"));
    finish(&r);
}

/* Half a sample at either end of a burst is half a sample, not a whole one. */
static void test_edges(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs(HEAD "copy 0 7 100us 200us htod pageable device 4M\n", f);
    samples(f, 90, 110, 2, 0, 0);
    samples(f, 110, 112, 2, 50000, 0);
    samples(f, 112, 152, 2, 213500, 0);
    samples(f, 152, 154, 2, 50000, 0);
    samples(f, 154, 210, 2, 0, 0);
    fclose(f);
    struct result r = run(text);
    free(text);
    int64_t busy_ns = r.d.bus.sums[BUS_TO_DEVICE][BUS_STAGED].busy_ns;
    assert_true(busy_ns > 40900 && busy_ns < 40980); /* 40 us and two quarters of 2 us */
    assert_int_equal(r.d.bus.sums[BUS_TO_DEVICE][BUS_STAGED].chunk_bytes, 0); /* one burst does not tell a chunk */
    finish(&r);
}

static void test_too_coarse(void **state)
{
    (void)state;
    struct result r = staged(10, "");
    assert_int_equal(r.d.bus.sums[BUS_TO_DEVICE][BUS_STAGED].chunk_bytes, 1 << 20);
    assert_true(says(&r, "too coarse for the rate within bursts"));
    finish(&r);
    r = staged(2, "copy 0 13 2050us 2060us htod pinned device 100K\n");
    assert_int_equal(r.d.bus.coarse, 1);
    assert_int_equal(r.d.bus.sums[BUS_TO_DEVICE][BUS_PINNED].count, 0);
    assert_true(says(&r, "1 copy is too short for samples of 2.00 us"));
    finish(&r);
}

/* Nothing is said of copies that were not sampled, or that others ran beside. */
static void test_left_out(void **state)
{
    (void)state;
    struct result r = staged(2, "copy 0 13 5ms 6ms htod pinned device 32M\n");
    assert_int_equal(r.d.bus.sums[BUS_TO_DEVICE][BUS_PINNED].count, 0);
    assert_int_equal(r.d.bus.shared, 0);
    finish(&r);
    r = staged(2, "copy 0 13 1500us 1600us htod pinned device 1M\n");
    assert_int_equal(r.d.bus.sums[BUS_TO_DEVICE][BUS_STAGED].count, 0);
    assert_int_equal(r.d.bus.shared, 2);
    assert_true(says(&r, "2 copies shared the link"));
    finish(&r);
    r = run(HEAD "copy 0 7 1ms 2ms htod pageable device 4M\nend 9ms\n");
    assert_int_equal(r.d.bus.interval_ns, 0);
    assert_int_equal(r.d.bus.line_count, 0);
    finish(&r);
}

/* Alone 52.4 GB/s each way; together 47.2 and 41.9. Uploads ask with 6 % of their bytes, the other way. */
static void test_both_directions(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs(HEAD "copy 0 7 100us 200us htod pinned device 5M\n"
               "copy 0 13 300us 400us dtoh device pinned 5M\n"
               "copy 0 7 500us 600us htod pinned device 4608K\n"
               "copy 0 13 500us 600us dtoh device pinned 4M\n", f);
    samples(f, 90, 100, 2, 0, 0);
    samples(f, 100, 200, 2, 110000, 6600);
    samples(f, 200, 300, 2, 0, 0);
    samples(f, 300, 400, 2, 0, 112000);
    samples(f, 400, 500, 2, 0, 0);
    samples(f, 500, 600, 2, 99000, 89600 + 5940);
    samples(f, 600, 610, 2, 0, 0);
    fclose(f);
    struct result r = run(text);
    free(text);
    const struct bus_report *bus = &r.d.bus;
    assert_int_equal(bus->both_ns, 100000);
    assert_true(bus->alone[0] > 52.3 && bus->alone[0] < 52.5 && bus->alone[1] > 52.3 && bus->alone[1] < 52.5);
    assert_true(bus->both[0] > 0.895 * bus->alone[0] && bus->both[0] < 0.905 * bus->alone[0]);
    assert_true(bus->both[1] > 0.795 * bus->alone[1] && bus->both[1] < 0.805 * bus->alone[1]);
    assert_int_equal(bus->beside, 2);
    assert_true(says(&r, "10 % and 20 % slower than alone"));
    assert_true(says(&r, "83 % of the link's raw 63 GB/s"));
    finish(&r);
}

/* Each copy is looked at on the link of its own device. */
static void test_devices(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs(HEAD "context 2 device=1 null=8\ncopy 0 7 100us 200us htod pinned device 5M\n"
               "copy 0 8 100us 200us htod pinned device 2560K context=2 device=1\n", f);
    samples(f, 90, 100, 2, 0, 0);
    samples(f, 100, 200, 2, 110000, 0);
    samples(f, 200, 210, 2, 0, 0);
    for (int at = 90; at < 210; at += 2)
        fprintf(f, "bus %dus %dus %u 0 device=1\n", at, at + 2, at >= 100 && at < 200 ? 55000u : 0u);
    fclose(f);
    struct result r = run(text);
    free(text);
    const struct bus_copies *sum = &r.d.bus.sums[BUS_TO_DEVICE][BUS_PINNED];
    assert_int_equal(sum->count, 2);
    assert_int_equal(r.d.bus.shared, 0);
    assert_int_equal(sum->busy_ns, 200000);
    assert_int_equal(sum->bytes, 7680 << 10);
    finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_staged),   cmocka_unit_test(test_edges),           cmocka_unit_test(test_too_coarse),
        cmocka_unit_test(test_left_out), cmocka_unit_test(test_both_directions),
        cmocka_unit_test(test_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
