#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loss.h"
#include "note.h"
#include "pattern.h"
#include "provenance.h"
#include "threads.h"

enum state { STATE_WAITING, STATE_OPEN, STATE_CLOSED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct settings *settings;
static struct property {
    const char *key;
    char value[256];
} properties[4];
static size_t property_count;
static enum state state;
static struct writer *writer;
static struct note note; /* what the recorder is told */

void output_configure(const struct settings *borrowed)
{
    settings = borrowed;
}

void output_property(const char *key, const char *value)
{
    if (*value == '\0' || property_count == sizeof properties / sizeof *properties)
        return;
    struct property *property = &properties[property_count++];
    property->key = key;
    snprintf(property->value, sizeof property->value, "%s", value);
}

static void note_send(const char *status)
{
    snprintf(note.status, sizeof note.status, "%s", status);
    note.process = (long)getpid();
    note_append(settings->note, &note);
}

static void fail(const char *reason)
{
    snprintf(note.reason, sizeof note.reason, "%s", reason);
    note_send("failed");
    if (settings->note == NULL) /* otherwise the recorder says it, behind the program's own output */
        dprintf(STDERR_FILENO, "cugantt: not recorded: %s\n", reason);
}

void output_fail(const char *reason)
{
    pthread_mutex_lock(&lock);
    state = STATE_CLOSED;
    fail(reason);
    pthread_mutex_unlock(&lock);
}

void output_remark(const char *reason)
{
    pthread_mutex_lock(&lock);
    snprintf(note.reason, sizeof note.reason, "%s", reason);
    pthread_mutex_unlock(&lock);
}

/* "app.cgt" as "app-PID.cgt", then "app-PID-2.cgt" and so on. */
static void path_number(const char *path, unsigned attempt, char *ret_path, size_t size)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int stem = dot != NULL && (slash == NULL || dot > slash + 1) ? (int)(dot - path) : (int)strlen(path);
    char number[48];
    if (attempt == 1)
        snprintf(number, sizeof number, "-%ld", (long)getpid());
    else
        snprintf(number, sizeof number, "-%ld-%u", (long)getpid(), attempt);
    snprintf(ret_path, size, "%.*s%s%s", stem, path, number, path + stem);
}

static bool path_claim(void)
{
    snprintf(note.status, sizeof note.status, "open");
    note.process = (long)getpid();
    return note_claim(settings->note, &note);
}

/* Opens the file that the pattern names, or, where another process of this run has taken that, one with a number.
 * A file of an earlier run is overwritten; without a recorder nobody can tell whose it is, and it is kept. */
static int path_open(const char *path)
{
    int exclusive = settings->note != NULL ? O_TRUNC : O_EXCL;
    snprintf(note.path, sizeof note.path, "%s", path);
    for (unsigned attempt = 1; attempt < 1000; attempt++) {
        if (path_claim()) {
            int fd = open(note.path, O_WRONLY | O_CREAT | O_CLOEXEC | exclusive, 0666);
            if (fd >= 0 || errno != EEXIST)
                return fd;
        }
        exclusive = O_EXCL;
        path_number(path, attempt, note.path, sizeof note.path);
    }
    errno = EEXIST;
    return -1;
}

/* In place rather than beside it and renamed: what was written must survive the program's death. */
static struct writer *file_create(struct error *err)
{
    char path[PATH_MAX];
    if (!pattern_expand(settings->output, path, sizeof path, err))
        return NULL;
    int fd = path_open(path);
    if (fd < 0) {
        error_set(err, path, -1, "cannot create: %s", strerror(errno));
        return NULL;
    }
    return writer_create(fd, note.path, err);
}

/* Under the lock. */
static void open_writer(void)
{
    struct error err;
    char text[512];
    writer = file_create(&err);
    if (writer == NULL) {
        state = STATE_CLOSED;
        fail(error_text(&err, text, sizeof text));
        return;
    }
    state = STATE_OPEN;
    provenance_write(writer, settings);
    for (size_t i = 0; i < property_count; i++)
        writer_property(writer, properties[i].key, properties[i].value);
    provenance_clocks(writer);
}

struct writer *output_lock(void)
{
    pthread_mutex_lock(&lock);
    if (state == STATE_WAITING)
        open_writer();
    if (state == STATE_OPEN)
        return writer;
    pthread_mutex_unlock(&lock);
    return NULL;
}

struct writer *output_lock_existing(void)
{
    pthread_mutex_lock(&lock);
    if (state == STATE_OPEN)
        return writer;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void output_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void close_writer(void)
{
    struct error err;
    threads_write(writer);
    int64_t now_ns = provenance_clocks(writer);
    loss_write(writer);
    if (!writer_finish(writer, now_ns, &err))
        error_text(&err, note.reason, sizeof note.reason);
    struct writer_counts counts = writer_counts(writer);
    note.operations = counts.operations;
    note.calls = counts.calls;
    note.lost = counts.lost + loss_total();
    note_send("done");
    writer_destroy(writer);
    writer = NULL;
}

void output_finish(void)
{
    pthread_mutex_lock(&lock);
    if (state == STATE_OPEN)
        close_writer();
    else if (state == STATE_WAITING)
        note_send("none");
    state = STATE_CLOSED;
    pthread_mutex_unlock(&lock);
}

void output_fork_prepare(void)
{
    pthread_mutex_lock(&lock);
}

void output_fork_parent(void)
{
    pthread_mutex_unlock(&lock);
}

void output_fork_child(void)
{
    state = STATE_CLOSED;
    writer_destroy(writer);
    writer = NULL;
    pthread_mutex_unlock(&lock);
}
