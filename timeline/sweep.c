#include "sweep.h"

#include <stdlib.h>
#include <string.h>

void sweep_init(struct sweep *s)
{
    *s = (struct sweep){0};
}

void sweep_finish(struct sweep *s)
{
    free(s->begins);
    free(s->ends);
    sweep_init(s);
}

static int64_t *grow(int64_t *times, uint32_t capacity)
{
    int64_t *grown = realloc(times, capacity * sizeof *grown);
    if (grown == NULL)
        abort();
    return grown;
}

void sweep_add(struct sweep *s, int64_t begin_ns, int64_t end_ns)
{
    if (end_ns <= begin_ns)
        return;
    if (s->count == s->capacity) {
        s->capacity = s->capacity * 2 + 256;
        s->begins = grow(s->begins, s->capacity);
        s->ends = grow(s->ends, s->capacity);
    }
    s->begins[s->count] = begin_ns;
    s->ends[s->count++] = end_ns;
}

static int time_compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void times_sort(int64_t *times, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (times[i - 1] > times[i]) {
            qsort(times, count, sizeof *times, time_compare);
            return;
        }
}

void sweep_sort(struct sweep *s)
{
    times_sort(s->begins, s->count);
    times_sort(s->ends, s->count);
}

int64_t sweep_time(const struct sweep *s, uint32_t depth, int64_t *ret_begins, int64_t *ret_ends, uint32_t *ret_count)
{
    int64_t total = 0, since = 0;
    uint32_t running = 0, found = 0;
    for (uint32_t b = 0, e = 0; e < s->count;) {
        /* an end before a begin at the same time: touching intervals do not overlap */
        if (b < s->count && s->begins[b] < s->ends[e]) {
            if (++running == depth)
                since = s->begins[b];
            b++;
            continue;
        }
        if (running-- == depth && s->ends[e] > since) {
            if (ret_begins != NULL) {
                ret_begins[found] = since;
                ret_ends[found] = s->ends[e];
            }
            found++;
            total += s->ends[e] - since;
        }
        e++;
    }
    if (ret_count != NULL)
        *ret_count = found;
    return total;
}
