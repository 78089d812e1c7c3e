#include "loss.h"

#include <stdatomic.h>

#include "clock.h"

enum { KINDS = CGT_LOSS_SAMPLES + 1 };

static _Atomic uint64_t unsaid[KINDS], total;

void loss_count(enum cgt_loss_kind kind, uint64_t count)
{
    atomic_fetch_add(&unsaid[kind], count);
    atomic_fetch_add(&total, count);
}

void loss_write(struct writer *writer)
{
    int64_t time_ns = clock_now_ns();
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        struct cgt_loss loss = {.time_ns = time_ns, .count = atomic_exchange(&unsaid[kind], 0), .kind = kind};
        if (loss.count > 0)
            writer_add(writer, CGT_LOSS, &loss);
    }
}

uint64_t loss_total(void)
{
    return atomic_load(&total);
}
