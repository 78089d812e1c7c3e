/* Whole figures as text. The diagnosis is given here, so that only the layout is tested.
 *
 * CUGANTT_REGENERATE=1 writes the expected texts anew: look at the difference before you commit it. */
#include "drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recipe.h"

enum { MOST_GAPS = 4, MOST_FINDINGS = 2 };

/* A piece, and a place of the finding with the same cause. Spans by the correlation of their call. */
struct gap {
    uint32_t operation, blocker; /* blocker 0: none */
    bool blocker_is_call;
    int64_t begin_us, end_us;
    enum cause cause;
};

struct golden {
    const char *name;
    double width;
    struct gap gaps[MOST_GAPS];
    struct finding findings[MOST_FINDINGS];
};

static const struct golden goldens[] = {
    {.name = "default-stream",
     .width = 1000,
     .gaps = {{2, 1, false, 13, 315, CAUSE_LEGACY_DEFAULT_STREAM},
              {3, 2, false, 21, 618, CAUSE_LEGACY_DEFAULT_STREAM},
              {4, 2, false, 315, 618, CAUSE_LEGACY_DEFAULT_STREAM}},
     .findings = {{.cause = CAUSE_LEGACY_DEFAULT_STREAM,
                   .cost_ns = 605000,
                   .text = "two kernels waited for the kernel on the default stream.",
                   .advice = "use cudaStreamNonBlocking, or give the default stream nothing to do."}}},
    {.name = "staged-pipeline",
     .width = 1600,
     .gaps = {{1, 0, false, 170, 4008, CAUSE_PAGEABLE_STAGING}, {4, 3, true, 2000, 6000, CAUSE_HOST_STAGING}},
     .findings = {{.cause = CAUSE_HOST_STAGING, .cost_ns = 4000000, .text = "idle.", .advice = "pin the buffers."},
                  {.cause = CAUSE_PAGEABLE_STAGING, .cost_ns = 9000000, .text = "slow.", .advice = ""}}},
    {.name = "two-devices", .width = 800},
};

static uint32_t find_span(const struct model *model, uint32_t correlation, bool is_call)
{
    for (uint32_t i = 0; i < model->span_count && correlation != 0; i++) {
        const struct span *span = &model->spans[i];
        uint32_t own = span_is_operation(span) ? model_operation(model, span)->correlation
                                               : model_call(model, span)->correlation;
        if (span_is_operation(span) != is_call && own == correlation)
            return i;
    }
    return MODEL_NONE;
}

/* Puts the golden's gaps and findings in place of the real diagnosis. */
static void set_diagnosis(struct drawing *d, const struct golden *golden)
{
    struct place *places = ARENA_NEW(&d->arena, struct place, MOST_GAPS);
    d->diagnosis = (struct diagnosis){.pieces = ARENA_NEW(&d->arena, struct piece_list, d->model->lane_count),
                                      .lane_count = d->model->lane_count,
                                      .findings = ARENA_NEW(&d->arena, struct finding, MOST_FINDINGS)};
    for (uint32_t i = 0; i < MOST_GAPS && golden->gaps[i].operation != 0; i++) {
        const struct gap *gap = &golden->gaps[i];
        uint32_t operation = find_span(d->model, gap->operation, false);
        uint32_t blocker = find_span(d->model, gap->blocker, gap->blocker_is_call);
        places[i] = (struct place){gap->begin_us * 1000, gap->end_us * 1000, operation, blocker,
                                   d->model->spans[operation].lane};
        struct piece_list *pieces = &d->diagnosis.pieces[places[i].lane];
        if (pieces->items == NULL)
            pieces->items = ARENA_NEW(&d->arena, struct kept_piece, MOST_GAPS);
        if (gap->cause != CAUSE_PAGEABLE_STAGING)
            pieces->items[pieces->count++] =
                piece_keep((struct piece){places[i].begin_ns, places[i].end_ns, operation, blocker, (uint8_t)gap->cause, 0});
    }
    for (uint32_t f = 0; f < MOST_FINDINGS && golden->findings[f].text != NULL; f++) {
        struct finding *finding = &d->diagnosis.findings[d->diagnosis.finding_count++];
        struct place *own = ARENA_NEW(&d->arena, struct place, MOST_GAPS);
        *finding = golden->findings[f];
        finding->places = own;
        for (uint32_t i = 0; i < MOST_GAPS && golden->gaps[i].operation != 0; i++)
            if (golden->gaps[i].cause == finding->cause)
                own[finding->place_count++] = places[i];
    }
}

static void compare(const char *expected_path, const char *actual)
{
    if (getenv("CUGANTT_REGENERATE") != NULL) {
        FILE *file = fopen(expected_path, "w");
        assert_non_null(file);
        fputs(actual, file);
        fclose(file);
    }
    char *expected = recipe_read_file(expected_path);
    if (expected == NULL)
        fail_msg("%s is missing: CUGANTT_REGENERATE=1 writes it", expected_path);
    assert_string_equal(actual, expected);
    free(expected);
}

static void draw_golden(void **state)
{
    const struct golden *golden = *state;
    char path[512];
    struct drawing d;
    snprintf(path, sizeof path, "%s/%s.recipe", GOLDEN_DIR, golden->name);
    char *recipe = recipe_read_file(path);
    assert_non_null(recipe);
    drawing_init(&d, recipe);
    set_diagnosis(&d, golden);
    d.request.width = golden->width;
    drawing_draw(&d);
    snprintf(path, sizeof path, "%s/%s.scene", GOLDEN_DIR, golden->name);
    compare(path, drawing_text(&d));
    drawing_finish(&d);
    free(recipe);
}

int main(void)
{
    struct CMUnitTest tests[sizeof goldens / sizeof *goldens];
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++)
        tests[i] = (struct CMUnitTest){goldens[i].name, draw_golden, NULL, NULL, (void *)&goldens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
