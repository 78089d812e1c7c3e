#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum {
    READ_BYTES = 1 << 15, /* zlib gives back nothing of the read in which it meets damage: so little is lost */
    WINDOW_BYTES = 1 << 20,
    WINDOW_MOST = 1 << 25, /* no event is that long: what seems to be is broken */
};

struct stream {
    gzFile file;
    uint64_t file_bytes;
    char *buf;
    size_t begin, end, capacity;
    uint64_t offset; /* of buf in the text */
    bool ended;
    const char *failure;
};

struct stream *stream_open(const char *path, struct error *err)
{
    struct stat st;
    struct stream *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    s->file = gzopen(path, "rbe");
    s->capacity = WINDOW_BYTES;
    s->buf = malloc(s->capacity);
    if (s->buf == NULL)
        abort();
    if (s->file == NULL || stat(path, &st) != 0) {
        error_set(err, path, -1, "%s", strerror(errno));
        stream_close(s);
        return NULL;
    }
    s->file_bytes = (uint64_t)st.st_size;
    gzbuffer(s->file, READ_BYTES);
    return s;
}

void stream_close(struct stream *s)
{
    if (s == NULL)
        return;
    if (s->file != NULL)
        gzclose_r(s->file);
    free(s->buf);
    free(s);
}

/* Makes room and reads on. False at the end of the text. */
static bool fill(struct stream *s)
{
    if (s->ended)
        return false;
    memmove(s->buf, s->buf + s->begin, s->end - s->begin);
    s->offset += s->begin;
    s->end -= s->begin;
    s->begin = 0;
    if (s->end == s->capacity) {
        if (s->capacity >= WINDOW_MOST)
            return false;
        char *grown = realloc(s->buf, s->capacity * 2);
        if (grown == NULL)
            abort();
        s->buf = grown;
        s->capacity *= 2;
    }
    unsigned room = (unsigned)(s->capacity - s->end);
    int n = gzread(s->file, s->buf + s->end, room < READ_BYTES ? room : READ_BYTES);
    if (n > 0) {
        s->end += (size_t)n;
        return true;
    }
    int code = Z_OK;
    gzerror(s->file, &code);
    s->ended = true;
    if (code != Z_OK && code != Z_STREAM_END)
        s->failure = code == Z_BUF_ERROR ? "the gzip data is cut off"
                     : code == Z_ERRNO   ? strerror(errno)
                                         : "the gzip data is damaged";
    return false;
}

int stream_peek(struct stream *s)
{
    for (;;) {
        while (s->begin < s->end && (s->buf[s->begin] == ' ' || s->buf[s->begin] == '\n' || s->buf[s->begin] == '\r' ||
                                     s->buf[s->begin] == '\t'))
            s->begin++;
        if (s->begin < s->end)
            return (unsigned char)s->buf[s->begin];
        if (!fill(s))
            return -1;
    }
}

void stream_skip(struct stream *s, uint32_t bytes)
{
    s->begin += bytes < s->end - s->begin ? bytes : s->end - s->begin;
}

/* Reads until there is twice as much: a value that is not whole is searched from its begin again, so few times. */
static bool fill_double(struct stream *s)
{
    size_t before = s->end - s->begin;
    while (s->end - s->begin < before * 2 && fill(s))
        ;
    return s->end - s->begin > before;
}

bool stream_value(struct stream *s, struct loose *ret_value)
{
    if (stream_peek(s) < 0)
        return false;
    for (;;) {
        struct loose text = {s->buf + s->begin, s->buf + s->end};
        const char *end = loose_value_end(text);
        if (end != NULL) {
            *ret_value = (struct loose){text.at, end};
            s->begin = (size_t)(end - s->buf);
            return true;
        }
        if (!fill_double(s))
            return false;
    }
}

static bool begins_event(const char *p, const char *end)
{
    static const char *const keys[] = {"\"ph\"", "\"cat\"", "\"name\""};
    for (p++; p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'); p++)
        ;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((size_t)(end - p) >= strlen(keys[i]) && memcmp(p, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

bool stream_resync(struct stream *s)
{
    enum { LOOKAHEAD = 256 }; /* '{', white space and the first key */
    stream_skip(s, 1);
    for (;;) {
        if (s->end - s->begin < LOOKAHEAD)
            fill(s);
        const char *end = s->buf + s->end, *p = memchr(s->buf + s->begin, '{', s->end - s->begin);
        if (p == NULL) {
            s->begin = s->end;
            if (s->ended)
                return false;
            continue;
        }
        s->begin = (size_t)(p - s->buf);
        if (end - p < LOOKAHEAD && !s->ended)
            continue;
        if (begins_event(p, end))
            return true;
        s->begin++;
    }
}

uint64_t stream_offset(const struct stream *s)
{
    return s->offset + s->begin;
}

uint64_t stream_bytes_read(const struct stream *s)
{
    return s->offset + s->end;
}

double stream_done(struct stream *s)
{
    z_off_t at = gzoffset(s->file);
    return s->file_bytes > 0 && at > 0 ? (double)at / (double)s->file_bytes : 0;
}

const char *stream_failure(const struct stream *s)
{
    return s->failure;
}
