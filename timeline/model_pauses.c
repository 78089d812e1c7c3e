/* Stretches of which nothing was recorded, on purpose. */
#include <stdlib.h>

#include "model_build.h"

static int pause_compare(const void *a, const void *b)
{
    const struct pause *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void pauses_add(struct model *m, uint32_t process)
{
    int64_t shift = m->processes[process].shift_ns;
    FOR_EACH_RECORD(m->processes[process].reader, CGT_PAUSE, cgt_pause, p)
        if (p->end_ns >= p->begin_ns && p->begin_ns >= 0 && p->end_ns < INT64_MAX / 2)
            m->pauses[m->pause_count++] = (struct pause){p->begin_ns + shift, p->end_ns + shift, process, p->reason};
}

void model_read_pauses(struct model *m)
{
    uint32_t total = 0;
    for (uint32_t p = 0; p < m->process_count; p++)
        FOR_EACH_RECORD(m->processes[p].reader, CGT_PAUSE, cgt_pause, pause)
            total++;
    m->pauses = ARENA_NEW(&m->arena, struct pause, total + 1);
    for (uint32_t p = 0; p < m->process_count; p++)
        pauses_add(m, p);
    qsort(m->pauses, m->pause_count, sizeof *m->pauses, pause_compare);
}

/* The first pause of the process that ends behind `time_ns`, else the first of the next process. */
static uint32_t pause_after(const struct model *m, uint32_t process, int64_t time_ns)
{
    uint32_t low = 0, high = m->pause_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct pause *p = &m->pauses[middle];
        if (p->process < process || (p->process == process && p->end_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t model_resumed_ns(const struct model *m, uint32_t process, int64_t time_ns)
{
    uint32_t next = pause_after(m, process, time_ns);
    return next > 0 && m->pauses[next - 1].process == process ? m->pauses[next - 1].end_ns : INT64_MIN;
}

int64_t model_paused_ns(const struct model *m, uint32_t process, int64_t begin_ns, int64_t end_ns)
{
    int64_t sum = 0;
    for (uint32_t i = pause_after(m, process, begin_ns); i < m->pause_count && m->pauses[i].process == process; i++) {
        int64_t from = m->pauses[i].begin_ns > begin_ns ? m->pauses[i].begin_ns : begin_ns;
        int64_t to = m->pauses[i].end_ns < end_ns ? m->pauses[i].end_ns : end_ns;
        sum += to > from ? to - from : 0;
        begin_ns = to > begin_ns ? to : begin_ns;
    }
    return sum;
}
