/* kinds.h - what writer and reader need to know of a record kind, from the table in format.h. */
#ifndef CUGANTT_KINDS_H
#define CUGANTT_KINDS_H

#include <stdbool.h>
#include <stdint.h>

struct kind_row {
    uint16_t kind;         /* enum cgt_kind */
    uint16_t record_bytes; /* sizeof its struct */
    uint8_t times;         /* leading time fields: 0, 1 (time_ns) or 2 (begin_ns, end_ns) */
    const char *name;
};

enum { KIND_MAX = 64 }; /* all kind numbers are below */

/* Is it work of the GPU: does its record begin with a struct cgt_operation? */
bool kind_is_operation(uint32_t kind);

/* NULL for a kind that this version does not know. */
const struct kind_row *kind_find(uint32_t kind);

#endif
