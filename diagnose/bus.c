#include "bus.h"

#include <stdlib.h>

#include "bus_run.h"
#include "run.h"

enum {
    COARSE = 8,        /* a copy must last for so many samples */
    BOTH_COARSE = 20,  /* and copies in both directions at once, for so many */
    EDGED = 3,         /* a burst of so many samples has an inside whose rate tells how full its first and last are */
};

static const double idle_share = 0.02;  /* of the link's rate: below it the link is idle */
static const double burst_share = 0.05; /* of a copy's largest burst: smaller ones are other traffic */
/* Bytes on the link over those of the copy: headers take 4 to 25 %, by the size of packets. */
static const double least_ratio = 0.9, most_ratio = 1.35;

static int copy_compare(const void *a, const void *b)
{
    const struct bus_candidate *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return x->span < y->span ? -1 : x->span > y->span;
}

static enum bus_memory memory_of(const struct span *op)
{
    return op->flags & SPAN_STAGED ? BUS_STAGED : BUS_PINNED;
}

/* Small uploads of pageable memory are not staged, and managed memory is neither. */
static bool is_measurable(const struct run *run, const struct span *op)
{
    if (op->kind != SPAN_COPY || copy_direction(op) == DIRECTION_NONE || op->end_ns <= op->begin_ns)
        return false;
    const struct cgt_copy *copy = model_copy(run->model, op);
    uint32_t kind = copy_direction(op) == DIRECTION_HTOD ? copy->source_kind : copy->target_kind;
    return (op->flags & SPAN_STAGED) != 0 || kind == CGT_MEMORY_PINNED;
}

static void candidates_find(struct bus_run *b)
{
    const struct run *run = b->run;
    b->count = 0;
    for (uint32_t i = 0; i < run->op_count; i++) {
        const struct span *op = run_span(run, run->first_op + i);
        const struct lane *lane = &run->model->lanes[op->lane];
        if (lane->process == b->bus->process && lane->device == b->bus->device && is_measurable(run, op))
            b->candidates[b->count++] =
                (struct bus_candidate){op->begin_ns, op->end_ns, run->first_op + i, (uint8_t)copy_direction(op),
                                       (uint8_t)memory_of(op), 0, MODEL_NONE};
    }
    qsort(b->candidates, b->count, sizeof *b->candidates, copy_compare);
}

/* Who else ran: each is compared with the one of either direction that ends last of those before it. */
static void candidates_meet(struct bus_run *b)
{
    uint32_t latest[2] = {MODEL_NONE, MODEL_NONE};
    for (uint32_t i = 0; i < b->count; i++) {
        struct bus_candidate *c = &b->candidates[i];
        for (int direction = 0; direction < 2; direction++) {
            struct bus_candidate *other = latest[direction] != MODEL_NONE ? &b->candidates[latest[direction]] : NULL;
            if (other == NULL || other->end_ns <= c->begin_ns)
                continue;
            uint8_t met = direction == c->direction ? BUS_MEETS_SAME : BUS_MEETS_OTHER;
            c->meets |= met;
            other->meets |= met;
            if (met == BUS_MEETS_OTHER)
                c->other = latest[direction];
        }
        if (latest[c->direction] == MODEL_NONE || b->candidates[latest[c->direction]].end_ns < c->end_ns)
            latest[c->direction] = i;
    }
}

static bool part_of(const struct bus_run *b, const struct bus_candidate *c, uint32_t sample, struct part *ret_part)
{
    const struct bus_sample *s = &b->run->model->bus_samples[sample];
    int64_t from = s->begin_ns > c->begin_ns ? s->begin_ns : c->begin_ns;
    int64_t to = s->end_ns < c->end_ns ? s->end_ns : c->end_ns;
    if (to <= from)
        return false;
    ret_part->ns = to - from;
    ret_part->bytes = s->bytes[c->direction] * ((double)(to - from) / (double)(s->end_ns - s->begin_ns));
    return true;
}

/* The link is busy for only a part of a burst's first and last samples: as much as they are full. */
static double edge_share(const struct part *edge, const struct part *inner)
{
    double share = edge->bytes / (double)edge->ns / (inner->bytes / (double)inner->ns);
    return share < 1 ? share : 1;
}

static void burst_end(struct bus_run *b, struct burst *burst)
{
    if (burst->samples == 0)
        return;
    if (burst->samples >= EDGED) {
        burst->ns -= (1 - edge_share(&burst->first, &burst->second)) * (double)burst->first.ns;
        burst->ns -= (1 - edge_share(&burst->last, &burst->before_last)) * (double)burst->last.ns;
    }
    if (b->burst_count == b->burst_room) {
        b->burst_room = b->burst_room * 2 + 256;
        b->bursts = realloc(b->bursts, b->burst_room * sizeof *b->bursts);
        if (b->bursts == NULL)
            abort();
    }
    b->bursts[b->burst_count++] = *burst;
    *burst = (struct burst){0};
}

static void burst_add(struct burst *burst, const struct part *part)
{
    if (burst->samples == 0)
        burst->first = *part;
    if (burst->samples == 1)
        burst->second = *part;
    burst->before_last = burst->last;
    burst->last = *part;
    burst->samples++;
    burst->bytes += part->bytes;
    burst->ns += (double)part->ns;
}

/* Adds the bursts of a copy behind those that there are; returns all bytes of its time. */
static double bursts_find(struct bus_run *b, const struct bus_candidate *c, int64_t *ret_known_ns)
{
    const struct bus *bus = b->bus;
    double idle_rate = idle_share * b->top_rate, bytes = 0;
    struct burst burst = {0};
    struct part part;
    *ret_known_ns = 0;
    for (uint32_t i = model_bus_after(b->run->model, bus, c->begin_ns); i < bus->first + bus->count; i++) {
        if (!part_of(b, c, i, &part))
            break;
        *ret_known_ns += part.ns;
        bytes += part.bytes;
        if (part.bytes > idle_rate * (double)part.ns)
            burst_add(&burst, &part);
        else
            burst_end(b, &burst);
    }
    burst_end(b, &burst);
    return bytes;
}

static int64_t call_ns(const struct run *run, const struct span *op)
{
    if (op->peer == MODEL_NONE)
        return op->end_ns - op->begin_ns;
    const struct span *call = run_span(run, op->peer);
    int64_t begin = call->begin_ns < op->begin_ns ? call->begin_ns : op->begin_ns;
    return (call->end_ns > op->end_ns ? call->end_ns : op->end_ns) - begin;
}

/* Of the bursts from `first` on: leaves out what is too small, and scales the others to the bytes of the copy. */
static void bursts_settle(struct bus_run *b, uint32_t first, double scale, struct bus_copy *copy)
{
    double largest = 0, busy_ns = 0;
    uint32_t kept = first;
    for (uint32_t i = first; i < b->burst_count; i++) {
        largest = b->bursts[i].bytes > largest ? b->bursts[i].bytes : largest;
        busy_ns += b->bursts[i].ns;
    }
    for (uint32_t i = first; i < b->burst_count; i++) {
        if (b->bursts[i].bytes < burst_share * largest)
            continue;
        b->bursts[kept] = b->bursts[i];
        b->bursts[kept].bytes *= scale;
        b->bursts[kept].direction = copy->direction;
        b->bursts[kept++].memory = copy->memory;
    }
    copy->bursts = kept - first;
    copy->busy_ns = (int64_t)busy_ns;
    b->burst_count = kept;
}

static void sum_add(struct bus_copies *sum, const struct bus_copy *copy)
{
    sum->count++;
    sum->bursts += copy->bursts;
    sum->bytes += copy->bytes;
    sum->call_ns += copy->call_ns;
    sum->busy_ns += copy->busy_ns;
}

/* How many bytes the link moves for one of a copy alone, this way and the other (requests). */
static void ratio_learn(struct bus_run *b, const struct bus_candidate *c, double bytes, double on_link)
{
    double back = model_bus_bytes(b->run->model, b->bus, !c->direction, c->begin_ns, c->end_ns, NULL);
    b->alone_bytes[c->direction] += bytes;
    b->alone_link[c->direction] += on_link;
    b->alone_back[c->direction] += back;
}

static void candidate_measure(struct bus_run *b, const struct bus_candidate *c, struct bus_report *report)
{
    const struct span *op = run_span(b->run, c->span);
    uint32_t first = b->burst_count;
    int64_t known_ns, length_ns = c->end_ns - c->begin_ns;
    double bytes = (double)model_copy(b->run->model, op)->bytes;
    if (c->meets & BUS_MEETS_SAME)
        report->shared++;
    else if (length_ns < COARSE * report->interval_ns)
        report->coarse++;
    else if (c->meets != 0)
        report->beside++;
    if (c->meets != 0 || length_ns < COARSE * report->interval_ns)
        return;
    double on_link = bursts_find(b, c, &known_ns);
    if (known_ns < length_ns - report->interval_ns || on_link < least_ratio * bytes || on_link > most_ratio * bytes) {
        report->shared += on_link > most_ratio * bytes; /* with a kernel that reads the host's memory, say */
        b->burst_count = first;
        return;
    }
    struct bus_copy copy = {.span = c->span, .direction = c->direction, .memory = c->memory, .bytes = (uint64_t)bytes,
                            .call_ns = call_ns(b->run, op)};
    bursts_settle(b, first, bytes / on_link, &copy);
    if (c->memory == BUS_PINNED)
        ratio_learn(b, c, bytes, on_link);
    sum_add(&report->sums[c->direction][c->memory], &copy);
    if (report->item_count < BUS_ITEMS)
        report->items[report->item_count++] = copy;
}

static int double_compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Sizes and lengths of the bursts of a sum. One or two tell nothing of the driver's buffer: that is the copy's size. */
static void chunks_count(const struct bus_run *b, int direction, int memory, struct bus_copies *sum)
{
    enum { LEAST = 3 };
    double *values = malloc((b->burst_count + 1) * sizeof *values);
    uint32_t count = 0;
    if (values == NULL)
        abort();
    for (uint32_t i = 0; i < b->burst_count; i++)
        if (b->bursts[i].direction == direction && b->bursts[i].memory == memory)
            values[count++] = b->bursts[i].ns;
    qsort(values, count, sizeof *values, double_compare);
    sum->burst_ns = count > 0 ? (int64_t)values[count / 2] : 0;
    count = 0;
    for (uint32_t i = 0; i < b->burst_count; i++)
        if (b->bursts[i].direction == direction && b->bursts[i].memory == memory)
            values[count++] = b->bursts[i].bytes;
    qsort(values, count, sizeof *values, double_compare);
    if (memory == BUS_STAGED && count >= LEAST && sum->bursts >= LEAST * sum->count) {
        sum->chunk_bytes = (uint64_t)(values[count / 2] + 0.5);
        sum->chunk_low_bytes = (uint64_t)(values[count / 10] + 0.5);
        sum->chunk_high_bytes = (uint64_t)(values[count - 1 - count / 10] + 0.5);
    }
    free(values);
}

/* The other copy of a candidate that begins while it runs, if the two tell what one direction costs the other. */
static const struct bus_candidate *partner_of(const struct bus_run *b, const struct bus_candidate *c)
{
    const struct bus_candidate *other = c->other != MODEL_NONE ? &b->candidates[c->other] : NULL;
    bool pinned = other != NULL && c->memory == BUS_PINNED && other->memory == BUS_PINNED;
    return pinned && ((c->meets | other->meets) & BUS_MEETS_SAME) == 0 ? other : NULL;
}

static void both_see(struct bus_run *b, struct bus_report *report)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const struct bus_candidate *c = &b->candidates[i], *other = partner_of(b, c);
        int64_t end = other == NULL || c->end_ns < other->end_ns ? c->end_ns : other->end_ns;
        if (other == NULL || end - c->begin_ns < BOTH_COARSE * report->interval_ns)
            continue;
        report->both_ns += end - c->begin_ns;
        for (int direction = 0; direction < 2; direction++)
            b->both_link[direction] +=
                model_bus_bytes(b->run->model, b->bus, (enum bus_direction)direction, c->begin_ns, end, NULL);
    }
}

/* Both directions at once. What a direction's requests add to the other is known from when it ran alone. */
static void both_conclude(const struct bus_run *b, struct bus_report *report)
{
    for (int direction = 0; direction < 2; direction++) {
        const struct bus_copies *alone = &report->sums[direction][BUS_PINNED];
        report->alone[direction] = alone->busy_ns > 0 ? (double)alone->bytes / (double)alone->busy_ns : 0;
        if (report->both_ns == 0 || b->alone_link[direction] <= 0 || b->alone_link[!direction] <= 0)
            continue;
        double requests = b->alone_back[!direction] / b->alone_link[!direction] * b->both_link[!direction];
        double bytes = (b->both_link[direction] - requests) * b->alone_bytes[direction] / b->alone_link[direction];
        report->both[direction] = bytes / (double)report->both_ns;
    }
}

static double top_rate_of(const struct model *m, const struct bus *bus)
{
    double top = bus->peak_bytes_per_ns;
    for (uint32_t i = bus->first; i < bus->first + bus->count && bus->peak_bytes_per_ns <= 0; i++)
        for (int direction = 0; direction < 2; direction++) {
            const struct bus_sample *s = &m->bus_samples[i];
            double rate = s->bytes[direction] / (double)(s->end_ns - s->begin_ns);
            top = rate > top ? rate : top;
        }
    return top;
}

static void bus_see(struct bus_run *b, const struct bus *bus, struct bus_report *report)
{
    int64_t interval_ns = bus->sampled_ns / (int64_t)bus->samples;
    b->bus = bus;
    b->top_rate = top_rate_of(b->run->model, bus);
    report->interval_ns = interval_ns > report->interval_ns ? interval_ns : report->interval_ns;
    if (report->peak_bytes_per_ns < bus->peak_bytes_per_ns)
        report->peak_bytes_per_ns = bus->peak_bytes_per_ns;
    candidates_find(b);
    candidates_meet(b);
    for (uint32_t i = 0; i < b->count; i++)
        candidate_measure(b, &b->candidates[i], report);
    both_see(b, report);
}

/* Copies of several devices are measured each on its own link and summed: they are the same machine's. */
void bus_build(struct run *run)
{
    const struct model *m = run->model;
    struct bus_report *report = &run->out->bus;
    struct bus_run b = {.run = run, .candidates = malloc((run->op_count + 1) * sizeof *b.candidates)};
    if (b.candidates == NULL)
        abort();
    report->items = ARENA_NEW(run->arena, struct bus_copy, BUS_ITEMS);
    for (uint32_t i = 0; i < m->bus_count; i++)
        if (m->buses[i].samples > 0)
            bus_see(&b, &m->buses[i], report);
    for (int direction = 0; direction < 2; direction++)
        for (int memory = 0; memory < BUS_MEMORY_COUNT; memory++)
            chunks_count(&b, direction, memory, &report->sums[direction][memory]);
    both_conclude(&b, report);
    bus_lines(run);
    free(b.candidates);
    free(b.bursts);
}
