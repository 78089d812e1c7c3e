#include "pool.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { SPARE_BUFFERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* innermost: nothing else is locked under it */
static struct slot {
    uint8_t *bytes;
    uint64_t taken; /* the how-manieth take this is; 0: the buffer is here */
    struct pool_look look;
    bool looking, back; /* back from CUPTI, with `valid` bytes, and not yet given */
    size_t valid;
} slots[POOL_LIMIT];
static uint32_t made; /* slots with a buffer */
static uint64_t taken_count;

/* Under the lock, as the two that follow. */
static struct slot *slot_make(void)
{
    if (made == POOL_LIMIT)
        return NULL;
    void *memory = mmap(NULL, POOL_BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    slots[made].bytes = memory;
    return &slots[made++];
}

/* The first free one, so that the same few are used again and the others stay without memory. */
static struct slot *slot_free(void)
{
    for (uint32_t i = 0; i < made; i++)
        if (slots[i].taken == 0)
            return &slots[i];
    return slot_make();
}

static uint8_t *slot_take(struct slot *slot)
{
    if (slot == NULL)
        return NULL;
    slot->taken = ++taken_count;
    slot->look = (struct pool_look){slot->bytes, NULL, NULL};
    slot->back = false;
    return slot->bytes;
}

uint8_t *pool_take(void)
{
    pthread_mutex_lock(&lock);
    uint8_t *buffer = slot_take(slot_free());
    pthread_mutex_unlock(&lock);
    return buffer;
}

static struct slot *slot_of(const uint8_t *buffer)
{
    for (uint32_t i = 0; i < made; i++)
        if (slots[i].bytes == buffer)
            return &slots[i];
    return NULL;
}

bool pool_back(uint8_t *buffer, size_t valid)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = slot_of(buffer);
    bool ours = slot != NULL && !slot->looking;
    if (slot != NULL) {
        slot->back = true;
        slot->valid = valid;
    }
    pthread_mutex_unlock(&lock);
    return ours;
}

void *pool_read(const uint8_t *buffer)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = slot_of(buffer);
    void *read = slot != NULL ? slot->look.read : NULL;
    pthread_mutex_unlock(&lock);
    return read;
}

bool pool_look_begin(uint32_t index, struct pool_look *ret_look)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = &slots[index];
    bool out = index < made && slot->taken != 0 && !slot->back;
    if (out) {
        slot->looking = true;
        *ret_look = slot->look;
    }
    pthread_mutex_unlock(&lock);
    return out;
}

size_t pool_look_end(uint32_t index, const struct pool_look *look)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = &slots[index];
    slot->looking = false;
    slot->look = *look;
    size_t valid = slot->back ? slot->valid : 0;
    pthread_mutex_unlock(&lock);
    return valid;
}

void pool_give(uint8_t *buffer, size_t used)
{
    if (buffer == NULL)
        return;
    memset(buffer, 0, used);
    pthread_mutex_lock(&lock);
    struct slot *slot = slot_of(buffer);
    if (slot != NULL)
        slot->taken = 0;
    pthread_mutex_unlock(&lock);
}

uint64_t pool_taken(void)
{
    pthread_mutex_lock(&lock);
    uint64_t count = taken_count;
    pthread_mutex_unlock(&lock);
    return count;
}

uint32_t pool_outstanding(uint64_t taken)
{
    uint32_t count = 0;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < made; i++)
        count += slots[i].taken != 0 && slots[i].taken <= taken;
    pthread_mutex_unlock(&lock);
    return count;
}

/* A new buffer, as if taken, if fewer than SPARE_BUFFERS are here. */
static uint8_t *spare_make(void)
{
    uint32_t here = 0;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < made; i++)
        here += slots[i].taken == 0;
    uint8_t *buffer = here < SPARE_BUFFERS ? slot_take(slot_make()) : NULL;
    pthread_mutex_unlock(&lock);
    return buffer;
}

void pool_refill(void)
{
    uint8_t *buffer;
    while ((buffer = spare_make()) != NULL)
        pool_give(buffer, POOL_BUFFER_BYTES); /* faults the pages in, outside the lock */
}
