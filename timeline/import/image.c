#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Images of small files live in memory, those of large ones in $TMPDIR, without a name. */
static int anonymous_file(uint64_t source_bytes)
{
    const uint64_t large = UINT64_C(512) << 20;
    const char *directory = getenv("TMPDIR");
    int fd = -1;
    if (source_bytes > large)
        fd = open(directory != NULL && directory[0] == '/' ? directory : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return fd >= 0 ? fd : memfd_create("cugantt-import", MFD_CLOEXEC);
}

static bool image_init(struct image *image, struct image_set *set, uint32_t pid)
{
    *image = (struct image){.pid = pid, .fd = anonymous_file(set->bytes)};
    int own = image->fd >= 0 ? fcntl(image->fd, F_DUPFD_CLOEXEC, 0) : -1; /* the writer closes the one it gets */
    if (own < 0) {
        error_set(set->err, set->path, -1, "cannot make a temporary file: %s", strerror(errno));
    } else {
        image->writer = writer_create(own, set->path, set->err);
    }
    if (image->writer == NULL) {
        if (image->fd >= 0)
            close(image->fd);
        return false;
    }
    writer_property(image->writer, "source", set->source);
    return true;
}

struct image *image_get(struct image_set *set, uint32_t pid)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].pid == pid)
            return &set->items[i];
    if (set->failed)
        return NULL;
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity * 2 + 8;
        struct image *grown = ARENA_NEW(set->arena, struct image, capacity);
        if (set->count > 0)
            memcpy(grown, set->items, set->count * sizeof *grown);
        set->items = grown;
        set->capacity = capacity;
    }
    struct image *image = &set->items[set->count];
    if (!image_init(image, set, pid)) {
        set->failed = true;
        return NULL;
    }
    set->count++;
    return image;
}

void image_add(struct image *image, enum cgt_kind kind, const void *record)
{
    int64_t times[2]; /* all four kinds begin with them */
    memcpy(times, record, sizeof times);
    image->first_ns = image->records == 0 || times[0] < image->first_ns ? times[0] : image->first_ns;
    image->last_ns = times[1] > image->last_ns ? times[1] : image->last_ns;
    image->records++;
    writer_add(image->writer, kind, record);
}

void image_warn(struct image *image, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    writer_property(image->writer, "warning", text);
}

void image_started(struct image *image, int64_t realtime_ns)
{
    const time_t seconds = (time_t)(realtime_ns / 1000000000), twenty_years = 20 * 365 * 86400;
    char text[32];
    struct tm tm;
    if (seconds > twenty_years && gmtime_r(&seconds, &tm) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm) > 0)
        writer_property(image->writer, "started", text);
}

void image_loss(struct image *image, enum cgt_loss_kind kind, uint64_t count)
{
    const struct cgt_loss loss = {.time_ns = image->last_ns, .count = count, .kind = kind};
    if (count > 0)
        writer_add(image->writer, CGT_LOSS, &loss);
}

bool image_set_finish(struct image_set *set, struct images *ret_images)
{
    int *fds = ARENA_NEW(set->arena, int, set->count + 1);
    for (uint32_t i = 0; i < set->count; i++) {
        struct image *image = &set->items[i];
        if (!writer_finish(image->writer, image->last_ns, set->failed ? NULL : set->err))
            set->failed = true;
        writer_destroy(image->writer);
        image->writer = NULL;
        fds[i] = image->fd;
    }
    if (set->failed) {
        for (uint32_t i = 0; i < set->count; i++)
            close(fds[i]);
        return false;
    }
    *ret_images = (struct images){fds, set->count};
    return true;
}
