#include "held.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct held_buffer held[HELD_LIMIT];
static size_t held_count;
static atomic_bool passing;

bool held_passing(void)
{
    return atomic_load(&passing);
}

size_t held_pass(struct held_buffer buffer, bool work, struct held_buffer *ret_ready)
{
    size_t count = 0;
    pthread_mutex_lock(&lock);
    if (work || held_count == HELD_LIMIT)
        atomic_store(&passing, true);
    if (atomic_load(&passing)) {
        memcpy(ret_ready, held, held_count * sizeof *held);
        ret_ready[held_count] = buffer;
        count = held_count + 1;
        held_count = 0;
    } else {
        held[held_count++] = buffer;
    }
    pthread_mutex_unlock(&lock);
    return count;
}
