/* pattern.h - output names with placeholders, so that every process of a job gets a file of its own.
 *
 *     %p        process id
 *     %h        host name
 *     %q{VAR}   value of the environment variable VAR
 *     %%        a percent sign
 */
#ifndef CUGANTT_PATTERN_H
#define CUGANTT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "timeline/error.h"

/* Expands `pattern` into `ret_path` of `size` bytes. Fails, naming the culprit, on an unknown or unfinished
 * placeholder, a variable that is not set, and a result that is too long. */
bool pattern_expand(const char *pattern, char *ret_path, size_t size, struct error *err);

/* Writes `text` to `ret_pattern` so that pattern_expand() gives it back: every % doubled. False if too long. */
bool pattern_quote(const char *text, char *ret_pattern, size_t size);

#endif
