#include "looks.h"

#include <stddef.h>

static const struct {
    enum slot ink;
    const char *words;
} bars[SLOT_COUNT] = {
    [SLOT_KERNEL] = {SLOT_ON_DARK, "kernel"},
    [SLOT_GRAPH] = {SLOT_ON_DARK, "graph launch (whole)"},
    [SLOT_HTOD] = {SLOT_ON_LIGHT, "copy H→D"},
    [SLOT_DTOH] = {SLOT_ON_DARK, "copy D→H"},
    [SLOT_DTOD] = {SLOT_ON_LIGHT, "copy D→D"},
    [SLOT_PEER] = {SLOT_ON_DARK, "copy device to device (peer)"},
    [SLOT_COPY] = {SLOT_ON_LIGHT, "other copy"},
    [SLOT_MEMSET] = {SLOT_ON_DARK, "memset"},
    [SLOT_CALL] = {SLOT_ON_LIGHT, "host call"},
    [SLOT_BLOCKED] = {SLOT_ON_LIGHT, "host blocked in call"},
    [SLOT_WAIT] = {SLOT_ON_LIGHT, "host waits (synchronize)"},
    [SLOT_RANGE] = {SLOT_ON_LIGHT, "range"},
};

static const uint8_t copy_slots[] = {
    [CGT_COPY_UNKNOWN] = SLOT_COPY, [CGT_COPY_HTOD] = SLOT_HTOD, [CGT_COPY_DTOH] = SLOT_DTOH,
    [CGT_COPY_HTOA] = SLOT_HTOD,    [CGT_COPY_ATOH] = SLOT_DTOH, [CGT_COPY_ATOA] = SLOT_DTOD,
    [CGT_COPY_ATOD] = SLOT_DTOD,    [CGT_COPY_DTOA] = SLOT_DTOD, [CGT_COPY_DTOD] = SLOT_DTOD,
    [CGT_COPY_HTOH] = SLOT_COPY,    [CGT_COPY_PTOP] = SLOT_PEER,
};

static const struct gap_look gaps[CAUSE_COUNT] = {
    [CAUSE_HOST_STAGING] = {SLOT_GAP_STAGING, PATTERN_DOTS, "idle: host in a staged copy", 2},
    [CAUSE_HOST_SYNC] = {SLOT_GAP_SYNC, PATTERN_DOTS, "idle: host synchronises", 2},
    [CAUSE_HOST_ALLOC] = {SLOT_GAP_ALLOC, PATTERN_DOTS, "idle: host allocates", 2},
    [CAUSE_HOST_MODULE_LOAD] = {SLOT_GAP_LOAD, PATTERN_DOTS, "idle: module load", 2},
    [CAUSE_HOST_BUSY] = {SLOT_GAP_BUSY, PATTERN_DOTS, "idle: host busy", 2},
    [CAUSE_HOST_CALLBACK] = {SLOT_GAP_LOAD, PATTERN_SLANTS, "waits for a host callback", 2},
    [CAUSE_LAUNCH_LATENCY] = {SLOT_GAP_LATENCY, PATTERN_NONE, "launch latency", 8},
    [CAUSE_LAUNCH_QUEUE_FULL] = {SLOT_GAP_QUEUE, PATTERN_DOTS, "idle: launch queue full", 2},
    [CAUSE_LAUNCH_BLOCKING] = {SLOT_GAP_SYNC, PATTERN_RULES, "idle: blocking launches", 2},
    [CAUSE_STREAM_ORDER] = {SLOT_GAP_ORDER, PATTERN_SLANTS, "waits for its own stream", 2},
    [CAUSE_LEGACY_DEFAULT_STREAM] = {SLOT_GAP_DEFAULT, PATTERN_SLANTS, "waits: legacy default stream", 2},
    [CAUSE_EVENT_WAIT] = {SLOT_GAP_EVENT, PATTERN_SLANTS, "waits for an event", 2},
    [CAUSE_GRAPH_ORDER] = {SLOT_GAP_ORDER, PATTERN_RULES, "waits for a graph node", 2},
    [CAUSE_COPY_ENGINE_BUSY] = {SLOT_GAP_ENGINE, PATTERN_RULES, "waits for the copy engine", 2},
    [CAUSE_DEVICE_FULL] = {SLOT_GAP_FULL, PATTERN_RULES, "waits: device full", 2},
    [CAUSE_HARDWARE_QUEUE_SHARED] = {SLOT_GAP_QUEUE, PATTERN_RULES, "waits: shared hardware queue", 2},
    [CAUSE_PROFILER] = {SLOT_GAP_TRACER, PATTERN_CROSSES, "tracing overhead", 2},
    [CAUSE_UNEXPLAINED] = {SLOT_GAP_UNKNOWN, PATTERN_CROSSES, "unexplained", 2},
};

static enum slot call_slot(const struct span *span)
{
    if (span->call_class == CALL_SYNC)
        return SLOT_WAIT;
    bool blocks = (span->flags & (SPAN_STAGED | SPAN_BLOCKING)) != 0 || span->call_class == CALL_ALLOC ||
                  span->call_class == CALL_MODULE;
    return blocks ? SLOT_BLOCKED : SLOT_CALL;
}

static enum slot copy_slot(const struct model *model, const struct span *span)
{
    uint32_t kind = model_copy(model, span)->copy_kind;
    return kind < sizeof copy_slots / sizeof *copy_slots ? copy_slots[kind] : SLOT_COPY;
}

static enum slot span_slot(const struct model *model, const struct span *span)
{
    static const uint8_t slots[SPAN_KIND_COUNT] = {
        [SPAN_KERNEL] = SLOT_KERNEL, [SPAN_MEMSET] = SLOT_MEMSET, [SPAN_GRAPH] = SLOT_GRAPH, [SPAN_RANGE] = SLOT_RANGE};
    if (span->kind == SPAN_COPY)
        return copy_slot(model, span);
    return span->kind == SPAN_CALL ? call_slot(span) : slots[span->kind];
}

struct span_look span_look(const struct model *model, const struct span *span)
{
    enum slot fill = span_slot(model, span);
    bool is_staged = span->kind == SPAN_COPY && (span->flags & SPAN_STAGED) != 0;
    return (struct span_look){fill, bars[fill].ink, is_staged};
}

bool gap_look(enum cause cause, struct gap_look *ret_look)
{
    if (gaps[cause].words == NULL)
        return false;
    *ret_look = gaps[cause];
    return true;
}

bool cause_has_arrow(enum cause cause)
{
    static const bool is_pointless[CAUSE_COUNT] = {
        [CAUSE_PAGEABLE_STAGING] = true, [CAUSE_HOST_BUSY] = true,   [CAUSE_LAUNCH_LATENCY] = true,
        [CAUSE_STREAM_ORDER] = true,     [CAUSE_UNEXPLAINED] = true, [CAUSE_PROFILER] = true,
    };
    return !is_pointless[cause];
}

const char *bar_words(enum slot slot)
{
    return bars[slot].words;
}

struct scene_op pause_look(void)
{
    return (struct scene_op){.kind = SCENE_RECT, .slot = SLOT_PAUSE, .ink = SLOT_GAP_INK, .pattern = PATTERN_CROSSES};
}
