/* json.h - JSON text taken apart in place, leniently: traces are written by printf, and some are broken.
 *
 * A value is a slice of the text. Strings may hold control characters, invalid escapes and unescaped quotes: a quote ends a
 * string only where JSON could go on behind it. Nothing recurses, so nesting may be of any depth.
 */
#ifndef CUGANTT_JSON_H
#define CUGANTT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    const char *at, *end;
};

/* One past the value that begins at json.at; NULL if the text ends inside it. */
const char *json_value_end(struct json text);

/* Begins to read an object or array: `ret_items` is what is between its brackets. False if it is something else. */
bool json_enter(struct json value, char bracket, struct json *ret_items);

/* Takes the next member of an object, or element of an array, off the front of `items`. False at the end, or where the rest
 * cannot be understood. The key comes without its quotes. */
bool json_member(struct json *items, struct json *ret_key, struct json *ret_value);
bool json_element(struct json *items, struct json *ret_value);

bool json_is(struct json text, const char *word); /* a key, or a string value with its quotes, equals `word` */
bool json_is_string(struct json value);

/* Values of the members of an object by key; absent ones stay as they are. `keys` ends with NULL. */
void json_pick(struct json object, const char *const *keys, struct json *values);

/* Text of a string value, its escapes resolved, cut to `size`; of any other value the text as it stands. */
const char *json_text(struct json value, char *buf, size_t size);

/* An integer, also as a string; false if it is none or does not fit. Fractions are cut. */
bool json_integer(struct json value, int64_t *ret_value);
uint32_t json_u32(struct json value, uint32_t otherwise);

/* Microseconds with any number of decimals, as nanoseconds, exact: no double holds today's date in ns. */
bool json_us(struct json value, int64_t *ret_ns);

#endif
