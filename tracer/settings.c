#include "settings.h"

#include <stdlib.h>
#include <string.h>

static const char *copy_of(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL && *text != '\0' ? strdup(text) : NULL;
}

static const char *text_of(const char *variable)
{
    const char *text = copy_of(variable);
    return text != NULL ? text : "";
}

static int64_t number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoll(text, NULL, 10) : 0;
}

void settings_read(struct settings *ret_settings)
{
    const char *flush = getenv(SETTING_FLUSH_MS);
    const char *output = copy_of(SETTING_OUTPUT);
    *ret_settings = (struct settings){
        .output = output ? output : "cugantt-%p.cgt",
        .flush_ms = flush ? (uint32_t)strtoul(flush, NULL, 10) : SETTING_FLUSH_MS_DEFAULT,
        .title = copy_of(SETTING_TITLE),
        .note = copy_of(SETTING_NOTE),
        .nvtx = getenv(SETTING_NVTX) != NULL,
        .range = text_of(SETTING_RANGE),
        .delay_ns = number_of(SETTING_DELAY),
        .duration_ns = number_of(SETTING_DURATION),
        .max_bytes = (uint64_t)number_of(SETTING_MAX_BYTES),
        .calls = text_of(SETTING_CALLS),
        .pcie_ns = number_of(SETTING_PCIE),
        .whole_graphs = strcmp(text_of(SETTING_GRAPHS), "whole") == 0,
    };
}
