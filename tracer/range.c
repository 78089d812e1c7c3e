#include "range.h"

#include <stdatomic.h>
#include <string.h>

#include "cupti_library.h"
#include "gate.h"
#include "subscriber.h"

static _Atomic int entered;
static atomic_bool watching; /* NVTX ranges move the gate */

/* Threads may overtake each other on their way to the gate: whoever was there last looks again. */
static void gate_move(void)
{
    bool open;
    do {
        open = atomic_load(&entered) > 0;
        if (open)
            gate_open(CGT_PAUSE_RANGE);
        else
            gate_close(CGT_PAUSE_RANGE);
    } while (open != (atomic_load(&entered) > 0));
}

void range_enter(void)
{
    if (atomic_fetch_add(&entered, 1) == 0 && atomic_load(&watching))
        gate_move();
}

void range_leave(void)
{
    if (atomic_fetch_sub(&entered, 1) == 1 && atomic_load(&watching))
        gate_move();
}

/* The runtime's functions and the driver's, which the runtime may call or not: a second start changes nothing. */
static const struct watched {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    bool starts;
} watched[] = {
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000, true},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000, false},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, true},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, false},
};

enum { WATCHED = sizeof watched / sizeof *watched };

/* The gate opens when the start is over and closes when the stop begins: neither is part of what is recorded. */
static void on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *info)
{
    const CUpti_CallbackData *call = info;
    for (int i = 0; i < WATCHED; i++) {
        if (watched[i].domain != domain || watched[i].id != id)
            continue;
        if (watched[i].starts && call->callbackSite == CUPTI_API_EXIT)
            gate_open(CGT_PAUSE_RANGE);
        else if (!watched[i].starts && call->callbackSite == CUPTI_API_ENTER)
            gate_close(CGT_PAUSE_RANGE);
    }
}

static bool profiler_watch(struct error *err)
{
    struct error why;
    for (int i = 0; i < WATCHED; i++)
        if (!subscriber_watch(watched[i].domain, watched[i].id, on_call, &why))
            return error_set(err, why.file, -1, "cannot watch for cudaProfilerStart(): %s", why.what);
    return true;
}

bool range_watch(const struct settings *settings, struct error *err)
{
    if (strcmp(settings->range, "profiler") == 0)
        return profiler_watch(err);
    if (settings->range[0] != '\0') {
        atomic_store(&watching, true);
        gate_move();
    }
    return true;
}
