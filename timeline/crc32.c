#include "crc32.h"

#include <pthread.h>
#include <string.h>

/* Sixteen tables: sixteen bytes a step, whose lookups do not wait for one another. */
enum { STEP = 16 };
static uint32_t table[STEP][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void table_init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = (c >> 1) ^ (c & 1 ? 0xEDB88320u : 0);
        table[0][i] = c;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int k = 1; k < STEP; k++)
            table[k][i] = (table[k - 1][i] >> 8) ^ table[0][table[k - 1][i] & 0xFF];
}

/* The part of four bytes, the last of which is followed by `behind` more in the step. */
static inline uint32_t part(uint32_t word, int behind)
{
    return table[behind + 3][word & 0xFF] ^ table[behind + 2][word >> 8 & 0xFF] ^ table[behind + 1][word >> 16 & 0xFF] ^
           table[behind][word >> 24];
}

uint32_t crc32_update(uint32_t crc, const void *data, size_t size)
{
    pthread_once(&once, table_init);
    const uint8_t *p = data;
    crc = ~crc;
    for (; size >= STEP; size -= STEP, p += STEP) {
        uint32_t words[STEP / 4];
        memcpy(words, p, STEP); /* the format is little-endian only, and so is the reader */
        crc = part(words[0] ^ crc, 12) ^ part(words[1], 8) ^ part(words[2], 4) ^ part(words[3], 0);
    }
    while (size-- > 0)
        crc = (crc >> 8) ^ table[0][(crc ^ *p++) & 0xFF];
    return ~crc;
}
