#include "settings.h"

#include <stdlib.h>
#include <string.h>

static const char *copy_of(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL && *text != '\0' ? strdup(text) : NULL;
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
    };
}
