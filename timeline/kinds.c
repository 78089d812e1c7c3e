#include "kinds.h"

#include <stddef.h>

#include "format.h"

static const struct kind_row rows[KIND_MAX] = {
#define X(id, number, type, times, name) [number] = {number, sizeof(struct type), times, name},
    CGT_KINDS(X)
#undef X
};

const struct kind_row *kind_find(uint32_t kind)
{
    return kind < KIND_MAX && rows[kind].name != NULL ? &rows[kind] : NULL;
}

bool kind_is_operation(uint32_t kind)
{
    return kind == CGT_KERNEL || kind == CGT_COPY || kind == CGT_MEMSET || kind == CGT_GRAPH;
}
