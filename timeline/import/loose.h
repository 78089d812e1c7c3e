/* loose.h - JSON text taken apart in place, leniently: traces are written by printf, and some are broken.
 *
 * A value is a slice of the text. Strings may hold control characters, invalid escapes and unescaped quotes: a quote
 * ends a string only where JSON could go on behind it. Nothing recurses, so nesting may be of any depth.
 */
#ifndef CUGANTT_LOOSE_H
#define CUGANTT_LOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loose {
    const char *at, *end;
};

/* One past the value that begins at text.at; NULL if the text ends inside it. A value that is broken ends where the
 * next event (an object whose first key is "ph") begins: then its last byte is no closing bracket. */
const char *loose_value_end(struct loose text);

/* Begins to read an object or array: `ret_items` is what is between its brackets. False if it is something else. */
bool loose_enter(struct loose value, char bracket, struct loose *ret_items);

/* Takes the next member of an object, or element of an array, off the front of `items`. False at the end, or where the
 * rest cannot be understood. The key comes without its quotes. */
bool loose_member(struct loose *items, struct loose *ret_key, struct loose *ret_value);
bool loose_element(struct loose *items, struct loose *ret_value);

bool loose_is(struct loose text, const char *word); /* a key, or a string value with its quotes, equals `word` */
bool loose_is_string(struct loose value);
bool loose_is_whole(struct loose object); /* ends with a bracket */

/* Values of the members of an object by key; absent ones stay as they are. `keys` ends with NULL. */
void loose_pick(struct loose object, const char *const *keys, struct loose *values);

/* Text of a string value, its escapes resolved, cut to `size`; of any other value the text as it stands. */
const char *loose_text(struct loose value, char *buf, size_t size);

/* An integer, also as a string; false if it is none or does not fit. Fractions are cut. */
bool loose_integer(struct loose value, int64_t *ret_value);
uint32_t loose_u32(struct loose value, uint32_t otherwise);

/* Microseconds with any number of decimals, as nanoseconds, exact: no double holds today's date in ns. */
bool loose_us(struct loose value, int64_t *ret_ns);

#endif
