/* Pictures in files: pixels against a reference, the same bytes each time, nothing left behind on failure.
 *
 * Fonts are pinned by FONTCONFIG_FILE (fonts.conf.in). CUGANTT_REGENERATE=1 writes the reference anew. */
#include "drawing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recipe.h"
#include "render/picture.h"

/* Other versions of the rasterizer may shade edges a little differently: so many of 1000 pixels may differ by more than
 * so many of 255 steps in a channel. */
enum { DIFFERENT_PER_MILLE = 4, STEPS = 40 };

struct fixture {
    struct drawing drawing;
    struct typeset *typeset;
    struct text_measure measure;
    struct picture picture;
    char dir[64];
};

static char *path_in(struct fixture *f, const char *name)
{
    return arena_printf(&f->drawing.arena, "%s/%s", f->dir, name);
}

/* One finding, so that badges and arrows are drawn, in words that do not change. */
static void set_finding(struct diagnosis *diagnosis)
{
    assert_true(diagnosis->finding_count > 0);
    diagnosis->finding_count = 1;
    diagnosis->findings[0].text = "some kernels waited for others.";
    diagnosis->findings[0].advice = "let them not wait.";
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    char *recipe = recipe_read_file(GOLDEN_DIR "/default-stream.recipe");
    if (recipe == NULL)
        return -1;
    drawing_init(&f->drawing, recipe);
    free(recipe);
    strcpy(f->dir, "/tmp/cugantt-picture-XXXXXX");
    f->typeset = typeset_create();
    f->measure = typeset_measure(f->typeset);
    set_finding(&f->drawing.diagnosis);
    f->drawing.request.width = 700;
    f->drawing.request.measure = &f->measure;
    drawing_draw(&f->drawing);
    f->picture = (struct picture){.scene = &f->drawing.scene,
                                  .dpi = 144,
                                  .title = "Default stream: 默认流",
                                  .software = "cugantt 0",
                                  .source = "test.cgt; Card; driver 580.159; recorded 2026-12-01T01:22:33Z",
                                  .recorded = "2026-12-01T01:22:33Z"};
    *state = f;
    return mkdtemp(f->dir) == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    DIR *dir = opendir(f->dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        unlink(path_in(f, entry->d_name));
    closedir(dir);
    rmdir(f->dir);
    typeset_destroy(f->typeset);
    drawing_finish(&f->drawing);
    free(f);
    return 0;
}

static void write_picture(struct fixture *f, const char *path)
{
    struct error err = {0};
    assert_true(picture_format_of(path, &f->picture.format));
    if (!picture_write(&f->picture, f->typeset, path, &err))
        fail_msg("%s: %s", err.file, err.what);
}

static cairo_surface_t *read_png(const char *path)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
        fail_msg("%s: %s", path, cairo_status_to_string(cairo_surface_status(surface)));
    return surface;
}

static bool differs(uint32_t a, uint32_t b)
{
    for (int shift = 0; shift < 24; shift += 8)
        if (abs((int)(a >> shift & 255) - (int)(b >> shift & 255)) > STEPS)
            return true;
    return false;
}

static void compare_pixels(cairo_surface_t *a, cairo_surface_t *b)
{
    int width = cairo_image_surface_get_width(a), height = cairo_image_surface_get_height(a);
    assert_int_equal(width, cairo_image_surface_get_width(b));
    assert_int_equal(height, cairo_image_surface_get_height(b));
    int stride = cairo_image_surface_get_stride(a), different = 0;
    for (int y = 0; y < height; y++) {
        const uint32_t *row_a = (const void *)(cairo_image_surface_get_data(a) + (size_t)y * (size_t)stride);
        const uint32_t *row_b = (const void *)(cairo_image_surface_get_data(b) + (size_t)y * (size_t)stride);
        for (int x = 0; x < width; x++)
            different += differs(row_a[x], row_b[x]);
    }
    assert_true(different <= width * height / 1000 * DIFFERENT_PER_MILLE);
}

/* The pinned font must be there: another would move everything. */
static void font_is_pinned(struct fixture *f)
{
    PangoLayout *layout = typeset_text(f->typeset, TEXT_NOTE, "x", 0);
    PangoFont *font =
        pango_context_load_font(pango_layout_get_context(layout), pango_layout_get_font_description(layout));
    PangoFontDescription *description = pango_font_describe(font);
    assert_string_equal(pango_font_description_get_family(description), "DejaVu Sans");
    pango_font_description_free(description);
    g_object_unref(font);
}

static void pixels_match(struct fixture *f, const char *name)
{
    const char *reference = arena_printf(&f->drawing.arena, "%s/%s", GOLDEN_DIR, name);
    const char *actual = path_in(f, name);
    font_is_pinned(f);
    write_picture(f, getenv("CUGANTT_REGENERATE") != NULL ? reference : actual);
    write_picture(f, actual);
    cairo_surface_t *a = read_png(actual), *b = read_png(reference);
    compare_pixels(a, b);
    cairo_surface_destroy(a);
    cairo_surface_destroy(b);
}

static void light_pixels(void **state)
{
    pixels_match(*state, "default-stream-light.png");
}

static void dark_pixels(void **state)
{
    struct fixture *f = *state;
    f->picture.theme = THEME_DARK;
    pixels_match(f, "default-stream-dark.png");
}

static void same_bytes(void **state)
{
    static const char *const names[] = {"a.png", "b.png", "a.pdf", "b.pdf"};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 2) {
        size_t size[2];
        char *bytes[2];
        for (size_t k = 0; k < 2; k++) {
            write_picture(f, path_in(f, names[i + k]));
            FILE *file = fopen(path_in(f, names[i + k]), "rb");
            bytes[k] = NULL;
            size[k] = 0;
            fseek(file, 0, SEEK_END);
            size[k] = (size_t)ftell(file);
            rewind(file);
            bytes[k] = malloc(size[k]);
            assert_int_equal(fread(bytes[k], 1, size[k], file), size[k]);
            fclose(file);
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

static bool file_contains(const char *path, const char *what)
{
    FILE *file = fopen(path, "rb");
    char bytes[4096];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return memmem(bytes, size, what, strlen(what)) != NULL;
}

static void png_says_what_it_is(void **state)
{
    struct fixture *f = *state;
    const char *path = path_in(f, "a.png");
    write_picture(f, path);
    assert_true(file_contains(path, "pHYs"));
    assert_true(file_contains(path, "Default stream: 默认流"));
    assert_true(file_contains(path, "cugantt 0"));
    assert_true(file_contains(path, "recorded 2026-12-01"));
    assert_false(file_contains(path, "tIME"));
}

static void svg_and_pdf_are_whole(void **state)
{
    struct fixture *f = *state;
    write_picture(f, path_in(f, "a.svg"));
    char *svg = recipe_read_file(path_in(f, "a.svg"));
    assert_non_null(strstr(svg, "<svg"));
    assert_non_null(strstr(svg, "</svg>"));
    free(svg);
    write_picture(f, path_in(f, "a.PDF"));
    assert_true(file_contains(path_in(f, "a.PDF"), "%PDF-"));
}

static int count_files(const char *path)
{
    int count = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void failure_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    struct error err;
    f->picture.format = PICTURE_PNG;
    assert_false(picture_write(&f->picture, f->typeset, path_in(f, "no/such/dir.png"), &err));
    assert_non_null(strstr(err.what, "cannot create"));
    f->drawing.scene.height = 1e6; /* more than cairo can draw */
    assert_false(picture_write(&f->picture, f->typeset, path_in(f, "big.png"), &err));
    assert_non_null(strstr(err.what, "cannot be drawn"));
    assert_int_equal(count_files(f->dir), 0);
}

static void formats_by_name(void **state)
{
    (void)state;
    enum picture_format format = PICTURE_SVG;
    assert_true(picture_format_of("a.b/c.png", &format));
    assert_int_equal(format, PICTURE_PNG);
    assert_false(picture_format_of("png", &format));
    assert_false(picture_format_of(".png", &format));
    assert_false(picture_format_of("a.jpeg", &format));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(light_pixels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dark_pixels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(png_says_what_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(svg_and_pdf_are_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failure_leaves_nothing, set_up, tear_down),
        cmocka_unit_test(formats_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
