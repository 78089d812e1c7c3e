#include "pool.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { SPARE_BUFFERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* innermost: nothing else is locked under it */
static uint8_t *free_buffers[POOL_LIMIT];
static uint32_t free_count, made_count;

/* Under the lock. */
static uint8_t *buffer_make(void)
{
    if (made_count == POOL_LIMIT)
        return NULL;
    void *memory = mmap(NULL, POOL_BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    made_count++;
    return memory;
}

uint8_t *pool_take(void)
{
    pthread_mutex_lock(&lock);
    uint8_t *buffer = free_count > 0 ? free_buffers[--free_count] : buffer_make();
    pthread_mutex_unlock(&lock);
    return buffer;
}

void pool_give(uint8_t *buffer, size_t used)
{
    if (buffer == NULL)
        return;
    memset(buffer, 0, used);
    pthread_mutex_lock(&lock);
    free_buffers[free_count++] = buffer;
    pthread_mutex_unlock(&lock);
}

void pool_refill(void)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        uint8_t *buffer = free_count < SPARE_BUFFERS ? buffer_make() : NULL;
        pthread_mutex_unlock(&lock);
        if (buffer == NULL)
            return;
        pool_give(buffer, POOL_BUFFER_BYTES); /* faults the pages in, outside the lock */
    }
}
