#include "error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *err, const char *file, int64_t offset, const char *fmt, ...)
{
    if (err == NULL)
        return false;
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    err->offset = offset;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->what, sizeof err->what, fmt, args);
    va_end(args);
    return false;
}

const char *error_text(const struct error *err, char *buf, int size)
{
    if (err->file[0] == '\0')
        snprintf(buf, (size_t)size, "%s", err->what);
    else if (err->offset < 0)
        snprintf(buf, (size_t)size, "%s: %s", err->file, err->what);
    else
        snprintf(buf, (size_t)size, "%s: offset %" PRId64 ": %s", err->file, err->offset, err->what);
    return buf;
}
