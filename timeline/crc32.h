/* crc32.h - CRC-32 (IEEE 802.3, reflected, as zlib's crc32).
 * Our own, because the tracer must bring no library into the traced program. */
#ifndef CUGANTT_CRC32_H
#define CUGANTT_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Continues `crc` (0 to start) over `size` bytes. */
uint32_t crc32_update(uint32_t crc, const void *data, size_t size);

#endif
