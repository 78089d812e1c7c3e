/* proto.h - messages of protocol buffers, field by field. The wire format is five rules long; a library would bring its
 * code generator, and thousands of generated lines for the dozen fields that we write. */
#ifndef CUGANTT_PROTO_H
#define CUGANTT_PROTO_H

#include <stddef.h>
#include <stdint.h>

struct proto {
    uint8_t *bytes;
    size_t count, capacity;
};

/* Zeroed is an empty message. A program that cannot get memory ends. */
void proto_finish(struct proto *message);
void proto_clear(struct proto *message); /* keeps its memory */

void proto_number(struct proto *message, uint32_t field, uint64_t value); /* uint32, uint64, int64, enum, bool */
void proto_fixed64(struct proto *message, uint32_t field, uint64_t value);
void proto_text(struct proto *message, uint32_t field, const char *text);
void proto_message(struct proto *message, uint32_t field, const struct proto *part);

#endif
