#include "proto.h"

#include <stdlib.h>
#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

void proto_finish(struct proto *m)
{
    free(m->bytes);
    *m = (struct proto){0};
}

void proto_clear(struct proto *m)
{
    m->count = 0;
}

static void append(struct proto *m, const void *bytes, size_t count)
{
    if (m->count + count > m->capacity) {
        m->capacity = (m->count + count) * 2 + 64;
        m->bytes = realloc(m->bytes, m->capacity);
        if (m->bytes == NULL)
            abort();
    }
    if (count > 0)
        memcpy(m->bytes + m->count, bytes, count);
    m->count += count;
}

static void varint(struct proto *m, uint64_t value)
{
    uint8_t bytes[10];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    append(m, bytes, n);
}

static void key(struct proto *m, uint32_t field, enum wire wire)
{
    varint(m, (uint64_t)field << 3 | wire);
}

void proto_number(struct proto *m, uint32_t field, uint64_t value)
{
    key(m, field, WIRE_VARINT);
    varint(m, value);
}

void proto_fixed64(struct proto *m, uint32_t field, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    key(m, field, WIRE_FIXED64);
    append(m, bytes, sizeof bytes);
}

static void bytes_field(struct proto *m, uint32_t field, const void *bytes, size_t count)
{
    key(m, field, WIRE_BYTES);
    varint(m, count);
    append(m, bytes, count);
}

void proto_text(struct proto *m, uint32_t field, const char *text)
{
    bytes_field(m, field, text, strlen(text));
}

void proto_message(struct proto *m, uint32_t field, const struct proto *part)
{
    bytes_field(m, field, part->bytes, part->count);
}
