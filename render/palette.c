#include "palette.h"

static const struct {
    const char *name;
    uint32_t color[2]; /* by enum theme */
} palette[SLOT_COUNT] = {
#define X(id, name, light, dark) {name, {light, dark}},
    PALETTE(X)
#undef X
};

uint32_t palette_color(enum theme theme, enum slot slot)
{
    return palette[slot].color[theme];
}

const char *palette_name(enum slot slot)
{
    return palette[slot].name;
}
