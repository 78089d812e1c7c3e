#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
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
    char value[1024];
} properties[8];
static size_t property_count;
static enum state state;
static struct writer *writer;
static struct note note; /* what the recorder is told */

static int reserve = -1;

static void reserve_give(void)
{
    if (reserve >= 0)
        close(reserve);
    reserve = -1;
}

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
    size_t length = strlen(note.reason);
    snprintf(note.reason + length, sizeof note.reason - length, "%s%s", length > 0 ? "; " : "", reason);
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

/* Empties the file, unless a process of another run still writes to it: then false, with EEXIST. File systems without
 * locks cannot tell. */
static bool file_take(int fd)
{
    struct stat about;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        errno = EEXIST;
        return false;
    }
    return fstat(fd, &about) == 0 && (!S_ISREG(about.st_mode) || ftruncate(fd, 0) == 0);
}

/* The lock goes with the descriptor, which stays open until the trace is ended. */
static int file_open(const char *path, int exclusive)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | exclusive, 0666);
    if (fd < 0 || file_take(fd))
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* Opens the file that the pattern names, or, where another process has taken that, one with a number. A file of an
 * earlier run is overwritten; without a recorder nobody can tell whose it is, and it is kept. */
static int path_open(const char *path)
{
    bool recorder = settings->note != NULL && access(settings->note, W_OK) == 0;
    int exclusive = recorder ? 0 : O_EXCL;
    snprintf(note.path, sizeof note.path, "%s", path);
    for (unsigned attempt = 1; attempt < 1000; attempt++) {
        if (path_claim()) {
            int fd = file_open(note.path, exclusive);
            if (fd >= 0 || errno != EEXIST)
                return fd;
        }
        exclusive = O_EXCL;
        path_number(path, attempt, note.path, sizeof note.path);
    }
    errno = EEXIST;
    return -1;
}

/* Keeps room on the disk, by a file without a name beside the trace, so that a trace on a full disk can still say what
 * it lost. Where the file system has no such files there is none. */
static void reserve_make(const char *path)
{
    enum { RESERVE_BYTES = 128 * 1024 }; /* the last blocks of names and losses */
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash != NULL ? (int)(slash - path) + 1 : 0;
    snprintf(directory, sizeof directory, "%.*s.", length, path);
    reserve = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (reserve >= 0 && fallocate(reserve, 0, 0, RESERVE_BYTES) != 0)
        reserve_give();
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
    reserve_make(note.path);
    provenance_write(writer, settings);
    for (size_t i = 0; i < property_count; i++)
        writer_property(writer, properties[i].key, properties[i].value);
    provenance_clocks(writer);
}

static sigset_t mask_before; /* of the thread that holds the lock */

/* Locks, and keeps a file that grows past the program's limit from killing it: there is an error code for that too. */
static void lock_writing(void)
{
    sigset_t file_size;
    sigemptyset(&file_size);
    sigaddset(&file_size, SIGXFSZ);
    pthread_mutex_lock(&lock);
    pthread_sigmask(SIG_BLOCK, &file_size, &mask_before);
}

static void unlock_writing(void)
{
    const struct timespec at_once = {0};
    sigset_t mask = mask_before, file_size;
    sigemptyset(&file_size);
    sigaddset(&file_size, SIGXFSZ);
    while (!sigismember(&mask, SIGXFSZ) && sigtimedwait(&file_size, NULL, &at_once) > 0)
        continue; /* ours: taken back */
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

struct writer *output_lock(void)
{
    lock_writing();
    if (state == STATE_WAITING)
        open_writer();
    if (state == STATE_OPEN)
        return writer;
    unlock_writing();
    return NULL;
}

struct writer *output_lock_existing(void)
{
    lock_writing();
    if (state == STATE_OPEN)
        return writer;
    unlock_writing();
    return NULL;
}

void output_unlock(void)
{
    unlock_writing();
}

static void close_writer(void)
{
    struct error err;
    threads_write(writer);
    int64_t now_ns = provenance_clocks(writer);
    loss_write(writer);
    writer_flush(writer, NULL);
    reserve_give();
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
    lock_writing();
    if (state == STATE_OPEN)
        close_writer();
    else if (state == STATE_WAITING)
        note_send("none");
    state = STATE_CLOSED;
    unlock_writing();
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
    reserve_give();
    pthread_mutex_unlock(&lock);
}
