/* image.h - the traces that an importer writes: one anonymous .cgt file for each process of the foreign file. */
#ifndef CUGANTT_IMAGE_H
#define CUGANTT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "import.h"
#include "timeline/writer.h"

struct image {
    struct writer *writer;
    int fd;
    uint32_t pid;
    int64_t first_ns, last_ns; /* of what it holds */
    uint64_t records; /* operations and calls */
    void *own;        /* of the importer, from the arena */
};

struct image_set {
    struct image *items;
    uint32_t count, capacity;
    const char *path;   /* of the foreign file, for messages */
    uint64_t bytes;     /* its size: large ones do not become images in memory */
    const char *source; /* property `source` of every image */
    struct arena *arena;
    bool failed;        /* an image could not be made or written: err has why */
    struct error *err;
};

/* The image of a process, made on first use. NULL if it cannot be made: failed is then set. */
struct image *image_get(struct image_set *set, uint32_t pid);

/* Adds a kernel, copy, memset or call, and keeps the latest time. */
void image_add(struct image *image, enum cgt_kind kind, const void *record);

/* A line that tells the user what could not be read. */
void image_warn(struct image *image, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Property `started`, unless the moment is so near the epoch that the file's clock just counts from somewhere. */
void image_started(struct image *image, int64_t realtime_ns);

/* Says that `count` records were lost, if any. */
void image_loss(struct image *image, enum cgt_loss_kind kind, uint64_t count);

/* Ends all images. False if any could not be written; they are closed then. */
bool image_set_finish(struct image_set *set, struct images *ret_images);

#endif
