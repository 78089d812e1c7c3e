#include "boxes.h"

#include <string.h>

void boxes_add(struct boxes *boxes, struct box box)
{
    if (boxes->count == boxes->capacity) {
        uint32_t capacity = boxes->capacity == 0 ? 128 : 2 * boxes->capacity;
        struct box *items = ARENA_NEW(boxes->arena, struct box, capacity);
        if (boxes->count > 0)
            memcpy(items, boxes->items, boxes->count * sizeof *items);
        boxes->items = items;
        boxes->capacity = capacity;
    }
    boxes->items[boxes->count++] = box;
}

bool boxes_hit(const struct boxes *boxes, struct box box)
{
    for (uint32_t i = 0; i < boxes->count; i++) {
        const struct box *taken = &boxes->items[i];
        if (box.left < taken->right && taken->left < box.right && box.top < taken->bottom && taken->top < box.bottom)
            return true;
    }
    return false;
}
