/* buffers.h - the buffers that CUPTI fills: handed out, and their records converted.
 *
 * CUPTI gives a buffer back when it is full, or at a flush when no operation is pending: behind a kernel that runs for
 * a minute nothing comes back for a minute. So the buffers that are out are read in place too. Records only appear in
 * them when they are complete, one behind the other (H200, CUDA 13.0), and what the buffers hold behind them is zero.
 */
#ifndef CUGANTT_BUFFERS_H
#define CUGANTT_BUFFERS_H

#include <cupti.h>
#include <stdint.h>

/* Makes CUPTI use our buffers. */
CUptiResult buffers_register(void);

/* Converts the records that were there at the last call already: a record that is being written is not touched. On one
 * thread only. */
void buffers_read(void);

/* How often CUPTI has asked for a buffer. */
uint64_t buffers_requests(void);

/* From now on no buffers are handed out, and what comes back is not converted. */
void buffers_stop(void);

#endif
