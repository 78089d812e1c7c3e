/* idmap.h - a hash table from 64-bit keys to 32-bit values. */
#ifndef CUGANTT_IDMAP_H
#define CUGANTT_IDMAP_H

#include <stdbool.h>
#include <stdint.h>

struct idmap_slot {
    uint64_t key; /* 0: free */
    uint32_t value;
};

/* Zeroed is empty. */
struct idmap {
    struct idmap_slot *slots;
    uint32_t slot_count, count;
};

/* The value of a key, for reading and writing; *ret_new says that the key was not there (its value is then 0). Never
 * NULL: a program that cannot get memory ends here. The pointer holds until the next call. */
uint32_t *idmap_get(struct idmap *map, uint64_t key, bool *ret_new);
void idmap_finish(struct idmap *map);

#endif
