/* link.h - the PCIe link of a device, from the driver's management library (NVML), looked up at run time.
 *
 * Not from CUPTI's PCIE records: once they are on, launches from eight threads take four times as long (8.4 us rather
 * than 2.1 us, H200, CUDA 13.0), and turning them off again does not help.
 */
#ifndef CUGANTT_LINK_H
#define CUGANTT_LINK_H

#include <stdint.h>

struct link {
    uint32_t generation, lanes; /* what device and slot can do at most; 0: not known */
};

/* `uuid` has 16 bytes, as CUDA gives it. Takes some milliseconds. */
struct link link_query(const void *uuid);

#endif
