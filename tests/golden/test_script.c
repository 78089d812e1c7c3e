/* Titles in any script: every character has a glyph, with the fonts of this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/typeset.h"

static void chinese(void **state)
{
    (void)state;
    struct typeset *typeset = typeset_create();
    PangoLayout *layout = typeset_text(typeset, TEXT_TITLE, "分块流水线：可分页主机内存", 0);
    int unknown = pango_layout_get_unknown_glyphs_count(layout);
    if (unknown > 0)
        fail_msg("%d characters without a glyph: install a Chinese font (Debian: fonts-droid-fallback)", unknown);
    assert_true(typeset_width(layout) > 10 * text_size(TEXT_TITLE));
    typeset_destroy(typeset);
}

static void ellipsis(void **state)
{
    (void)state;
    struct typeset *typeset = typeset_create();
    double whole = typeset_width(typeset_text(typeset, TEXT_TITLE, "a title that is too long", 0));
    double cut = typeset_width(typeset_text(typeset, TEXT_TITLE, "a title that is too long", whole / 2));
    assert_true(cut <= whole / 2 && cut > whole / 4);
    typeset_destroy(typeset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chinese), cmocka_unit_test(ellipsis)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
