#include <stdlib.h>

#include "merge.h"
#include "run.h"

/* Operations of all streams in one order. Every stream is sorted by begin already, which almost always is its order of issue
 * too; a stream that is not gets sorted on its own. */

struct issue_key {
    struct merge_key key;
    uint32_t op;
};

static struct merge_key issue_key(const struct run *run, uint32_t op)
{
    const struct span *s = run_span(run, op);
    return (struct merge_key){issue_ns(run, s), s->begin_ns};
}

static int key_compare(const void *a, const void *b)
{
    const struct issue_key *x = a, *y = b;
    if (x->key.first != y->key.first)
        return x->key.first < y->key.first ? -1 : 1;
    if (x->key.second != y->key.second)
        return x->key.second < y->key.second ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static bool is_issue_order(const struct run *run, const uint32_t *ops, uint32_t count)
{
    struct issue_key last = {issue_key(run, ops[0]), ops[0]};
    for (uint32_t i = 1; i < count; i++) {
        struct issue_key next = {issue_key(run, ops[i]), ops[i]};
        if (key_compare(&last, &next) > 0)
            return false;
        last = next;
    }
    return true;
}

static void lane_order(const struct run *run, uint32_t *ops, uint32_t count)
{
    if (is_issue_order(run, ops, count))
        return;
    struct issue_key *keys = malloc(count * sizeof *keys);
    if (keys == NULL)
        abort();
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (struct issue_key){issue_key(run, ops[i]), ops[i]};
    qsort(keys, count, sizeof *keys, key_compare);
    for (uint32_t i = 0; i < count; i++)
        ops[i] = keys[i].op;
    free(keys);
}

struct issue_order {
    const struct run *run;
    const uint32_t *ops;
};

static struct merge_key issue_key_of(const void *context, uint32_t item)
{
    const struct issue_order *order = context;
    return issue_key(order->run, order->ops[item]);
}

void order_build(struct run *run)
{
    const struct model *m = run->model;
    uint32_t *ops = malloc((run->op_count + 1) * sizeof *ops);
    run->order = malloc((run->op_count + 1) * sizeof *run->order);
    struct issue_order order = {run, ops};
    struct merge merge;
    if (ops == NULL || run->order == NULL)
        abort();
    for (uint32_t i = 0; i < run->op_count; i++)
        ops[i] = run->first_op + i;
    merge_init(&merge, m->lane_count, issue_key_of);
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *lane = &m->lanes[i];
        uint32_t first = lane->first - run->first_op;
        if (lane->kind != LANE_STREAM || lane->count == 0)
            continue;
        lane_order(run, ops + first, lane->count);
        merge_add(&merge, first, first + lane->count, &order);
    }
    merge_start(&merge);
    for (uint32_t i = 0, item; merge_next(&merge, &item, NULL); i++)
        run->order[i] = ops[item];
    merge_finish(&merge);
    free(ops);
}

static struct merge_key begin_key_of(const void *context, uint32_t item)
{
    const struct span *s = run_span(context, item);
    return (struct merge_key){s->begin_ns, s->end_ns};
}

void order_by_begin(const struct run *run, struct merge *ret_merge)
{
    const struct model *m = run->model;
    merge_init(ret_merge, m->lane_count, begin_key_of);
    for (uint32_t i = 0; i < m->lane_count; i++)
        if (m->lanes[i].kind == LANE_STREAM && m->lanes[i].count > 0)
            merge_add(ret_merge, m->lanes[i].first, m->lanes[i].first + m->lanes[i].count, run);
    merge_start(ret_merge);
}
