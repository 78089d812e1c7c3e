#include "writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "crc32.h"
#include "kinds.h"

/* 64 KiB blocks: large enough that a system call a block costs nothing, small enough that little is pending. */
enum { BLOCK_BYTES = 64 * 1024 };

struct pending {
    uint8_t *records;
    uint32_t count, capacity;
    int64_t t_min, t_max;
};

struct intern_slot {
    char *text; /* NULL: free */
    uint32_t hash, id;
};

/* A string that was asked for lately: names of kernels and calls come again and again, from the same place. */
struct recent {
    const char *address, *text; /* the caller's, which may hold another text by now, and ours */
    uint32_t id;
};

enum { RECENT = 256 };

struct writer {
    int fd;
    char path[256];
    struct pending pending[KIND_MAX];
    struct intern_slot *slots;
    uint32_t slot_count, string_count;
    struct recent recent[RECENT]; /* by address */
    char *heap; /* bytes of the strings in pending[CGT_STRING] */
    size_t heap_bytes, heap_capacity;
    struct writer_counts counts;
    uint64_t written_operations, written_calls;
    uint64_t lost_unsaid; /* lost records that no loss record has told of yet */
    int64_t last_ns;      /* latest time seen: stamps loss records */
    int failed;           /* errno of the first failed write */
};

static bool write_whole(struct writer *w, struct iovec *iov, int count)
{
    while (count > 0) {
        ssize_t n = writev(w->fd, iov, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        for (; count > 0 && (size_t)n >= iov->iov_len; iov++, count--)
            n -= (ssize_t)iov->iov_len;
        if (count > 0) {
            iov->iov_base = (char *)iov->iov_base + n;
            iov->iov_len -= (size_t)n;
        }
    }
    return true;
}

/* Writes all of iov or nothing: a block cut in the middle would hide the blocks behind it. */
static bool append(struct writer *w, struct iovec *iov, int count)
{
    uint64_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += iov[i].iov_len;
    if (write_whole(w, iov, count)) {
        w->counts.bytes += bytes;
        return true;
    }
    if (w->failed == 0)
        w->failed = errno ? errno : EIO;
    if (ftruncate(w->fd, (off_t)w->counts.bytes) == 0)
        lseek(w->fd, (off_t)w->counts.bytes, SEEK_SET);
    return false;
}

struct writer *writer_create(int fd, const char *path, struct error *err)
{
    struct writer *w = calloc(1, sizeof *w);
    struct cgt_file_header header = {
        .magic = CGT_MAGIC,
        .major = CGT_VERSION_MAJOR,
        .minor = CGT_VERSION_MINOR,
        .header_bytes = sizeof header,
    };
    struct iovec iov = {&header, sizeof header};
    if (w == NULL) {
        error_set(err, path, -1, "out of memory");
        close(fd);
        return NULL;
    }
    w->fd = fd;
    w->slot_count = 1024;
    w->slots = calloc(w->slot_count, sizeof *w->slots);
    snprintf(w->path, sizeof w->path, "%s", path);
    if (w->slots == NULL || !append(w, &iov, 1)) {
        error_set(err, path, -1, "cannot write: %s", strerror(errno));
        writer_destroy(w);
        return NULL;
    }
    return w;
}

void writer_destroy(struct writer *w)
{
    if (w == NULL)
        return;
    for (uint32_t i = 0; w->slots != NULL && i < w->slot_count; i++)
        free(w->slots[i].text);
    for (int kind = 0; kind < KIND_MAX; kind++)
        free(w->pending[kind].records);
    free(w->slots);
    free(w->heap);
    close(w->fd);
    free(w);
}

static bool block_write(struct writer *w, uint32_t kind)
{
    const struct kind_row *row = kind_find(kind);
    struct pending *p = &w->pending[kind];
    size_t records_bytes = (size_t)p->count * row->record_bytes;
    size_t heap_bytes = kind == CGT_STRING ? w->heap_bytes : 0; /* already padded to 8 */
    struct cgt_block_header header = {
        .magic = CGT_BLOCK_MAGIC,
        .kind = (uint16_t)kind,
        .version = 1,
        .count = p->count,
        .record_bytes = row->record_bytes,
        .payload_bytes = records_bytes + heap_bytes,
        .t_min = p->t_min,
        .t_max = p->t_max,
    };
    header.payload_crc = crc32_update(crc32_update(0, p->records, records_bytes), w->heap, heap_bytes);
    header.header_crc = crc32_update(0, &header, offsetof(struct cgt_block_header, header_crc));
    struct iovec iov[3] = {{&header, sizeof header}, {p->records, records_bytes}, {w->heap, heap_bytes}};
    return append(w, iov, heap_bytes > 0 ? 3 : 2);
}

static bool strings_write(struct writer *w)
{
    struct pending *p = &w->pending[CGT_STRING];
    if (p->count == 0)
        return true;
    while (w->heap_bytes % 8 != 0)
        w->heap[w->heap_bytes++] = 0; /* the heap has 8 spare bytes */
    if (!block_write(w, CGT_STRING))
        return false; /* kept: later records may still be written, and they need them */
    p->count = 0;
    w->heap_bytes = 0;
    return true;
}

static void count_written(struct writer *w, uint32_t kind, uint32_t count)
{
    if (kind_is_operation(kind))
        w->written_operations += count;
    if (kind == CGT_CALL)
        w->written_calls += count;
}

static void loss_say(struct writer *w)
{
    if (w->lost_unsaid == 0)
        return;
    struct cgt_loss loss = {.time_ns = w->last_ns, .count = w->lost_unsaid, .kind = CGT_LOSS_WRITE};
    w->lost_unsaid = 0;
    writer_add(w, CGT_LOSS, &loss);
}

static bool pending_write(struct writer *w, uint32_t kind)
{
    struct pending *p = &w->pending[kind];
    if (p->count == 0)
        return true;
    uint32_t count = p->count;
    bool done = strings_write(w) && block_write(w, kind);
    p->count = 0;
    if (!done) {
        w->counts.lost += count;
        w->lost_unsaid += count;
        return false;
    }
    count_written(w, kind, count);
    if (kind != CGT_LOSS)
        loss_say(w);
    return true;
}

static bool pending_grow(struct pending *p, uint32_t record_bytes)
{
    uint32_t capacity = BLOCK_BYTES / record_bytes;
    if (p->count < p->capacity)
        return true;
    if (p->capacity >= capacity)
        capacity = p->capacity * 2; /* only strings that cannot be written grow past a block */
    uint8_t *grown = realloc(p->records, (size_t)capacity * record_bytes);
    if (grown == NULL)
        return false;
    p->records = grown;
    p->capacity = capacity;
    return true;
}

bool writer_add(struct writer *w, enum cgt_kind kind, const void *record)
{
    const struct kind_row *row = kind_find(kind);
    struct pending *p = &w->pending[kind];
    if (!pending_grow(p, row->record_bytes)) {
        w->counts.lost++;
        w->lost_unsaid++;
        return false;
    }
    memcpy(p->records + (size_t)p->count * row->record_bytes, record, row->record_bytes);
    if (row->times > 0) {
        int64_t times[2];
        memcpy(times, record, row->times * sizeof *times);
        int64_t end = times[row->times - 1];
        p->t_min = p->count == 0 || times[0] < p->t_min ? times[0] : p->t_min;
        p->t_max = p->count == 0 || end > p->t_max ? end : p->t_max;
        w->last_ns = end > w->last_ns ? end : w->last_ns;
    }
    p->count++;
    w->counts.operations += kind_is_operation(kind);
    w->counts.calls += kind == CGT_CALL;
    if (kind != CGT_STRING && (size_t)(p->count + 1) * row->record_bytes > BLOCK_BYTES)
        return pending_write(w, kind);
    return true;
}

static uint32_t hash_text(const char *text)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *text != '\0'; text++)
        h = (h ^ (uint8_t)*text) * 16777619u;
    return h;
}

static struct intern_slot *slot_find(struct writer *w, const char *text, uint32_t hash)
{
    uint32_t i = hash & (w->slot_count - 1);
    while (w->slots[i].text != NULL && (w->slots[i].hash != hash || strcmp(w->slots[i].text, text) != 0))
        i = (i + 1) & (w->slot_count - 1);
    return &w->slots[i];
}

static bool slots_grow(struct writer *w)
{
    struct intern_slot *old = w->slots;
    uint32_t old_count = w->slot_count;
    struct intern_slot *grown = calloc((size_t)old_count * 2, sizeof *grown);
    if (grown == NULL)
        return false;
    w->slots = grown;
    w->slot_count = old_count * 2;
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].text != NULL)
            *slot_find(w, old[i].text, old[i].hash) = old[i];
    free(old);
    return true;
}

static bool heap_add(struct writer *w, const char *text, size_t length)
{
    if (w->heap_bytes + length + 8 > w->heap_capacity) {
        size_t capacity = (w->heap_capacity + length + 8) * 2 + 4096;
        char *grown = realloc(w->heap, capacity);
        if (grown == NULL)
            return false;
        w->heap = grown;
        w->heap_capacity = capacity;
    }
    memcpy(w->heap + w->heap_bytes, text, length);
    return true;
}

/* The slot of the text, made if there is none; NULL: no memory. */
static struct intern_slot *slot_intern(struct writer *w, const char *text)
{
    uint32_t hash = hash_text(text);
    struct intern_slot *slot = slot_find(w, text, hash);
    if (slot->text != NULL)
        return slot;
    if ((w->string_count + 1) * 2 > w->slot_count) {
        if (!slots_grow(w))
            return NULL;
        slot = slot_find(w, text, hash);
    }
    size_t length = strlen(text);
    if (w->heap_bytes + length > UINT32_MAX / 2 || !heap_add(w, text, length))
        return NULL;
    char *kept = strdup(text);
    if (kept == NULL)
        return NULL;
    struct cgt_string record = {.id = ++w->string_count, .offset = (uint32_t)w->heap_bytes, .length = (uint32_t)length};
    *slot = (struct intern_slot){kept, hash, record.id};
    w->heap_bytes += length;
    writer_add(w, CGT_STRING, &record);
    return slot;
}

uint32_t writer_string(struct writer *w, const char *text)
{
    if (text == NULL || *text == '\0')
        return 0;
    struct recent *recent = &w->recent[(uintptr_t)text / 16 % RECENT];
    if (recent->address == text && strcmp(recent->text, text) == 0)
        return recent->id;
    const struct intern_slot *slot = slot_intern(w, text);
    if (slot == NULL)
        return 0;
    *recent = (struct recent){text, slot->text, slot->id};
    return slot->id;
}

void writer_property(struct writer *w, const char *key, const char *value)
{
    struct cgt_property record = {writer_string(w, key), writer_string(w, value)};
    writer_add(w, CGT_PROPERTY, &record);
}

bool writer_flush(struct writer *w, struct error *err)
{
    loss_say(w);
    for (uint32_t kind = 0; kind < KIND_MAX; kind++)
        if (kind != CGT_STRING)
            pending_write(w, kind);
    strings_write(w);
    pending_write(w, CGT_LOSS); /* what the blocks above lost */
    if (w->failed != 0)
        return error_set(err, w->path, -1, "cannot write: %s", strerror(w->failed));
    return true;
}

bool writer_finish(struct writer *w, int64_t time_ns, struct error *err)
{
    writer_flush(w, NULL);
    struct cgt_end end = {time_ns, w->written_operations, w->written_calls};
    writer_add(w, CGT_END, &end);
    return writer_flush(w, err);
}

struct writer_counts writer_counts(const struct writer *w)
{
    return w->counts;
}
