#include "pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUE_BYTES = 1024 };

static bool value_process(const char **rest, char *value, struct error *err)
{
    (void)rest, (void)err;
    snprintf(value, VALUE_BYTES, "%ld", (long)getpid());
    return true;
}

static bool value_host(const char **rest, char *value, struct error *err)
{
    (void)rest;
    if (gethostname(value, VALUE_BYTES) != 0)
        return error_set(err, NULL, -1, "%%h in the output name: the host has no name");
    value[VALUE_BYTES - 1] = '\0';
    return true;
}

static bool value_percent(const char **rest, char *value, struct error *err)
{
    (void)rest, (void)err;
    strcpy(value, "%");
    return true;
}

static bool value_variable(const char **rest, char *value, struct error *err)
{
    const char *open = *rest, *close = strchr(open, '}');
    char name[VALUE_BYTES];
    if (*open != '{' || close == NULL || close == open + 1 || close - open > VALUE_BYTES)
        return error_set(err, NULL, -1, "%%q in the output name must be %%q{VARIABLE}");
    snprintf(name, sizeof name, "%.*s", (int)(close - open - 1), open + 1);
    const char *text = getenv(name);
    if (text == NULL)
        return error_set(err, NULL, -1, "%%q{%s} in the output name: the variable %s is not set", name, name);
    if (snprintf(value, VALUE_BYTES, "%s", text) >= VALUE_BYTES)
        return error_set(err, NULL, -1, "%%q{%s} in the output name: the value of %s is too long", name, name);
    *rest = close + 1;
    return true;
}

/* Each puts its value into VALUE_BYTES bytes and moves `rest` past what it read behind its letter. */
static const struct placeholder {
    char letter;
    bool (*value)(const char **rest, char *value, struct error *err);
} placeholders[] = {
    {'p', value_process},
    {'h', value_host},
    {'q', value_variable},
    {'%', value_percent},
};

static const struct placeholder *placeholder_find(char letter)
{
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
        if (placeholders[i].letter == letter)
            return &placeholders[i];
    return NULL;
}

static bool placeholder_expand(const char **rest, char *value, struct error *err)
{
    char letter = **rest;
    const struct placeholder *placeholder = placeholder_find(letter);
    if (letter == '\0')
        return error_set(err, NULL, -1, "the output name ends in a single %%: write %%%% for a percent sign");
    if (placeholder == NULL)
        return error_set(err, NULL, -1, "%%%c in the output name: only %%p, %%h, %%q{VARIABLE} and %%%% are known",
                         letter);
    ++*rest;
    return placeholder->value(rest, value, err);
}

bool pattern_expand(const char *pattern, char *ret_path, size_t size, struct error *err)
{
    size_t length = 0;
    while (*pattern != '\0') {
        char value[VALUE_BYTES] = {*pattern};
        if (*pattern++ == '%' && !placeholder_expand(&pattern, value, err))
            return false;
        size_t bytes = strlen(value);
        if (length + bytes >= size)
            return error_set(err, NULL, -1, "the output name is too long");
        memcpy(ret_path + length, value, bytes);
        length += bytes;
    }
    ret_path[length] = '\0';
    return true;
}

bool pattern_quote(const char *text, char *ret_pattern, size_t size)
{
    size_t length = 0;
    for (; *text != '\0'; text++) {
        if (length + 3 > size)
            return false;
        if (*text == '%')
            ret_pattern[length++] = '%';
        ret_pattern[length++] = *text;
    }
    ret_pattern[length] = '\0';
    return true;
}
