#include "recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/settings.h"

const struct recording recording_default = {.flush_ms = SETTING_FLUSH_MS_DEFAULT, .calls = "work", .graphs = "nodes"};

static bool is_one_of(const char *value, const char *const *choices)
{
    for (; *choices != NULL; choices++)
        if (strcmp(value, *choices) == 0)
            return true;
    return false;
}

static bool nvtx_range_named(const char *range)
{
    size_t length = strlen(SETTING_RANGE_NVTX);
    return strncmp(range, SETTING_RANGE_NVTX, length) == 0 && range[length] != '\0';
}

bool recording_check(const struct recording *r, const char *command)
{
    static const char *const calls[] = {"work", "all", "blocking", "none", NULL};
    static const char *const graphs[] = {"nodes", "whole", NULL};
    if (r->range != NULL && strcmp(r->range, "profiler") != 0 && !nvtx_range_named(r->range))
        say("%s: --range \"%s\": expected profiler or nvtx:NAME", command, r->range);
    else if (!is_one_of(r->calls, calls))
        say("%s: --calls \"%s\": expected work, all, blocking or none", command, r->calls);
    else if (!is_one_of(r->graphs, graphs))
        say("%s: --graphs \"%s\": expected nodes or whole", command, r->graphs);
    else if (r->delay_ns < 0 || r->duration_ns < 0)
        say("%s: --delay and --duration: expected a time above 0", command);
    else if (r->pcie_ns != 0 && r->pcie_ns != OPTION_TIME_LEFT_OUT &&
             (r->pcie_ns < SETTING_PCIE_LEAST_NS || r->pcie_ns > SETTING_PCIE_MOST_NS))
        say("%s: --pcie: expected an interval of 1us to 10ms", command);
    else
        return true;
    return false;
}

/* Unset where nothing was asked for: there may be a recorder around this one. */
static void text_set(const char *variable, const char *text)
{
    if (text != NULL)
        setenv(variable, text, 1);
    else
        unsetenv(variable);
}

static void number_set(const char *variable, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    text_set(variable, number > 0 ? text : NULL);
}

void recording_environment(const struct recording *r, const char *tracer)
{
    char flush[16];
    bool needs_nvtx = r->nvtx || (r->range != NULL && nvtx_range_named(r->range));
    snprintf(flush, sizeof flush, "%u", (unsigned)r->flush_ms);
    setenv("CUDA_INJECTION64_PATH", tracer, 1);
    if (needs_nvtx)
        setenv("NVTX_INJECTION64_PATH", tracer, 1); /* otherwise left alone: it may be another tool's */
    setenv(SETTING_FLUSH_MS, flush, 1);
    text_set(SETTING_TITLE, r->title);
    text_set(SETTING_NVTX, r->nvtx ? "1" : NULL);
    text_set(SETTING_RANGE, r->range);
    text_set(SETTING_CALLS, strcmp(r->calls, "work") != 0 ? r->calls : NULL);
    text_set(SETTING_GRAPHS, strcmp(r->graphs, "nodes") != 0 ? r->graphs : NULL);
    number_set(SETTING_DELAY, (uint64_t)r->delay_ns);
    number_set(SETTING_DURATION, (uint64_t)r->duration_ns);
    number_set(SETTING_PCIE, (uint64_t)(r->pcie_ns == OPTION_TIME_LEFT_OUT ? SETTING_PCIE_DEFAULT_NS : r->pcie_ns));
    number_set(SETTING_MAX_BYTES, r->max_bytes);
}
