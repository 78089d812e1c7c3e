#include <stdlib.h>
#include <string.h>

#include "run.h"

void piece_add(struct run *run, struct piece_list *list, struct piece piece)
{
    if (piece.end_ns <= piece.begin_ns)
        return;
    if (list->count > 0) {
        struct piece *last = &list->items[list->count - 1];
        if (last->operation == piece.operation && last->cause == piece.cause && last->end_ns == piece.begin_ns) {
            /* the longer part names the blocker */
            if (piece.end_ns - piece.begin_ns > last->end_ns - last->begin_ns)
                last->blocker = piece.blocker;
            last->end_ns = piece.end_ns;
            return;
        }
    }
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity * 2 + 256;
        struct piece *grown = ARENA_NEW(run->arena, struct piece, capacity);
        if (list->count > 0)
            memcpy(grown, list->items, list->count * sizeof *grown);
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++] = piece;
}

static int piece_compare(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    /* spans are grouped by lane, so the operation's index orders by lane first */
    if (x->operation != y->operation)
        return x->operation < y->operation ? -1 : 1;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

void pieces_sort(struct piece_list *list)
{
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, piece_compare);
}

struct interval {
    int64_t begin_ns, end_ns;
};

static int interval_compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

int64_t pieces_union_ns(struct run *run, const struct piece_list *list, enum cause cause)
{
    struct interval *all = ARENA_NEW(run->arena, struct interval, list->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].cause == cause)
            all[count++] = (struct interval){list->items[i].begin_ns, list->items[i].end_ns};
    if (count > 1)
        qsort(all, count, sizeof *all, interval_compare);
    int64_t total = 0, until = INT64_MIN;
    for (uint32_t i = 0; i < count; i++) {
        int64_t begin = all[i].begin_ns > until ? all[i].begin_ns : until;
        if (all[i].end_ns > begin) {
            total += all[i].end_ns - begin;
            until = all[i].end_ns;
        }
    }
    return total;
}
