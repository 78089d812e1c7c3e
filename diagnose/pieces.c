#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "run.h"

#define LONGEST_NS ((INT64_C(1) << 56) - 1) /* two years: only damage makes longer ones */

/* Joins a piece to the last of the list, if they are one. */
static bool piece_join(struct piece_list *list, struct piece piece)
{
    if (list->count == 0)
        return false;
    struct piece last = piece_at(list, list->count - 1);
    if (last.operation != piece.operation || last.cause != piece.cause || last.end_ns != piece.begin_ns ||
        piece.end_ns - last.begin_ns > LONGEST_NS)
        return false;
    /* the longer part names the blocker */
    if (piece.end_ns - piece.begin_ns > last.end_ns - last.begin_ns)
        last.blocker = piece.blocker;
    last.end_ns = piece.end_ns;
    list->items[list->count - 1] = piece_keep(last);
    return true;
}

void piece_add(struct piece_list *list, struct piece piece)
{
    for (; piece.end_ns - piece.begin_ns > LONGEST_NS; piece.begin_ns += LONGEST_NS) {
        struct piece part = piece;
        part.end_ns = piece.begin_ns + LONGEST_NS;
        piece_add(list, part);
    }
    if (piece.end_ns <= piece.begin_ns || piece_join(list, piece))
        return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (list->items == NULL)
            abort();
    }
    list->items[list->count++] = piece_keep(piece);
}

void gap_piece_add(struct run *run, struct piece piece)
{
    piece_add(&run->pieces[run_span(run, piece.operation)->lane], piece);
}

static int piece_compare(const void *a, const void *b)
{
    const struct kept_piece *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return x->operation < y->operation ? -1 : x->operation > y->operation;
}

void pieces_sort(struct piece_list *list)
{
    for (uint32_t i = 1; i < list->count; i++)
        if (piece_compare(&list->items[i - 1], &list->items[i]) > 0) {
            qsort(list->items, list->count, sizeof *list->items, piece_compare);
            return;
        }
}

void pieces_keep(struct run *run, struct piece_list *list)
{
    if (list->items != NULL)
        arena_adopt(run->arena, list->items);
}

static struct merge_key begin_of(const void *context, uint32_t item)
{
    const struct piece_list *list = context;
    return (struct merge_key){list->items[item].begin_ns, 0};
}

void pieces_unions(const struct run *run, int64_t ret_ns[CAUSE_COUNT])
{
    int64_t until[CAUSE_COUNT];
    struct merge merge;
    uint32_t item;
    const void *context;
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        until[cause] = INT64_MIN;
        ret_ns[cause] = 0;
    }
    merge_init(&merge, run->model->lane_count + 1, begin_of);
    for (uint32_t lane = 0; lane < run->model->lane_count; lane++)
        if (run->pieces[lane].count > 0)
            merge_add(&merge, 0, run->pieces[lane].count, &run->pieces[lane]);
    if (run->chains.count > 0)
        merge_add(&merge, 0, run->chains.count, &run->chains);
    merge_start(&merge);
    while (merge_next(&merge, &item, &context)) {
        struct piece p = piece_at(context, item);
        int64_t begin = p.begin_ns > until[p.cause] ? p.begin_ns : until[p.cause];
        if (p.end_ns <= begin)
            continue;
        ret_ns[p.cause] += p.end_ns - begin;
        until[p.cause] = p.end_ns;
    }
    merge_finish(&merge);
}
