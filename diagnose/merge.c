#include "merge.h"

#include <stdlib.h>

void merge_init(struct merge *m, uint32_t runs, merge_key_of *key_of)
{
    *m = (struct merge){.runs = malloc((runs + 1) * sizeof *m->runs), .key_of = key_of};
    if (m->runs == NULL)
        abort();
}

void merge_finish(struct merge *m)
{
    free(m->runs);
    *m = (struct merge){0};
}

void merge_add(struct merge *m, uint32_t first, uint32_t end, const void *context)
{
    m->runs[m->count++] = (struct merge_run){m->key_of(context, first), first, end, context};
}

static bool before(const struct merge_run *a, const struct merge_run *b)
{
    if (a->key.first != b->key.first)
        return a->key.first < b->key.first;
    if (a->key.second != b->key.second)
        return a->key.second < b->key.second;
    return a->next < b->next;
}

static void sift_down(struct merge *m, uint32_t i)
{
    struct merge_run moving = m->runs[i];
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= m->count)
            break;
        if (child + 1 < m->count && before(&m->runs[child + 1], &m->runs[child]))
            child++;
        if (!before(&m->runs[child], &moving))
            break;
        m->runs[i] = m->runs[child];
        i = child;
    }
    m->runs[i] = moving;
}

void merge_start(struct merge *m)
{
    for (uint32_t i = m->count / 2; i-- > 0;)
        sift_down(m, i);
}

bool merge_next(struct merge *m, uint32_t *ret_item, const void **ret_context)
{
    if (m->count == 0)
        return false;
    struct merge_run *least = &m->runs[0];
    *ret_item = least->next++;
    if (ret_context != NULL)
        *ret_context = least->context;
    if (least->next < least->end)
        least->key = m->key_of(least->context, least->next);
    else
        *least = m->runs[--m->count];
    if (m->count > 0)
        sift_down(m, 0);
    return true;
}
