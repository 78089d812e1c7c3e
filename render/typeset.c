#include "typeset.h"

#include <stdlib.h>

static const char FAMILIES[] = "Inter, DejaVu Sans, Noto Sans, sans-serif";

struct typeset {
    PangoFontMap *fonts_known;
    PangoContext *context;
    PangoLayout *layout;
    PangoFontDescription *fonts[TEXT_STYLE_COUNT];
};

static PangoContext *create_context(PangoFontMap *fonts_known)
{
    PangoContext *context = pango_font_map_create_context(fonts_known);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
    return context;
}

struct typeset *typeset_create(void)
{
    struct typeset *t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    t->fonts_known = pango_cairo_font_map_new();
    t->context = create_context(t->fonts_known);
    t->layout = pango_layout_new(t->context);
    pango_layout_set_single_paragraph_mode(t->layout, TRUE);
    for (int i = 0; i < TEXT_STYLE_COUNT; i++) {
        t->fonts[i] = pango_font_description_from_string(FAMILIES);
        pango_font_description_set_absolute_size(t->fonts[i], text_size(i) * PANGO_SCALE);
        pango_font_description_set_weight(t->fonts[i], (PangoWeight)text_weight(i));
    }
    return t;
}

void typeset_destroy(struct typeset *t)
{
    if (t == NULL)
        return;
    for (int i = 0; i < TEXT_STYLE_COUNT; i++)
        pango_font_description_free(t->fonts[i]);
    g_object_unref(t->layout);
    g_object_unref(t->context);
    g_object_unref(t->fonts_known);
    free(t);
}

PangoLayout *typeset_text(struct typeset *t, enum text_style style, const char *text, double max_width)
{
    pango_layout_set_font_description(t->layout, t->fonts[style]);
    pango_layout_set_width(t->layout, max_width > 0 ? (int)(max_width * PANGO_SCALE) : -1);
    pango_layout_set_ellipsize(t->layout, max_width > 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
    pango_layout_set_text(t->layout, text, -1);
    return t->layout;
}

double typeset_width(PangoLayout *layout)
{
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    return (double)logical.width / PANGO_SCALE;
}

static double measure_width(void *context, enum text_style style, const char *text)
{
    return typeset_width(typeset_text(context, style, text, 0));
}

struct text_measure typeset_measure(struct typeset *t)
{
    return (struct text_measure){measure_width, t};
}
