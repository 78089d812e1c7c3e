#include "idmap.h"

#include <stdlib.h>

static uint32_t slot_of(const struct idmap *map, uint64_t key)
{
    uint64_t h = key * UINT64_C(0x9E3779B97F4A7C15); /* Fibonacci hashing: the high bits are the good ones */
    uint32_t at = (uint32_t)(h >> 32) & (map->slot_count - 1);
    while (map->slots[at].key != 0 && map->slots[at].key != key)
        at = (at + 1) & (map->slot_count - 1);
    return at;
}

static void grow(struct idmap *map)
{
    struct idmap grown = {.slot_count = map->slot_count ? map->slot_count * 2 : 1024, .count = map->count};
    grown.slots = calloc(grown.slot_count, sizeof *grown.slots);
    if (grown.slots == NULL)
        abort();
    for (uint32_t i = 0; i < map->slot_count; i++)
        if (map->slots[i].key != 0)
            grown.slots[slot_of(&grown, map->slots[i].key)] = map->slots[i];
    free(map->slots);
    *map = grown;
}

uint32_t *idmap_get(struct idmap *map, uint64_t key, bool *ret_new)
{
    key = key == 0 ? UINT64_MAX : key; /* 0 marks free slots */
    if ((map->count + 1) * 2 > map->slot_count)
        grow(map);
    struct idmap_slot *slot = &map->slots[slot_of(map, key)];
    *ret_new = slot->key == 0;
    map->count += *ret_new;
    slot->key = key;
    return &slot->value;
}

void idmap_finish(struct idmap *map)
{
    free(map->slots);
    *map = (struct idmap){0};
}
