#include "span_sort.h"

#include <stdlib.h>
#include <string.h>

static bool before(const struct span *x, const struct span *y)
{
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns;
    if (x->end_ns != y->end_ns)
        return (x->end_ns < y->end_ns) != (x->kind == SPAN_RANGE);
    return x->record < y->record;
}

struct sorting {
    struct span *spans;
    uint32_t *starts; /* of the sorted runs, and the end of the last */
    uint32_t run_count;
    struct span *room; /* for what is moved out of the way */
    size_t room_count;
};

static void *grown(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (memory == NULL)
        abort();
    return memory;
}

static void runs_find(struct sorting *s, uint32_t count)
{
    uint32_t capacity = 0;
    for (uint32_t i = 0; i <= count; i++) {
        if (i > 0 && i < count && !before(&s->spans[i], &s->spans[i - 1]))
            continue;
        if (s->run_count == capacity) {
            capacity = capacity * 2 + 64;
            s->starts = grown(s->starts, capacity * sizeof *s->starts);
        }
        s->starts[s->run_count++] = i;
    }
    s->run_count--; /* the last start is the end */
}

/* First of low .. high that `span` must come before. */
static uint32_t place_of(const struct span *span, const struct span *spans, uint32_t low, uint32_t high)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (before(span, &spans[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Merges two runs that lie side by side. What of the first comes before all of the second stays where it is. */
static void runs_merge(struct sorting *s, uint32_t first, uint32_t second, uint32_t end)
{
    first = place_of(&s->spans[second], s->spans, first, second);
    uint32_t moved = second - first;
    if (moved > s->room_count) {
        s->room_count = moved;
        s->room = grown(s->room, s->room_count * sizeof *s->room);
    }
    memcpy(s->room, s->spans + first, moved * sizeof *s->room);
    const struct span *left = s->room, *left_end = s->room + moved, *right = s->spans + second, *right_end = s->spans + end;
    struct span *to = s->spans + first;
    while (left < left_end && right < right_end)
        *to++ = before(right, left) ? *right++ : *left++;
    memcpy(to, left, (size_t)(left_end - left) * sizeof *to);
}

void span_sort(struct span *spans, uint32_t count)
{
    struct sorting s = {.spans = spans};
    runs_find(&s, count);
    while (s.run_count > 1) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < s.run_count; i += 2) {
            if (i + 1 < s.run_count)
                runs_merge(&s, s.starts[i], s.starts[i + 1], s.starts[i + 2]);
            s.starts[kept++] = s.starts[i];
        }
        s.starts[kept] = s.starts[s.run_count];
        s.run_count = kept;
    }
    free(s.starts);
    free(s.room);
}
