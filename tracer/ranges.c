#include "ranges.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "gate.h"
#include "loss.h"
#include "output.h"
#include "range.h"
#include "threads.h"

enum {
    PAGE_BYTES = 64 * 1024,      /* a thread's buffer at first */
    FULL_BYTES = 1 << 20,        /* from this size on the thread writes it itself */
    MOST_BYTES = 16 << 20,       /* before there is a trace, more than that is lost */
};

struct open_range {
    int64_t begin_ns;
    const struct range_domain *domain;
    char *text;
    uint32_t color, thread;
    bool watched; /* it holds the gate open */
};

/* An ended range, followed by its text with the zero, padded to 8 bytes. */
struct ended_range {
    int64_t begin_ns, end_ns;
    const struct range_domain *domain;
    uint32_t thread, type, color, open;
    uint64_t text_bytes;
};

struct buffer {
    uint8_t *bytes;
    size_t used, capacity;
};

/* What one thread has; when it is gone a new one takes it over. */
struct thread_ranges {
    struct thread_ranges *next;
    pthread_mutex_t lock; /* nothing else is locked under it. Only the collector ever contends */
    uint32_t thread;
    bool taken;           /* under threads_lock */
    struct open_range *stack;
    size_t depth, stack_capacity;
    struct buffer ended, spare;
    size_t write_at;      /* bytes in `ended` at which the thread writes it itself, or asks again whether it can */
};

struct started_range {
    struct started_range *next;
    uint64_t id;
    struct open_range range;
};

const struct range_domain ranges_default_domain = {""};

static const char *watched_name = "";
static atomic_bool keeping;
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER; /* of the list, and of `taken` */
static struct thread_ranges *threads;
static __thread struct thread_ranges *self;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* tells when a thread ends */
static pthread_mutex_t started_lock = PTHREAD_MUTEX_INITIALIZER;
static struct started_range *started;
static uint64_t last_id;

static void stack_close(struct thread_ranges *t);

static void thread_leave(void *ranges)
{
    struct thread_ranges *t = ranges;
    stack_close(t);
    self = NULL; /* should another destructor of the thread use NVTX still */
    pthread_mutex_lock(&threads_lock);
    t->taken = false;
    pthread_mutex_unlock(&threads_lock);
}

static void key_make(void)
{
    pthread_key_create(&key, thread_leave);
}

static struct thread_ranges *thread_make(void)
{
    struct thread_ranges *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    pthread_mutex_init(&t->lock, NULL);
    t->write_at = FULL_BYTES;
    t->next = threads;
    threads = t;
    return t;
}

static struct thread_ranges *thread_enter(void)
{
    pthread_once(&key_once, key_make);
    pthread_mutex_lock(&threads_lock);
    struct thread_ranges *t = threads;
    while (t != NULL && t->taken)
        t = t->next;
    t = t != NULL ? t : thread_make();
    if (t != NULL) {
        t->taken = true;
        t->thread = (uint32_t)gettid();
    }
    pthread_mutex_unlock(&threads_lock);
    pthread_setspecific(key, t);
    return self = t;
}

static struct thread_ranges *thread_self(void)
{
    return self != NULL ? self : thread_enter();
}

static void record_write(struct writer *writer, const struct ended_range *range, const char *text)
{
    struct cgt_range record = {
        .begin_ns = range->begin_ns,
        .end_ns = range->end_ns,
        .thread = range->thread,
        .type = range->type,
        .name = writer_string(writer, text),
        .domain = writer_string(writer, range->domain->name),
        .color = range->color,
        .open = range->open,
    };
    threads_see(writer, range->thread);
    writer_add(writer, CGT_RANGE, &record);
}

static size_t ended_bytes(size_t text_bytes)
{
    return sizeof(struct ended_range) + (text_bytes + 7) / 8 * 8;
}

/* False if there is no trace to write to. */
static bool buffer_write(const struct buffer *buffer)
{
    struct writer *writer = output_lock_existing();
    if (writer == NULL)
        return false;
    for (size_t at = 0; at < buffer->used;) {
        const struct ended_range *range = (const void *)(buffer->bytes + at);
        record_write(writer, range, (const char *)(range + 1));
        at += ended_bytes(range->text_bytes);
    }
    uint64_t bytes = writer_counts(writer).bytes;
    output_unlock();
    gate_size(bytes);
    return true;
}

static bool trace_is_there(void)
{
    if (output_lock_existing() == NULL)
        return false;
    output_unlock();
    return true;
}

/* Takes what the thread has and writes it. Once there is a trace. */
static void thread_write(struct thread_ranges *t)
{
    pthread_mutex_lock(&t->lock);
    struct buffer full = t->ended;
    if (full.used > 0) {
        t->ended = t->spare;
        t->spare = (struct buffer){0};
        t->write_at = FULL_BYTES;
    }
    pthread_mutex_unlock(&t->lock);
    if (full.used == 0)
        return;
    if (!buffer_write(&full))
        loss_count(CGT_LOSS_WRITE, 1); /* the trace has just been ended */
    full.used = 0;
    pthread_mutex_lock(&t->lock);
    struct buffer drop = t->spare.bytes == NULL ? (struct buffer){0} : full;
    if (drop.bytes == NULL)
        t->spare = full;
    pthread_mutex_unlock(&t->lock);
    free(drop.bytes);
}

/* Under the thread's lock. */
static bool buffer_room(struct buffer *buffer, size_t bytes)
{
    if (buffer->used + bytes <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity > 0 ? buffer->capacity * 2 : PAGE_BYTES;
    while (capacity < buffer->used + bytes)
        capacity *= 2;
    uint8_t *grown = buffer->used < MOST_BYTES ? realloc(buffer->bytes, capacity) : NULL;
    if (grown == NULL)
        return false;
    buffer->bytes = grown;
    buffer->capacity = capacity;
    return true;
}

/* Under the thread's lock. */
static void keep(struct thread_ranges *t, const struct ended_range *range, const char *text)
{
    size_t bytes = ended_bytes(range->text_bytes);
    if (!buffer_room(&t->ended, bytes)) {
        loss_count(CGT_LOSS_DROPPED, 1);
        return;
    }
    memcpy(t->ended.bytes + t->ended.used, range, sizeof *range);
    memcpy(t->ended.bytes + t->ended.used + sizeof *range, text, range->text_bytes);
    t->ended.used += bytes;
}

static bool is_recorded(int64_t begin_ns)
{
    return atomic_load_explicit(&keeping, memory_order_relaxed) && gate_last_open_ns() >= begin_ns;
}

static void keep_open(struct thread_ranges *t, const struct open_range *range, enum cgt_range_type type,
                      bool still_open)
{
    if (!is_recorded(range->begin_ns))
        return;
    struct ended_range ended = {range->begin_ns, clock_now_ns(), range->domain, range->thread, type,
                                range->color, still_open, strlen(range->text) + 1};
    keep(t, &ended, range->text);
}

/* Unlocks the thread, and writes what it has if that is much. */
static void thread_unlock(struct thread_ranges *t)
{
    bool full = t->ended.used >= t->write_at;
    t->write_at += full ? FULL_BYTES : 0;
    pthread_mutex_unlock(&t->lock);
    if (full && trace_is_there())
        thread_write(t);
}

/* The gate opens before the range begins, and closes when it has ended. */
static bool open_make(const struct range_label *label, uint32_t thread, struct open_range *ret_range)
{
    char *text = strdup(label->text);
    if (text == NULL)
        return false;
    bool watched = *watched_name != '\0' && strcmp(text, watched_name) == 0;
    if (watched)
        range_enter();
    *ret_range = (struct open_range){clock_now_ns(), label->domain, text, label->color, thread, watched};
    return true;
}

static void open_drop(struct open_range *range)
{
    if (range->watched)
        range_leave();
    free(range->text);
}

/* The thread ends, and its open ranges with it. */
static void stack_close(struct thread_ranges *t)
{
    pthread_mutex_lock(&t->lock);
    size_t depth = t->depth;
    for (size_t i = 0; i < depth; i++)
        keep_open(t, &t->stack[i], CGT_RANGE_PUSHED, true);
    t->depth = 0;
    thread_unlock(t);
    for (size_t i = 0; i < depth; i++)
        open_drop(&t->stack[i]);
}

static bool stack_room(struct thread_ranges *t)
{
    if (t->depth < t->stack_capacity)
        return true;
    size_t capacity = t->stack_capacity * 2 + 16;
    struct open_range *grown = realloc(t->stack, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    t->stack = grown;
    t->stack_capacity = capacity;
    return true;
}

static int depth_in(const struct thread_ranges *t, const struct range_domain *domain)
{
    int depth = 0;
    for (size_t i = 0; i < t->depth; i++)
        depth += t->stack[i].domain == domain;
    return depth;
}

int ranges_push(const struct range_label *label)
{
    struct thread_ranges *t = thread_self();
    struct open_range range;
    if (t == NULL || !open_make(label, t->thread, &range))
        return -1;
    pthread_mutex_lock(&t->lock);
    int depth = depth_in(t, label->domain);
    bool pushed = stack_room(t);
    if (pushed)
        t->stack[t->depth++] = range;
    pthread_mutex_unlock(&t->lock);
    if (!pushed)
        open_drop(&range);
    return depth;
}

/* Under the thread's lock. Domains may be popped in any order. */
static bool stack_take(struct thread_ranges *t, const struct range_domain *domain, struct open_range *ret_range)
{
    size_t i = t->depth;
    while (i > 0 && t->stack[i - 1].domain != domain)
        i--;
    if (i == 0)
        return false;
    *ret_range = t->stack[i - 1];
    memmove(&t->stack[i - 1], &t->stack[i], (t->depth - i) * sizeof *t->stack);
    t->depth--;
    return true;
}

int ranges_pop(const struct range_domain *domain)
{
    struct thread_ranges *t = thread_self();
    struct open_range range;
    if (t == NULL)
        return -1;
    pthread_mutex_lock(&t->lock);
    bool found = stack_take(t, domain, &range);
    int depth = found ? depth_in(t, domain) : -1;
    if (found)
        keep_open(t, &range, CGT_RANGE_PUSHED, false);
    thread_unlock(t);
    if (found)
        open_drop(&range);
    return depth;
}

uint64_t ranges_start(const struct range_label *label)
{
    struct thread_ranges *t = thread_self();
    struct started_range *s = t != NULL ? malloc(sizeof *s) : NULL;
    if (s == NULL || !open_make(label, t->thread, &s->range)) {
        free(s);
        return 0;
    }
    pthread_mutex_lock(&started_lock);
    uint64_t id = s->id = ++last_id;
    s->next = started;
    started = s;
    pthread_mutex_unlock(&started_lock);
    return id;
}

static struct started_range *started_take(uint64_t id)
{
    pthread_mutex_lock(&started_lock);
    struct started_range **link = &started;
    while (*link != NULL && (*link)->id != id)
        link = &(*link)->next;
    struct started_range *found = *link;
    if (found != NULL)
        *link = found->next;
    pthread_mutex_unlock(&started_lock);
    return found;
}

void ranges_end(uint64_t id)
{
    struct thread_ranges *t = thread_self();
    struct started_range *s = started_take(id);
    if (s == NULL)
        return;
    if (t != NULL) {
        pthread_mutex_lock(&t->lock);
        keep_open(t, &s->range, CGT_RANGE_STARTED, false);
        thread_unlock(t);
    }
    open_drop(&s->range);
    free(s);
}

void ranges_mark(const struct range_label *label)
{
    struct thread_ranges *t = thread_self();
    int64_t now_ns = clock_now_ns();
    if (t == NULL || !is_recorded(now_ns))
        return;
    struct ended_range mark = {now_ns, now_ns, label->domain, t->thread, CGT_RANGE_MARK, label->color, 0,
                               strlen(label->text) + 1};
    pthread_mutex_lock(&t->lock);
    keep(t, &mark, label->text);
    thread_unlock(t);
}

void ranges_watch(const char *name)
{
    watched_name = name;
}

void ranges_keep(void)
{
    atomic_store(&keeping, true);
}

void ranges_write(void)
{
    if (!trace_is_there())
        return;
    pthread_mutex_lock(&threads_lock);
    struct thread_ranges *first = threads; /* only ever grows at the front */
    pthread_mutex_unlock(&threads_lock);
    for (struct thread_ranges *t = first; t != NULL; t = t->next)
        thread_write(t);
}

void ranges_stop(void)
{
    atomic_store(&keeping, false);
}

/* A thread that dies of a signal may hold its lock for good. */
static bool lock_soon(pthread_mutex_t *lock)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_mutex_timedlock(lock, &until) == 0;
}

static void started_close(struct thread_ranges *t)
{
    if (!lock_soon(&started_lock))
        return;
    for (const struct started_range *s = started; s != NULL; s = s->next)
        keep_open(t, &s->range, CGT_RANGE_STARTED, true);
    pthread_mutex_unlock(&started_lock);
}

static void thread_close(struct thread_ranges *t, bool is_first)
{
    if (!lock_soon(&t->lock))
        return;
    for (size_t i = 0; i < t->depth; i++)
        keep_open(t, &t->stack[i], CGT_RANGE_PUSHED, true);
    if (is_first)
        started_close(t);
    pthread_mutex_unlock(&t->lock);
    thread_write(t);
}

void ranges_finish(void)
{
    if (!trace_is_there() || !lock_soon(&threads_lock))
        return;
    struct thread_ranges *first = threads;
    pthread_mutex_unlock(&threads_lock);
    for (struct thread_ranges *t = first; t != NULL; t = t->next)
        thread_close(t, t == first);
    ranges_stop();
}

void ranges_fork_child(void)
{
    pthread_mutex_init(&threads_lock, NULL);
    pthread_mutex_init(&started_lock, NULL);
    threads = NULL;
    started = NULL;
    self = NULL;
}
