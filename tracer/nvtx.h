/* nvtx.h - the part of NVTX's binary interface that a tool sees, written after its documentation.
 *
 * It is stable: header-only NVTX of any version 3 calls InitializeInjectionNvtx2() of the library that
 * NVTX_INJECTION64_PATH names, once for every library of the program that uses NVTX, and hands out pointers to its
 * function pointers, in two modules. What the tool puts there is called from then on.
 */
#ifndef CUGANTT_NVTX_H
#define CUGANTT_NVTX_H

#include <stddef.h>
#include <stdint.h>

enum nvtx_module { NVTX_MODULE_CORE = 1, NVTX_MODULE_CORE2 = 5 };

enum nvtx_core {
    NVTX_CORE_MARK_EX = 1,
    NVTX_CORE_MARK_A = 2,
    NVTX_CORE_MARK_W = 3,
    NVTX_CORE_START_EX = 4,
    NVTX_CORE_START_A = 5,
    NVTX_CORE_START_W = 6,
    NVTX_CORE_END = 7,
    NVTX_CORE_PUSH_EX = 8,
    NVTX_CORE_PUSH_A = 9,
    NVTX_CORE_PUSH_W = 10,
    NVTX_CORE_POP = 11,
};

/* Of domains. */
enum nvtx_core2 {
    NVTX_CORE2_MARK_EX = 1,
    NVTX_CORE2_START_EX = 2,
    NVTX_CORE2_END = 3,
    NVTX_CORE2_PUSH_EX = 4,
    NVTX_CORE2_POP = 5,
    NVTX_CORE2_REGISTER_A = 10,
    NVTX_CORE2_REGISTER_W = 11,
    NVTX_CORE2_CREATE_A = 12,
    NVTX_CORE2_CREATE_W = 13,
};

typedef void nvtx_function(void);
typedef nvtx_function ***nvtx_slots; /* pointers to function pointers, NULL where there is none */

enum { NVTX_TABLE_CALLBACKS = 1 };

struct nvtx_callbacks {
    size_t struct_bytes;
    /* 1 for success */
    int (*get_module)(int module, nvtx_slots *ret_slots, unsigned *ret_size);
};

typedef const void *nvtx_get_table(uint32_t table);

enum nvtx_message_type { NVTX_MESSAGE_NONE = 0, NVTX_MESSAGE_A = 1, NVTX_MESSAGE_W = 2, NVTX_MESSAGE_REGISTERED = 3 };
enum { NVTX_COLOR_ARGB = 1 };

struct nvtx_attributes {
    uint16_t version, bytes;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message;
};

_Static_assert(sizeof(struct nvtx_attributes) == 48, "as NVTX has it");

#endif
