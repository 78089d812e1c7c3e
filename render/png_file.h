/* png_file.h - writes pixels as PNG. The same pixels and texts give the same bytes: no time of writing. */
#ifndef CUGANTT_PNG_FILE_H
#define CUGANTT_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct png_file_image {
    const uint32_t *pixels; /* 0xXXRRGGBB, opaque */
    uint32_t width, height;
    uint32_t stride_bytes;
    double dpi;
    const char *title, *software, *source; /* UTF-8; "" is left out */
};

bool png_file_write(FILE *file, const struct png_file_image *image);

#endif
