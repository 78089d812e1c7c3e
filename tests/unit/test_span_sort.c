#include <stdlib.h>
#include <string.h>

#include "timeline/parallel.h"
#include "timeline/span_sort.h"
#include "unit.h"

enum { SPANS = 1000 };

/* The same order, said another way: the rival. */
static int rival_compare(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return (x->end_ns < y->end_ns) == (x->kind != SPAN_RANGE) ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

static void spans_fill(struct span *spans, uint32_t count, uint32_t run, uint32_t back)
{
    uint8_t kind = rand() % 2 ? SPAN_RANGE : SPAN_KERNEL; /* a lane holds either */
    for (uint32_t i = 0; i < count; i++) {
        /* runs of ascending begins, each of which starts before the one in front of it ended */
        uint32_t begin = i % run * 10 + i / run * (run * 10 > back ? run * 10 - back : 0) + (uint32_t)rand() % 3;
        spans[i] = (struct span){.begin_ns = begin, .end_ns = begin + (uint32_t)rand() % 4, .record = (uint32_t)rand() % 50,
                                 .lane = i, .kind = kind};
    }
}

static void as_qsort(void **state)
{
    (void)state;
    static struct span spans[SPANS], rival[SPANS];
    const uint32_t runs[] = {1, 2, 7, 64, 333, SPANS}, counts[] = {0, 1, 2, 3, 64, 999, SPANS}, backs[] = {0, 15, 400, 100000};
    srand(11);
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t b = 0; b < sizeof backs / sizeof *backs; b++) {
                uint32_t count = counts[c];
                spans_fill(spans, count, runs[r], backs[b]);
                memcpy(rival, spans, sizeof rival);
                qsort(rival, count, sizeof *rival, rival_compare); /* glibc's sorts stably, as ours does */
                span_sort(spans, count);
                for (uint32_t i = 0; i < count; i++)
                    assert_memory_equal(&spans[i], &rival[i], sizeof *spans);
            }
}

static void visit(void *context, uint32_t index)
{
    ((uint8_t *)context)[index]++;
}

static void each_item_once(void **state)
{
    (void)state;
    const uint32_t counts[] = {0, 1, 2, 1000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        uint8_t seen[1000] = {0};
        parallel_for(counts[c], visit, seen);
        for (uint32_t i = 0; i < sizeof seen; i++)
            assert_int_equal(seen[i], i < counts[c]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_qsort),
        cmocka_unit_test(each_item_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
