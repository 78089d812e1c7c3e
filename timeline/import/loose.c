#include "loose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

/* May a value begin with this character? */
static bool begins_value(char c)
{
    return c == '"' || c == '{' || c == '[' || c == '-' || (c >= '0' && c <= '9') || c == 't' || c == 'f' || c == 'n' ||
           c == 'N' || c == 'I';
}

/* Could JSON go on here, behind a quote? 1 yes, 0 no: the quote is part of the text; -1 the text ends too early. */
static int string_may_end(const char *p, const char *end)
{
    p = skip_space(p, end);
    if (p == end)
        return -1;
    if (*p != ',')
        return *p == ':' || *p == '}' || *p == ']';
    p = skip_space(p + 1, end);
    return p == end ? -1 : begins_value(*p) || *p == '}' || *p == ']';
}

/* An object that begins with "ph" is an event, and no event holds another: where one begins, the last is broken. */
static bool begins_event(const char *p, const char *end)
{
    static const char key[] = "\"ph\"";
    p = skip_space(p + 1, end);
    return (size_t)(end - p) > strlen(key) && memcmp(p, key, strlen(key)) == 0;
}

/* The '{' of an event whose "ph" begins at `p`, the opening quote; NULL if there is none. */
static const char *event_around(const char *p, const char *begin, const char *end)
{
    const char *open = p;
    while (open > begin && (open[-1] == ' ' || open[-1] == '\n' || open[-1] == '\r' || open[-1] == '\t'))
        open--;
    return open > begin && open[-1] == '{' && begins_event(open - 1, end) ? open - 1 : NULL;
}

/* One past the closing quote of the string that begins at `p` (the opening quote); or where the next event begins. */
static const char *string_end(const char *p, const char *end)
{
    const char *begin = ++p;
    while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
        const char *slash = p, *event = event_around(p, begin, end);
        if (event != NULL)
            return event;
        while (slash > begin && slash[-1] == '\\')
            slash--;
        p++;
        if ((p - 1 - slash) % 2 != 0)
            continue;
        int ends = string_may_end(p, end);
        if (ends != 0)
            return ends > 0 ? p : NULL;
    }
    return NULL;
}

static const char *nest_end(const char *p, const char *end)
{
    static const uint8_t notable[256] = {['"'] = 1, ['{'] = 2, ['['] = 2, ['}'] = 3, [']'] = 3};
    uint64_t depth = 0;
    while (p < end) {
        switch (notable[(uint8_t)*p]) {
        case 1:
            p = string_end(p, end);
            if (p == NULL)
                return NULL;
            continue;
        case 2:
            if (depth++ > 0 && *p == '{' && begins_event(p, end))
                return p;
            break;
        case 3:
            if (--depth == 0)
                return p + 1;
            break;
        }
        p++;
    }
    return NULL;
}

const char *loose_value_end(struct loose text)
{
    const char *p = text.at;
    if (p >= text.end)
        return NULL;
    if (*p == '{' || *p == '[')
        return nest_end(p, text.end);
    if (*p == '"')
        return string_end(p, text.end);
    while (p < text.end && *p != ',' && *p != '}' && *p != ']' && *p != ' ' && *p != '\n' && *p != '\r' && *p != '\t')
        p++;
    return p < text.end ? p : NULL;
}

bool loose_enter(struct loose value, char bracket, struct loose *ret_items)
{
    if (value.end - value.at < 2 || *value.at != bracket)
        return false;
    *ret_items = (struct loose){value.at + 1, value.end}; /* with the closing bracket: it ends the last value */
    return true;
}

static void skip_commas(struct loose *items)
{
    items->at = skip_space(items->at, items->end);
    while (items->at < items->end && *items->at == ',')
        items->at = skip_space(items->at + 1, items->end);
}

bool loose_element(struct loose *items, struct loose *ret_value)
{
    skip_commas(items);
    if (items->at >= items->end || *items->at == ']' || *items->at == '}')
        return false;
    const char *end = loose_value_end(*items);
    if (end == NULL || end == items->at)
        return false;
    *ret_value = (struct loose){items->at, end};
    items->at = end;
    return true;
}

bool loose_member(struct loose *items, struct loose *ret_key, struct loose *ret_value)
{
    struct loose key;
    if (!loose_element(items, &key) || !loose_is_string(key))
        return false;
    items->at = skip_space(items->at, items->end);
    if (items->at >= items->end || *items->at != ':')
        return false;
    items->at = skip_space(items->at + 1, items->end);
    const char *end = loose_value_end(*items);
    if (end == NULL || end == items->at)
        return false;
    *ret_key = (struct loose){key.at + 1, key.end - 1};
    *ret_value = (struct loose){items->at, end};
    items->at = end;
    return true;
}

bool loose_is_string(struct loose value)
{
    return value.end - value.at >= 2 && *value.at == '"';
}

bool loose_is_whole(struct loose object)
{
    return object.end > object.at && (object.end[-1] == '}' || object.end[-1] == ']');
}

static struct loose unquoted(struct loose value)
{
    return loose_is_string(value) ? (struct loose){value.at + 1, value.end - 1} : value;
}

bool loose_is(struct loose text, const char *word)
{
    struct loose bare = unquoted(text);
    size_t length = strlen(word);
    return (size_t)(bare.end - bare.at) == length && memcmp(bare.at, word, length) == 0;
}

void loose_pick(struct loose object, const char *const *keys, struct loose *values)
{
    struct loose items, key, value;
    if (!loose_enter(object, '{', &items))
        return;
    while (loose_member(&items, &key, &value)) {
        size_t length = (size_t)(key.end - key.at);
        for (size_t i = 0; keys[i] != NULL; i++) {
            if (length > 0 && keys[i][0] == *key.at && strlen(keys[i]) == length &&
                memcmp(keys[i], key.at, length) == 0) {
                values[i] = value;
                break;
            }
        }
    }
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    size_t n = 0;
    if (c < 0x10000) {
        out[n++] = (char)(0xE0 | c >> 12);
    } else {
        out[n++] = (char)(0xF0 | c >> 18);
        out[n++] = (char)(0x80 | (c >> 12 & 0x3F));
    }
    out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
    out[n++] = (char)(0x80 | (c & 0x3F));
    return n;
}

static bool hex4(struct loose text, uint32_t *ret_value)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    uint32_t value = 0;
    if (text.end - text.at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char *digit = text.at[i] != '\0' ? strchr(digits, text.at[i]) : NULL;
        if (digit == NULL)
            return false;
        value = value * 16 + (uint32_t)((digit - digits) & 15);
    }
    *ret_value = value;
    return true;
}

/* "\uXXXX", or a pair of surrogates; `text` is behind the "\u". Returns how many of its bytes that takes. */
static size_t unicode_escape(struct loose text, uint32_t *ret_code)
{
    uint32_t high, low;
    if (!hex4(text, &high))
        return 0;
    *ret_code = high;
    if (high < 0xD800 || high > 0xDFFF)
        return 4;
    bool paired = text.end - text.at >= 10 && text.at[4] == '\\' && text.at[5] == 'u' &&
                  hex4((struct loose){text.at + 6, text.end}, &low) && high < 0xDC00 && low >= 0xDC00 && low <= 0xDFFF;
    *ret_code = paired ? 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
    return paired ? 10 : 4;
}

/* One character of a string at `p`; names go into lists and pictures, so control characters become spaces. */
static const char *take_character(const char *p, const char *end, char *out, size_t *ret_count)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/     ";
    uint32_t code;
    *ret_count = 1;
    out[0] = (uint8_t)*p < 0x20 || *p == 0x7F ? ' ' : *p;
    if (*p != '\\' || p + 1 == end)
        return p + 1;
    const char *known = p[1] != '\0' ? strchr(escapes, p[1]) : NULL;
    size_t used = p[1] == 'u' ? unicode_escape((struct loose){p + 2, end}, &code) : 0;
    if (used > 0)
        *ret_count = put_utf8(out, code < 0x20 || code == 0x7F ? ' ' : code);
    else if (known != NULL)
        out[0] = meanings[known - escapes];
    else
        return p + 1; /* no escape that JSON knows (a Windows path): the backslash stands for itself */
    return p + 2 + used;
}

const char *loose_text(struct loose value, char *buf, size_t size)
{
    struct loose bare = unquoted(value);
    size_t length = 0;
    for (const char *p = bare.at; p < bare.end;) {
        char character[4];
        size_t count;
        p = take_character(p, bare.end, character, &count);
        if (length + count >= size)
            break;
        memcpy(buf + length, character, count);
        length += count;
    }
    buf[length] = '\0';
    return buf;
}

/* Decimal digits at `*at`, times `scale`, with as many decimals as the scale has; false if it is no number or too
 * large. */
static bool decimal(struct loose text, int64_t scale, int64_t *ret_value)
{
    const char *p = skip_space(text.at, text.end);
    bool negative = p < text.end && *p == '-', any = false;
    int64_t value = 0;
    p += negative;
    for (; p < text.end && *p >= '0' && *p <= '9'; p++, any = true)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p - '0', &value))
            return false;
    if (__builtin_mul_overflow(value, scale, &value))
        return false;
    if (p < text.end && *p == '.')
        for (p++; p < text.end && *p >= '0' && *p <= '9'; p++, any = true) {
            scale /= 10;
            if (__builtin_add_overflow(value, (*p - '0') * scale, &value))
                return false;
        }
    p = skip_space(p, text.end);
    if (!any || p != text.end)
        return false;
    *ret_value = negative ? -value : value;
    return true;
}

/* The rare forms: 1e6, and digits that no integer holds. */
static bool decimal_or_exponent(struct loose text, int64_t scale, int64_t *ret_value)
{
    char copy[64], *end;
    size_t length = (size_t)(text.end - text.at);
    if (decimal(text, scale, ret_value))
        return true;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text.at, length);
    copy[length] = '\0';
    double number = strtod(copy, &end) * (double)scale;
    if (*end != '\0' || !(fabs(number) < 9e18)) /* also NaN */
        return false;
    *ret_value = (int64_t)number;
    return true;
}

bool loose_integer(struct loose value, int64_t *ret_value)
{
    return value.at != NULL && decimal_or_exponent(unquoted(value), 1, ret_value);
}

uint32_t loose_u32(struct loose value, uint32_t otherwise)
{
    int64_t number;
    return loose_integer(value, &number) && number >= 0 && number < UINT32_MAX ? (uint32_t)number : otherwise;
}

bool loose_us(struct loose value, int64_t *ret_ns)
{
    return value.at != NULL && decimal_or_exponent(unquoted(value), 1000, ret_ns);
}
