#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "progress.h"

void say(const char *fmt, ...)
{
    va_list args;
    progress_end();
    va_start(args, fmt);
    fputs("cugantt: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
}

int fail(const struct error *err)
{
    char text[sizeof err->file + sizeof err->what + 64];
    say("%s", error_text(err, text, sizeof text));
    return EXIT_BAD_INPUT;
}

static void help(const struct usage *usage)
{
    printf("usage: cugantt %s\n\n%s\n", usage->synopsis, usage->about);
    if (usage->options->name != NULL)
        puts("");
    for (const struct option_row *o = usage->options; o->name != NULL; o++) {
        char left[64];
        bool optional = o->kind == OPTION_OPTIONAL_TIME;
        snprintf(left, sizeof left, "%c%c%s--%s%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
                 o->letter ? ", " : "  ", o->name, optional ? "[=" : o->value ? " " : "", o->value ? o->value : "",
                 optional ? "]" : "");
        printf("  %-24s  %s\n", left, o->help);
    }
}

/* "12.5ms", "300us", "7" (ns) -> nanoseconds. */
static bool time_parse(const char *text, int64_t *ret_ns)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1}};
    char *end;
    double value = strtod(text, &end);
    if (end == text || !(value >= -9e9 && value <= 9e18))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0 && value * units[i].factor < 9e18) {
            *ret_ns = (int64_t)(value * units[i].factor);
            return true;
        }
    return false;
}

static bool count_parse(const char *text, uint32_t *ret_count)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || text[0] == '-' || errno != 0 || value > UINT32_MAX)
        return false;
    *ret_count = (uint32_t)value;
    return true;
}

static bool bytes_parse(const char *text, uint64_t *ret_bytes)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1}, {"B", 1}, {"KiB", 1024}, {"K", 1024}, {"MiB", 1 << 20}, {"M", 1 << 20}, {"GiB", 1 << 30},
                 {"G", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}};
    char *end;
    double value = strtod(text, &end);
    if (end == text || !(value > 0))
        return false;
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0 && value * units[i].factor < 9e18) {
            *ret_bytes = (uint64_t)(value * units[i].factor);
            return true;
        }
    return false;
}

static bool value_set(const struct option_row *o, const char *text)
{
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->target = true;
        return true;
    case OPTION_TEXT:
        *(const char **)o->target = text;
        return true;
    case OPTION_COUNT:
        return count_parse(text, o->target);
    case OPTION_TIME:
    case OPTION_OPTIONAL_TIME:
        return time_parse(text, o->target);
    case OPTION_BYTES:
        return bytes_parse(text, o->target);
    }
    return false;
}

static const struct option_row *row_find(const struct usage *usage, const char *word, const char **ret_value)
{
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    *ret_value = equals ? equals + 1 : NULL;
    for (const struct option_row *o = usage->options; o->name != NULL; o++) {
        if (word[1] == '-' && strlen(o->name) == length - 2 && strncmp(word + 2, o->name, length - 2) == 0)
            return o;
        if (word[1] != '-' && o->letter != 0 && word[1] == o->letter) {
            *ret_value = word[2] != '\0' ? word + 2 : NULL;
            return o;
        }
    }
    return NULL;
}

/* One option at argv[*at]. Returns -1 to go on, or the exit status. */
static int option_take(int argc, char **argv, const struct usage *usage, int *at)
{
    static const char *const expectations[] = {
        [OPTION_COUNT] = "a whole number", [OPTION_TIME] = "a time such as 12.5ms or 300us", [OPTION_BYTES] = "a size such as 200MiB",
        [OPTION_OPTIONAL_TIME] = "a time such as 5us"};
    const char *word = argv[*at], *value;
    const struct option_row *o = row_find(usage, word, &value);
    if (o == NULL) {
        say("%s: no option \"%s\": see cugantt %s --help", argv[0], word, argv[0]);
        return EXIT_BAD_USAGE;
    }
    if (o->kind == OPTION_FLAG && value != NULL) {
        say("%s: --%s takes no value", argv[0], o->name);
        return EXIT_BAD_USAGE;
    }
    if (o->kind == OPTION_OPTIONAL_TIME && value == NULL) {
        *(int64_t *)o->target = OPTION_TIME_LEFT_OUT;
        return -1;
    }
    if (o->kind != OPTION_FLAG && value == NULL) {
        if (*at + 1 == argc) {
            say("%s: --%s needs a value: --%s %s", argv[0], o->name, o->name, o->value);
            return EXIT_BAD_USAGE;
        }
        value = argv[++*at];
    }
    if (!value_set(o, value)) {
        say("%s: --%s \"%s\": expected %s", argv[0], o->name, value,
            expectations[o->kind]);
        return EXIT_BAD_USAGE;
    }
    return -1;
}

int options_parse(int argc, char **argv, const struct usage *usage, int *ret_operands)
{
    int kept = 1;
    bool options_over = false;
    for (int at = 1; at < argc; at++) {
        const char *word = argv[at];
        if (options_over || word[0] != '-' || word[1] == '\0') {
            argv[kept++] = argv[at];
            options_over = options_over || usage->stop_at_operand;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_over = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            help(usage);
            return EXIT_DONE;
        }
        int status = option_take(argc, argv, usage, &at);
        if (status >= 0)
            return status;
    }
    *ret_operands = kept - 1;
    return -1;
}
