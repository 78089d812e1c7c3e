#include "bell.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void bell_ring(struct bell *bell)
{
    atomic_store(&bell->rung, 1);
    syscall(SYS_futex, &bell->rung, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

bool bell_wait(struct bell *bell, int64_t ms)
{
    int64_t until = now_ms() + ms, left;
    while (atomic_load(&bell->rung) == 0) {
        left = until - now_ms();
        if (ms != BELL_FOREVER && left <= 0)
            return false;
        struct timespec timeout = {left / 1000, left % 1000 * 1000000};
        syscall(SYS_futex, &bell->rung, FUTEX_WAIT_PRIVATE, 0, ms == BELL_FOREVER ? NULL : &timeout, NULL, 0);
    }
    return true;
}
