/* palette.h - the colours of a figure by what they mean, in a light and a dark theme.
 *
 * Bars follow Okabe and Ito's palette (safe for colour-blind readers), with kernels darker and copies to the device
 * lighter than there, so that grey print tells them apart too.
 */
#ifndef CUGANTT_PALETTE_H
#define CUGANTT_PALETTE_H

#include <stdint.h>

/* X(enumerator, "name in scene dumps", light, dark), colours as 0xRRGGBBAA. The bars lie from KERNEL to RANGE. */
#define PALETTE(X)                                               \
    X(PAGE, "page", 0xffffffff, 0x14181eff)                      \
    X(LANE, "lane", 0xf6f8faff, 0x1b2129ff)                      \
    X(GRID, "grid", 0xe1e6ebff, 0x313a45ff)                      \
    X(TEXT, "text", 0x1b212bff, 0xe8ecf1ff)                      \
    X(MUTED, "muted", 0x66707cff, 0x9aa5b2ff)                    \
    X(ACCENT, "accent", 0xc62828ff, 0xff7b72ff)                  \
    X(BADGE, "badge", 0xc62828ff, 0xd93a36ff)                    \
    X(CRITICAL, "critical", 0x000000ff, 0xffffffff)              \
    X(WARNING, "warning", 0xa84300ff, 0xffa657ff)                \
    X(ON_DARK, "on-dark", 0xffffffff, 0xffffffff)                \
    X(ON_LIGHT, "on-light", 0x1b212bff, 0x14181eff)              \
    X(KERNEL, "kernel", 0x0060a0ff, 0x1768a8ff)                  \
    X(GRAPH, "graph", 0x00375fff, 0x4f86b5ff)                    \
    X(HTOD, "htod", 0x22b088ff, 0x22a880ff)                      \
    X(DTOH, "dtoh", 0xcc5500ff, 0xcc5500ff)                      \
    X(DTOD, "dtod", 0x56b4e9ff, 0x56b4e9ff)                      \
    X(PEER, "peer", 0x7b4f9dff, 0x8d63afff)                      \
    X(COPY, "copy", 0xe69f00ff, 0xe69f00ff)                      \
    X(MEMSET, "memset", 0x4a5666ff, 0x77859aff)                  \
    X(CALL, "call", 0x9aa5afff, 0x8593a1ff)                      \
    X(BLOCKED, "blocked", 0xf0e442ff, 0xe3d73aff)                \
    X(WAIT, "wait", 0xd48ab3ff, 0xcc79a7ff)                      \
    X(RANGE, "range", 0xc9c2e8ff, 0x8d84bfff)                    \
    X(STAGED_INK, "staged-ink", 0xffffff80, 0xffffff70)          \
    X(GAP_INK, "gap-ink", 0x1b212b2e, 0xffffff2a)                \
    X(GAP_STAGING, "gap-staging", 0xfbf6c4ff, 0x46431fff)        \
    X(GAP_SYNC, "gap-sync", 0xf7e3eeff, 0x452c3bff)              \
    X(GAP_ALLOC, "gap-alloc", 0xfdebcfff, 0x4a3a1cff)            \
    X(GAP_LOAD, "gap-load", 0xefe3d6ff, 0x40352aff)              \
    X(GAP_BUSY, "gap-busy", 0xe6eaeeff, 0x303841ff)              \
    X(GAP_DEFAULT, "gap-default", 0xfbdcd8ff, 0x502826ff)        \
    X(GAP_EVENT, "gap-event", 0xd9e9f6ff, 0x1f3a52ff)            \
    X(GAP_ORDER, "gap-order", 0xe6e1f4ff, 0x363052ff)            \
    X(GAP_ENGINE, "gap-engine", 0xd3efe4ff, 0x173f33ff)          \
    X(GAP_FULL, "gap-full", 0xd6e6f2ff, 0x1c3b50ff)              \
    X(GAP_QUEUE, "gap-queue", 0xfae0cdff, 0x4c301cff)            \
    X(GAP_LATENCY, "gap-latency", 0xeaf1dfff, 0x2b3a24ff)        \
    X(GAP_TRACER, "gap-tracer", 0xedf0f2ff, 0x2a3038ff)          \
    X(GAP_UNKNOWN, "gap-unknown", 0xeceff1ff, 0x2c333bff)        \
    X(PAUSE, "pause", 0xe3e7ebff, 0x262d35ff)

enum slot {
#define X(id, name, light, dark) SLOT_##id,
    PALETTE(X)
#undef X
        SLOT_COUNT
};

enum { SLOT_BAR_FIRST = SLOT_KERNEL, SLOT_BAR_COUNT = SLOT_RANGE - SLOT_KERNEL + 1 };

enum theme { THEME_LIGHT, THEME_DARK };

uint32_t palette_color(enum theme theme, enum slot slot); /* 0xRRGGBBAA */
const char *palette_name(enum slot slot);

#endif
