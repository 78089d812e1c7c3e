#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "crc32.h"
#include "kinds.h"
#include "parallel.h"

enum { MAX_WARNINGS = 20 }; /* a shredded file has thousands of damaged blocks: the count says that */

struct reader {
    const char *path;
    uint8_t *base;
    uint64_t bytes;       /* of the file */
    uint64_t mapped;      /* of the mapping: the file, then widened records */
    uint64_t widened;     /* bytes needed behind the file */
    struct block *blocks;
    uint32_t block_count, block_capacity;
    const char **strings; /* by id */
    uint32_t string_limit;
    uint64_t truncated_bytes, skipped_blocks;
    const char **warnings;
    uint32_t warning_count;
    struct arena arena;
};

static void warn(struct reader *r, const char *text)
{
    if (r->warning_count < MAX_WARNINGS)
        r->warnings[r->warning_count++] = text;
}

static void skip(struct reader *r, const char *text)
{
    r->skipped_blocks++;
    warn(r, text);
}

static bool header_whole(const struct reader *r, uint64_t offset)
{
    if (r->bytes - offset < sizeof(struct cgt_block_header))
        return false;
    struct cgt_block_header h;
    memcpy(&h, r->base + offset, sizeof h);
    return h.magic == CGT_BLOCK_MAGIC &&
           h.header_crc == crc32_update(0, &h, offsetof(struct cgt_block_header, header_crc));
}

/* A whole header at or behind `offset`, or the end of the file. */
static uint64_t resync(const struct reader *r, uint64_t offset)
{
    const uint32_t magic = CGT_BLOCK_MAGIC;
    while (offset < r->bytes) {
        const uint8_t *hit = memmem(r->base + offset, r->bytes - offset, &magic, sizeof magic);
        if (hit == NULL)
            return r->bytes;
        offset = (uint64_t)(hit - r->base);
        if (header_whole(r, offset))
            return offset;
        offset++;
    }
    return r->bytes;
}

static void block_add(struct reader *r, const struct cgt_block_header *h, uint64_t offset)
{
    if (r->block_count == r->block_capacity) {
        uint32_t capacity = r->block_capacity * 2 + 64;
        struct block *grown = ARENA_NEW(&r->arena, struct block, capacity);
        if (r->block_count > 0)
            memcpy(grown, r->blocks, r->block_count * sizeof *grown);
        r->blocks = grown;
        r->block_capacity = capacity;
    }
    const struct kind_row *row = kind_find(h->kind);
    if (h->record_bytes < row->record_bytes)
        r->widened += (uint64_t)h->count * row->record_bytes;
    r->blocks[r->block_count++] = (struct block){
        .kind = h->kind,
        .count = h->count,
        .record_bytes = h->record_bytes,
        .records = r->base + offset + sizeof *h,
        .offset = offset,
        .t_min = h->t_min,
        .t_max = h->t_max,
    };
}

/* Blocks with whole headers, and stretches between them that are no blocks. */
struct stretch {
    uint64_t offset, bytes; /* header included */
    bool is_block, payload_whole;
};

static void block_check(struct reader *r, const struct stretch *s)
{
    struct cgt_block_header h;
    memcpy(&h, r->base + s->offset, sizeof h);
    const struct kind_row *row = kind_find(h.kind);
    if (row == NULL || h.version != 1) {
        skip(r, arena_printf(&r->arena, "offset %" PRIu64 ": block of unknown kind %u, version %u skipped", s->offset, h.kind,
                             h.version));
    } else if (h.record_bytes % 8 != 0 || h.record_bytes < 8 || s->offset % 8 != 0 ||
               (uint64_t)h.count * h.record_bytes > h.payload_bytes) {
        skip(r, arena_printf(&r->arena, "offset %" PRIu64 ": %s block of impossible size skipped", s->offset, row->name));
    } else if (!s->payload_whole) {
        skip(r, arena_printf(&r->arena, "offset %" PRIu64 ": damaged %s block of %u records skipped (checksum)", s->offset,
                             row->name, h.count));
    } else {
        block_add(r, &h, s->offset);
    }
}

struct scan {
    struct reader *reader;
    struct stretch *stretches;
    uint32_t count, capacity;
};

static void stretch_add(struct scan *scan, struct stretch stretch)
{
    if (scan->count == scan->capacity) {
        scan->capacity = scan->capacity * 2 + 64;
        scan->stretches = realloc(scan->stretches, scan->capacity * sizeof *scan->stretches);
        if (scan->stretches == NULL)
            abort();
    }
    scan->stretches[scan->count++] = stretch;
}

/* Returns where the file is cut off. */
static uint64_t stretches_find(struct scan *scan, uint64_t offset)
{
    const struct reader *r = scan->reader;
    while (offset < r->bytes) {
        struct cgt_block_header h;
        if (!header_whole(r, offset)) {
            uint64_t next = resync(r, offset);
            if (next == r->bytes)
                break;
            stretch_add(scan, (struct stretch){offset, next - offset, false, false});
            offset = next;
            continue;
        }
        memcpy(&h, r->base + offset, sizeof h);
        if (h.payload_bytes > r->bytes - offset - sizeof h)
            break; /* cut inside this block */
        stretch_add(scan, (struct stretch){offset, sizeof h + h.payload_bytes, true, false});
        offset += sizeof h + h.payload_bytes;
    }
    return offset;
}

static void payload_check(void *context, uint32_t index)
{
    const struct scan *scan = context;
    struct stretch *s = &scan->stretches[index];
    struct cgt_block_header h;
    if (!s->is_block)
        return;
    const uint8_t *at = scan->reader->base + s->offset;
    memcpy(&h, at, sizeof h);
    s->payload_whole = h.payload_crc == crc32_update(0, at + sizeof h, h.payload_bytes);
}

static void blocks_scan(struct reader *r, uint64_t offset)
{
    struct scan scan = {.reader = r};
    uint64_t end = stretches_find(&scan, offset);
    parallel_for(scan.count, payload_check, &scan);
    for (uint32_t i = 0; i < scan.count; i++) {
        const struct stretch *s = &scan.stretches[i];
        if (s->is_block)
            block_check(r, s);
        else
            skip(r, arena_printf(&r->arena, "offset %" PRIu64 ": %" PRIu64 " bytes that are no block skipped", s->offset, s->bytes));
    }
    free(scan.stretches);
    r->truncated_bytes = r->bytes - end;
    if (r->truncated_bytes > 0)
        warn(r, arena_printf(&r->arena,
                             "offset %" PRIu64 ": the file is cut off here: %" PRIu64 " bytes behind the last whole block ignored",
                             end, r->truncated_bytes));
}

/* Records of an older minor version are shorter than our structs: copies padded with zeros go behind the file. */
static bool blocks_widen(struct reader *r, int fd, struct error *err)
{
    if (r->widened == 0)
        return true;
    uint64_t file_pages = (r->bytes + 4095) / 4096 * 4096;
    uint64_t size = file_pages + r->widened;
    uint8_t *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mmap(base, r->bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
        return error_set(err, r->path, -1, "cannot map: %s", strerror(errno));
    uint8_t *to = base + file_pages;
    for (uint32_t i = 0; i < r->block_count; i++) {
        struct block *b = &r->blocks[i];
        uint32_t known = kind_find(b->kind)->record_bytes;
        const uint8_t *from = base + (b->records - r->base);
        b->records = b->record_bytes < known ? to : from;
        if (b->record_bytes >= known)
            continue;
        for (uint32_t k = 0; k < b->count; k++, to += known)
            memcpy(to, from + (size_t)k * b->record_bytes, b->record_bytes);
        b->record_bytes = known;
    }
    munmap(r->base, r->mapped);
    r->base = base;
    r->mapped = size;
    return true;
}

/* Payload size of a string block less its records: the length of its heap. */
static uint64_t heap_bytes(const struct reader *r, const struct block *b)
{
    struct cgt_block_header h;
    memcpy(&h, r->base + b->offset, sizeof h);
    return h.payload_bytes - (uint64_t)h.count * h.record_bytes;
}

static void strings_add(struct reader *r, const struct block *b)
{
    uint64_t heap = heap_bytes(r, b);
    const char *text = (const char *)b->records + (size_t)b->count * b->record_bytes;
    for (uint32_t i = 0; i < b->count; i++) {
        struct cgt_string s;
        memcpy(&s, b->records + (size_t)i * b->record_bytes, sizeof s);
        if (s.id == 0 || s.id >= r->string_limit || s.offset > heap || s.length > heap - s.offset)
            continue;
        char *copy = arena_alloc(&r->arena, (size_t)s.length + 1, 1);
        memcpy(copy, text + s.offset, s.length);
        r->strings[s.id] = copy;
    }
}

static void strings_index(struct reader *r)
{
    /* ids count up from 1 and each cost a record: a larger id is damage, not a string */
    uint64_t limit = r->bytes / sizeof(struct cgt_string) + 2;
    uint32_t highest = 0;
    for (uint32_t i = 0; i < r->block_count; i++) {
        const struct block *b = &r->blocks[i];
        for (uint32_t k = 0; b->kind == CGT_STRING && k < b->count; k++) {
            uint32_t id;
            memcpy(&id, b->records + (size_t)k * b->record_bytes, sizeof id);
            highest = id < limit && id > highest ? id : highest;
        }
    }
    r->string_limit = highest + 1;
    r->strings = ARENA_NEW(&r->arena, const char *, r->string_limit);
    for (uint32_t i = 0; i < r->block_count; i++)
        if (r->blocks[i].kind == CGT_STRING)
            strings_add(r, &r->blocks[i]);
}

static bool header_check(const struct reader *r, struct error *err)
{
    struct cgt_file_header h;
    size_t magic = sizeof h.magic;
    if (r->bytes == 0)
        return error_set(err, r->path, -1, "the file is empty, not a trace");
    if (r->bytes < magic || memcmp(r->base, CGT_MAGIC, magic) != 0)
        return error_set(err, r->path, 0, "not a trace: expected a file that begins with \"cugantt\"");
    if (r->bytes < sizeof h)
        return error_set(err, r->path, (int64_t)r->bytes, "the file ends inside its header: nothing of the trace is left");
    memcpy(&h, r->base, sizeof h);
    if (h.major != CGT_VERSION_MAJOR)
        return error_set(err, r->path, 8, "trace of format version %u.%u: this cugantt reads version %d, a newer one is needed",
                         h.major, h.minor, CGT_VERSION_MAJOR);
    if (h.header_bytes < sizeof h || h.header_bytes % 8 != 0 || h.header_bytes > 4096)
        return error_set(err, r->path, 12, "damaged header: size %u, expected %zu", h.header_bytes, sizeof h);
    return true;
}

static bool file_map(struct reader *r, int fd, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return error_set(err, r->path, -1, "%s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return error_set(err, r->path, -1, "is a directory, not a trace");
    if (!S_ISREG(st.st_mode))
        return error_set(err, r->path, -1, "not a regular file: a trace is read in place, not through a pipe");
    r->bytes = r->mapped = (uint64_t)st.st_size;
    if (r->bytes == 0)
        return true;
    r->base = mmap(NULL, r->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (r->base == MAP_FAILED) {
        r->base = NULL;
        return error_set(err, r->path, -1, "cannot map: %s", strerror(errno));
    }
    madvise(r->base, r->bytes, MADV_WILLNEED);
    return true;
}

struct reader *reader_open(const char *path, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        error_set(err, path, -1, "%s", strerror(errno));
        return NULL;
    }
    struct reader *r = reader_open_fd(fd, path, err);
    close(fd);
    return r;
}

struct reader *reader_open_fd(int fd, const char *path, struct error *err)
{
    struct reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        abort();
    arena_init(&r->arena);
    r->path = arena_strdup(&r->arena, path);
    r->warnings = ARENA_NEW(&r->arena, const char *, MAX_WARNINGS);
    if (!file_map(r, fd, err) || !header_check(r, err))
        goto fail;
    struct cgt_file_header header;
    memcpy(&header, r->base, sizeof header);
    blocks_scan(r, header.header_bytes < r->bytes ? header.header_bytes : r->bytes);
    if (!blocks_widen(r, fd, err))
        goto fail;
    strings_index(r);
    return r;
fail:
    reader_close(r);
    return NULL;
}

void reader_close(struct reader *r)
{
    if (r == NULL)
        return;
    if (r->base != NULL)
        munmap(r->base, r->mapped);
    arena_finish(&r->arena);
    free(r);
}

const char *reader_path(const struct reader *r)
{
    return r->path;
}

uint32_t reader_block_count(const struct reader *r)
{
    return r->block_count;
}

const struct block *reader_block(const struct reader *r, uint32_t index)
{
    return &r->blocks[index];
}

const uint8_t *reader_base(const struct reader *r)
{
    return r->base;
}

uint64_t reader_bytes(const struct reader *r)
{
    return r->bytes;
}

const char *reader_string(const struct reader *r, uint32_t id)
{
    if (id == 0)
        return "";
    return id < r->string_limit && r->strings[id] != NULL ? r->strings[id] : "?";
}

uint32_t reader_string_limit(const struct reader *r)
{
    return r->string_limit;
}

uint64_t reader_truncated_bytes(const struct reader *r)
{
    return r->truncated_bytes;
}

uint64_t reader_skipped_blocks(const struct reader *r)
{
    return r->skipped_blocks;
}

uint32_t reader_warning_count(const struct reader *r)
{
    return r->warning_count;
}

const char *reader_warning(const struct reader *r, uint32_t index)
{
    return r->warnings[index];
}
