#include <stdlib.h>

#include "run.h"

/* Operations in the order of issue: every stream's operations by their calls, then the streams merged. */

struct key {
    int64_t issue_ns, begin_ns;
    uint32_t op;
};

static struct key key_of(const struct run *run, uint32_t op)
{
    const struct span *s = run_span(run, op);
    return (struct key){issue_ns(run, s), s->begin_ns, op};
}

static int key_compare(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->issue_ns != y->issue_ns)
        return x->issue_ns < y->issue_ns ? -1 : 1;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Orders one stream in place. Begin order is almost always issue order already. */
static void lane_order(struct run *run, uint32_t *ops, uint32_t count)
{
    bool sorted = true;
    for (uint32_t i = 1; i < count && sorted; i++) {
        struct key before = key_of(run, ops[i - 1]), after = key_of(run, ops[i]);
        sorted = key_compare(&before, &after) <= 0;
    }
    if (sorted)
        return;
    struct key *keys = malloc(count * sizeof *keys);
    if (keys == NULL)
        abort();
    for (uint32_t i = 0; i < count; i++)
        keys[i] = key_of(run, ops[i]);
    qsort(keys, count, sizeof *keys, key_compare);
    for (uint32_t i = 0; i < count; i++)
        ops[i] = keys[i].op;
    free(keys);
}

/* A stream being merged: its next operation and where its operations end. */
struct cursor {
    struct key key;
    const uint32_t *next, *end;
};

static void sift_down(struct cursor *heap, uint32_t count, uint32_t i)
{
    for (;;) {
        uint32_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < count && key_compare(&heap[left].key, &heap[least].key) < 0)
            least = left;
        if (right < count && key_compare(&heap[right].key, &heap[least].key) < 0)
            least = right;
        if (least == i)
            return;
        struct cursor swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

static void merge(struct run *run, struct cursor *heap, uint32_t count)
{
    uint32_t written = 0;
    for (uint32_t i = count; i-- > 0;)
        sift_down(heap, count, i);
    while (count > 0) {
        struct cursor *top = &heap[0];
        run->order[written++] = *top->next++;
        if (top->next < top->end)
            top->key = key_of(run, *top->next);
        else
            *top = heap[--count];
        sift_down(heap, count, 0);
    }
}

void order_build(struct run *run)
{
    const struct model *m = run->model;
    uint32_t *ops = malloc((run->op_count + 1) * sizeof *ops);
    struct cursor *heap = malloc((m->lane_count + 1) * sizeof *heap);
    uint32_t cursors = 0;
    if (ops == NULL || heap == NULL)
        abort();
    run->order = ARENA_NEW(run->arena, uint32_t, run->op_count + 1);
    for (uint32_t i = 0; i < run->op_count; i++)
        ops[i] = run->first_op + i;
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *lane = &m->lanes[i];
        if (lane->kind != LANE_STREAM || lane->count == 0)
            continue;
        uint32_t *first = ops + (lane->first - run->first_op);
        lane_order(run, first, lane->count);
        heap[cursors++] = (struct cursor){key_of(run, *first), first, first + lane->count};
    }
    merge(run, heap, cursors);
    free(heap);
    free(ops);
}
