/* picture.h - a scene into a file: PNG, SVG or PDF. */
#ifndef CUGANTT_PICTURE_H
#define CUGANTT_PICTURE_H

#include <stdbool.h>

#include "scene.h"
#include "timeline/error.h"
#include "typeset.h"

enum picture_format { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF };

struct picture {
    const struct scene *scene;
    enum theme theme;
    enum picture_format format;
    double dpi;                            /* px per inch in print; pixels stay what they are */
    const char *title, *software, *source; /* for the file's own description */
    const char *recorded;                  /* ISO 8601, stands for the creation time in PDF; "" if not known */
};

/* Format by the end of the file name. False if it is none of the three. */
bool picture_format_of(const char *path, enum picture_format *ret_format);

/* Writes beside `path` and renames: on failure there is no new file, and an old one stays as it was. The same picture
 * gives the same bytes. */
bool picture_write(const struct picture *picture, struct typeset *typeset, const char *path, struct error *err);

#endif
