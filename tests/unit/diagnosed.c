#include "diagnosed.h"

/* Pieces of one operation lie end to end, and all of them sum to the gaps. */
void pieces_check(const struct result *r)
{
    int64_t sum = 0, by_cause[CAUSE_COUNT] = {0};
    for (uint32_t lane = 0; lane < r->d.lane_count; lane++)
        for (uint32_t i = 0; i < r->d.pieces[lane].count; i++) {
            struct piece p = piece_at(&r->d.pieces[lane], i), before = i > 0 ? piece_at(&r->d.pieces[lane], i - 1) : p;
            assert_true(p.end_ns > p.begin_ns);
            assert_true(span_is_operation(&r->model->spans[p.operation]));
            assert_int_equal(r->model->spans[p.operation].lane, lane);
            if (i > 0 && before.operation == p.operation)
                assert_int_equal(before.end_ns, p.begin_ns);
            sum += p.end_ns - p.begin_ns;
            by_cause[p.cause] += p.end_ns - p.begin_ns;
        }
    assert_int_equal(sum, r->d.gap_ns);
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        if (cause != CAUSE_PAGEABLE_STAGING && cause != CAUSE_STREAM_ORDER)
            assert_int_equal(by_cause[cause], r->d.lost_ns[cause]);
}

/* The steps of the critical path lie end to end over the whole window. */
static void path_check(struct result *r)
{
    struct critical_path path;
    critical_path_find(r->model, &r->d, &r->arena, &path);
    int64_t at = r->d.begin_ns;
    for (uint32_t i = 0; i < path.count; i++) {
        assert_int_equal(path.steps[i].begin_ns, at);
        assert_true(path.steps[i].end_ns > at);
        at = path.steps[i].end_ns;
    }
    assert_int_equal(at, r->d.end_ns);
}

struct result diagnosed(const char *recipe)
{
    struct result r = {.model = recipe_model(recipe)};
    arena_init(&r.arena);
    diagnose(r.model, &r.arena, &r.d);
    pieces_check(&r);
    if (r.d.replayed_ns >= 0) /* with nothing removed the schedule is the recording */
        assert_int_equal(r.d.replayed_ns, r.d.end_ns - r.d.begin_ns);
    path_check(&r);
    return r;
}

void diagnosed_end(struct result *r)
{
    arena_finish(&r->arena);
    model_destroy(r->model);
}

const struct finding *found(const struct result *r, enum cause cause)
{
    for (uint32_t i = 0; i < r->d.finding_count; i++)
        if (r->d.findings[i].cause == cause)
            return &r->d.findings[i];
    return NULL;
}

bool untold(const struct result *r, enum cause cause)
{
    for (uint32_t i = 0; i < r->d.cannot_tell_count; i++)
        if (r->d.cannot_tell[i].cause == cause)
            return true;
    return false;
}
