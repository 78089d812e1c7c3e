/* nsys.h - SQLite databases that `nsys export --type sqlite` writes, of any version of its schema. */
#ifndef CUGANTT_NSYS_H
#define CUGANTT_NSYS_H

#include "image.h"

/* Reads `set->path` into an image for each process. What is broken is skipped, counted and named; false only if nothing
 * can be read. */
bool nsys_read(struct image_set *set, import_progress *progress);

#endif
