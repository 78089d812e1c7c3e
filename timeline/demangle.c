#include "demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_STDCPP
/* From the C++ ABI (itanium-cxx-abi, "Demangler API"); returns malloc'ed text or NULL. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);
#endif

/* Drops "[abi:...]" tags: Numba stores whole encoded signatures in them. */
static void tags_drop(char *text)
{
    for (char *tag = strstr(text, "[abi:"); tag != NULL; tag = strstr(tag, "[abi:")) {
        char *end = strchr(tag, ']');
        if (end == NULL)
            return;
        memmove(tag, end + 1, strlen(end + 1) + 1);
    }
}

/* The whole name, malloc'ed: those of templates can be many kilobytes long. */
static char *demangle(const char *name)
{
    char *text = NULL;
#ifdef HAVE_STDCPP
    int status;
    if (strncmp(name, "_Z", 2) == 0)
        text = __cxa_demangle(name, NULL, NULL, &status);
#endif
    if (text == NULL)
        text = strdup(name);
    if (text == NULL)
        abort();
    tags_drop(text);
    return text;
}

const char *demangle_full(const char *mangled, char *buf, size_t size)
{
    char *text = demangle(mangled);
    snprintf(buf, size, "%s", text);
    free(text);
    return buf;
}

/* Where the parameter list begins: the '(' that matches the last ')' at its level, or the end of the text. */
static const char *parameters_begin(const char *full)
{
    const char *end = strrchr(full, ')');
    int depth = 0;
    for (const char *p = end; p != NULL && p >= full; p--) {
        depth += *p == ')';
        depth -= *p == '(';
        if (depth == 0)
            return p;
    }
    return full + strlen(full);
}

const char *demangle_short(const char *name, char *buf, size_t size)
{
    char *full = demangle(name);
    const char *end = parameters_begin(full);
    if (end == full)
        end = full + strlen(full);
    /* back over template arguments, then to the last separator outside them */
    int depth = 0;
    const char *name_end = end, *p = end;
    while (p > full) {
        char c = p[-1];
        depth += c == '>';
        depth -= c == '<';
        if (c == '<' && depth == 0)
            name_end = p - 1;
        if (depth == 0 && (c == ':' || c == ' ') && p < name_end)
            break;
        p--;
    }
    if (name_end <= p)
        name_end = end;
    snprintf(buf, size, "%.*s", (int)(name_end - p), p);
    free(full);
    return buf;
}
