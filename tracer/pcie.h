/* pcie.h - samples the PCIe link of each device that the program uses, while recording is on.
 *
 * A thread of its own does it. The program is held at its first context on a device until samples come, so that none of
 * its work is missed; the trace says for how long. Where sampling cannot be had the program runs on, and the trace and
 * the recorder say why.
 */
#ifndef CUGANTT_PCIE_H
#define CUGANTT_PCIE_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

/* Watches for contexts, if the settings ask for it. Before the first context. */
void pcie_start(const struct settings *settings);

/* Recording goes on or off. Waits until samples come, half a second at most. Any thread. */
void pcie_switch(bool on);

/* Stops, and writes what there is. Waits `ms` at most. Not under the writer's lock. */
void pcie_finish(int64_t ms);

/* In a forked child: CUPTI is not called any more. */
void pcie_abandon(void);

#endif
