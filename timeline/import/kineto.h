/* kineto.h - traces of the PyTorch profiler (Kineto) and other Chrome JSON with GPU events in its dialects. */
#ifndef CUGANTT_KINETO_H
#define CUGANTT_KINETO_H

#include "image.h"

/* Reads `set->path` into one image, or of our own exports into one a process. What is broken is skipped, counted and
 * named; false only if nothing can be read. */
bool kineto_read(struct image_set *set, import_progress *progress);

#endif
