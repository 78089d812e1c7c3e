#include "import.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_IMPORT
#include "kineto.h"
#include "nsys.h"
#endif

static import_progress *on_progress;

void import_set_progress(import_progress *progress)
{
    on_progress = progress;
}

enum { HEAD_BYTES = 512 };

struct head {
    char bytes[HEAD_BYTES + 1];
    size_t length;
    uint64_t file_bytes;
};

#ifdef HAVE_IMPORT
typedef bool import_read(struct image_set *set, import_progress *progress);

static bool read_images(import_read *read, struct image_set *set, struct images *ret_images)
{
    bool done = read(set, on_progress);
    if (on_progress != NULL)
        on_progress(1);
    set->failed = set->failed || !done;
    return image_set_finish(set, ret_images);
}
#endif

static bool begins(const struct head *h, const char *text)
{
    return h->length >= strlen(text) && memcmp(h->bytes, text, strlen(text)) == 0;
}

static const char *first_text(const struct head *h)
{
    const char *p = h->bytes;
    if (begins(h, "\xEF\xBB\xBF"))
        p += 3;
    return p + strspn(p, " \t\r\n");
}

static bool is_json(const struct head *h)
{
    return begins(h, "\x1F\x8B") || *first_text(h) == '{' || *first_text(h) == '[';
}

static bool is_sqlite(const struct head *h)
{
    return h->length >= 16 && memcmp(h->bytes, "SQLite format 3", 16) == 0;
}

static bool is_html(const struct head *h)
{
    return *first_text(h) == '<';
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path);
    return length >= strlen(suffix) && strcasecmp(path + length - strlen(suffix), suffix) == 0;
}

#define NSYS_REPORT \
    "a report of Nsight Systems, which only it reads: run nsys export --type sqlite on it, and give the .sqlite"

/* Kinds that nothing here reads: what they are, and what to do. By their first bytes, or where those are not documented
 * by their name. */
static const struct stranger {
    const char *magic;  /* NULL: by suffix */
    const char *suffix;
    const char *what;
} strangers[] = {
    {"version https://git-lfs", NULL, "a Git LFS pointer, not the file itself: fetch it with git lfs pull"},
    {"PK\x03\x04", NULL, "a ZIP archive: unpack it first"},
    {"\x28\xB5\x2F\xFD", NULL, "compressed with zstd: unpack it first (zstd -d)"},
    {"\xFD\x37zXZ", NULL, "compressed with xz: unpack it first (xz -d)"},
    {"BZh", NULL, "compressed with bzip2: unpack it first (bzip2 -d)"},
    {"\x7F\x45LF", NULL, "a program, not a trace: record it with cugantt record"},
    {NULL, ".nsys-rep", NSYS_REPORT},
    {NULL, ".qdrep", NSYS_REPORT},
    {NULL, ".qdstrm",
     "raw data of Nsight Systems: import it with nsys (QdstrmImporter), then run nsys export --type sqlite"},
    {NULL, ".ncu-rep",
     "a report of Nsight Compute: it has counters of single kernels, but no timeline; record with cugantt or nsys"},
    {NULL, ".nvvp", "a session of the Visual Profiler: record with cugantt record or nsys"},
};

/* Reads the beginning. True with nothing read where the reader of our own traces says better what is wrong. */
static bool head_read(const char *path, struct head *h)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *h = (struct head){0};
    if (fd < 0)
        return false;
    bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    ssize_t n = regular ? read(fd, h->bytes, HEAD_BYTES) : 0;
    close(fd);
    if (n <= 0)
        return false;
    h->length = (size_t)n;
    h->file_bytes = (uint64_t)st.st_size;
    return true;
}

static bool stranger_check(const char *path, const struct head *h, struct error *err)
{
    if (is_html(h))
        return error_set(err, path, -1, "a web page, not a trace: the download gave a page; fetch the file itself");
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        const struct stranger *s = &strangers[i];
        if (s->magic != NULL ? begins(h, s->magic) : has_suffix(path, s->suffix))
            return error_set(err, path, -1, "%s", s->what);
    }
    return true;
}

bool import_open(const char *path, struct arena *arena, struct images *ret_images, struct error *err)
{
    struct head head;
    *ret_images = (struct images){0};
    if (!head_read(path, &head) || begins(&head, "cugantt\n"))
        return true;
    if (!is_json(&head) && !is_sqlite(&head))
        return stranger_check(path, &head, err);
#ifdef HAVE_IMPORT
    struct image_set set = {.path = path, .bytes = head.file_bytes, .arena = arena, .err = err};
    return read_images(is_sqlite(&head) ? nsys_read : kineto_read, &set, ret_images);
#else
    (void)arena;
    return error_set(
        err, path, -1,
        "a trace of another tool: this cugantt was built without zlib and sqlite3, which reading it needs");
#endif
}
