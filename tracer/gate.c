#include "gate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "activities.h"
#include "clock.h"
#include "output.h"
#include "pcie.h"
#include "range.h"
#include "timer.h"

enum { PENDING = 4096 }; /* pauses between two flushes; more are joined to the last one */

static const struct settings *settings;
static _Atomic uint32_t closed;  /* bit by enum cgt_pause_reason */
static atomic_flag switching = ATOMIC_FLAG_INIT;
static bool is_on = true;        /* what CUPTI does: only whoever holds `switching` touches it and the pause */
static struct cgt_pause pause;
static _Atomic int64_t last_open_ns = INT64_MAX;
static atomic_bool was_open, size_reached;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* innermost; of the two that follow */
static struct cgt_pause pending[PENDING];
static uint32_t pending_count;

static void pause_keep(const struct cgt_pause *ended)
{
    pthread_mutex_lock(&lock);
    if (pending_count < PENDING)
        pending[pending_count++] = *ended;
    else
        pending[PENDING - 1].end_ns = ended->end_ns;
    pthread_mutex_unlock(&lock);
}

static void close_for_duration(void)
{
    gate_close(CGT_PAUSE_DURATION);
}

static void open_after_delay(void)
{
    gate_open(CGT_PAUSE_DELAY);
}

/* The lowest reason is the one that is said. */
static uint32_t reason_of(uint32_t reasons)
{
    uint32_t reason = 0;
    while (reasons >> reason != 0 && (reasons >> reason & 1) == 0)
        reason++;
    return reason;
}

/* A pause counts from before CUPTI is switched off until after it is switched on: what fell in between is not whole. */
static void switch_to(bool on, uint32_t reasons)
{
    if (!on) {
        int64_t now_ns = clock_now_ns();
        pause = (struct cgt_pause){.begin_ns = now_ns, .reason = reason_of(reasons)};
        atomic_store(&last_open_ns, atomic_load(&was_open) ? now_ns : INT64_MIN);
    }
    if (!on)
        pcie_switch(false); /* first: CUPTI may let us wait for a copy that runs before it disables anything (H200) */
    activities_switch(on);
    if (on)
        pcie_switch(true);
    if (on) {
        pause.end_ns = clock_now_ns();
        pause_keep(&pause);
        atomic_store(&last_open_ns, INT64_MAX);
        if (!atomic_exchange(&was_open, true) && settings->duration_ns > 0)
            timer_start(settings->duration_ns, close_for_duration);
    }
    is_on = on;
}

/* One thread switches at a time; the others leave their wish and go, and it looks again when it is done. No lock:
 * CUPTI calls some of them with locks of its own held. */
static void apply(void)
{
    bool missed = true;
    while (missed && !atomic_flag_test_and_set(&switching)) {
        uint32_t reasons = atomic_load(&closed);
        if ((reasons == 0) != is_on)
            switch_to(reasons == 0, reasons);
        bool on = is_on;
        atomic_flag_clear(&switching);
        missed = (atomic_load(&closed) == 0) != on;
    }
}

void gate_close(enum cgt_pause_reason reason)
{
    atomic_fetch_or(&closed, 1u << reason);
    apply();
}

void gate_open(enum cgt_pause_reason reason)
{
    atomic_fetch_and(&closed, ~(1u << reason));
    apply();
}

static void part_append(char *text, size_t size, const char *words, double number)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, words, length > 0 ? ", " : "", number);
}

/* What is to be recorded, in words, for who reads the trace. */
static void part_say(void)
{
    char text[256] = "";
    if (strcmp(settings->range, "profiler") == 0)
        snprintf(text, sizeof text, "between cudaProfilerStart and cudaProfilerStop");
    else if (settings->range[0] != '\0')
        snprintf(text, sizeof text, "NVTX range %.200s", settings->range + strlen(SETTING_RANGE_NVTX));
    if (settings->duration_ns > 0)
        part_append(text, sizeof text, "%s%.6g ms", (double)settings->duration_ns / 1e6);
    if (settings->delay_ns > 0)
        part_append(text, sizeof text, "%sfrom %.6g ms on", (double)settings->delay_ns / 1e6);
    if (settings->max_bytes > 0)
        part_append(text, sizeof text, "%s%.6g MiB", (double)settings->max_bytes / (1 << 20));
    output_property("limited_to", text);
}

bool gate_start(const struct settings *borrowed, struct error *err)
{
    settings = borrowed;
    part_say();
    if (settings->range[0] != '\0')
        atomic_fetch_or(&closed, 1u << CGT_PAUSE_RANGE);
    if (settings->delay_ns > 0)
        atomic_fetch_or(&closed, 1u << CGT_PAUSE_DELAY);
    if (!range_watch(settings, err))
        return false;
    if (settings->delay_ns > 0 && !timer_start(settings->delay_ns, open_after_delay))
        return error_set(err, NULL, -1, "no thread could be started");
    if (atomic_load(&closed) == 0) {
        atomic_store(&was_open, true);
        if (settings->duration_ns > 0)
            timer_start(settings->duration_ns, close_for_duration);
    }
    apply();
    return true;
}

int64_t gate_last_open_ns(void)
{
    return atomic_load(&last_open_ns);
}

static void close_for_size(void)
{
    char reason[96];
    gate_close(CGT_PAUSE_SIZE);
    snprintf(reason, sizeof reason, "stopped recording at %.4g MiB, as asked", (double)settings->max_bytes / (1 << 20));
    output_remark(reason);
}

void gate_size(uint64_t bytes)
{
    if (settings == NULL || settings->max_bytes == 0 || bytes < settings->max_bytes)
        return;
    if (!atomic_exchange(&size_reached, true))
        timer_start(0, close_for_size); /* CUPTI may have called us */
}

void gate_write(struct writer *writer)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < pending_count; i++)
        writer_add(writer, CGT_PAUSE, &pending[i]);
    pending_count = 0;
    pthread_mutex_unlock(&lock);
}

void gate_finish(void)
{
    if (settings == NULL || atomic_flag_test_and_set(&switching)) /* for good: nothing is switched any more */
        return;
    if (!is_on) {
        pause.end_ns = clock_now_ns();
        pause_keep(&pause);
    }
    if (!atomic_load(&was_open))
        output_remark(settings->range[0] != '\0' ? "the range that was to be recorded was never entered"
                                                 : "the program ended before recording was to begin");
}

void gate_abandon(void)
{
    atomic_flag_test_and_set(&switching); /* for good */
}
