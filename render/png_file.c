#include "png_file.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

static void add_text(png_structp png, png_infop info, const char *key, const char *text)
{
    /* iTXt, since titles may be in any script */
    png_text chunk = {.compression = PNG_ITXT_COMPRESSION_NONE, .key = (char *)key, .text = (char *)text,
                      .lang = (char *)"", .lang_key = (char *)""};
    if (text[0] != '\0')
        png_set_text(png, info, &chunk, 1);
}

static void write_header(png_structp png, png_infop info, const struct png_file_image *image)
{
    png_uint_32 dots_per_metre = (png_uint_32)lround(image->dpi / 0.0254);
    png_set_IHDR(png, info, image->width, image->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_pHYs(png, info, dots_per_metre, dots_per_metre, PNG_RESOLUTION_METER);
    add_text(png, info, "Title", image->title);
    add_text(png, info, "Software", image->software);
    add_text(png, info, "Source", image->source);
    png_write_info(png, info);
}

static void write_rows(png_structp png, const struct png_file_image *image, png_bytep row)
{
    for (uint32_t y = 0; y < image->height; y++) {
        const uint32_t *pixels = image->pixels + (size_t)y * image->stride_bytes / sizeof *pixels;
        for (uint32_t x = 0; x < image->width; x++) {
            row[3 * x] = (png_byte)(pixels[x] >> 16);
            row[3 * x + 1] = (png_byte)(pixels[x] >> 8);
            row[3 * x + 2] = (png_byte)pixels[x];
        }
        png_write_row(png, row);
    }
}

/* libpng comes back here with longjmp on failure; nothing that changes after setjmp is used then. */
static bool write_all(png_structp png, png_infop info, FILE *file, const struct png_file_image *image, png_bytep row)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_init_io(png, file);
    write_header(png, info, image);
    write_rows(png, image, row);
    png_write_end(png, info);
    return true;
}

static void stay_silent(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void jump_out(png_structp png, png_const_charp message)
{
    (void)message;
    longjmp(png_jmpbuf(png), 1);
}

bool png_file_write(FILE *file, const struct png_file_image *image)
{
    bool done = false;
    png_bytep row = malloc(3 * (size_t)image->width);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, jump_out, stay_silent);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (row != NULL && info != NULL)
        done = write_all(png, info, file, image, row);
    png_destroy_write_struct(&png, &info);
    free(row);
    return done;
}
