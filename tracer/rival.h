/* rival.h - notices another profiler in the program (PyTorch's, say) when it takes CUPTI over.
 *
 * CUPTI has one pair of buffer callbacks, and gives the buffers of the old one to the new one without a word. So the
 * libraries that are linked with libcupti get our own cuptiActivityRegisterCallbacks() in their tables of imported
 * functions (ELF's global offset table): it tells us, and goes on to CUPTI's. A library that looks the function up
 * by itself is not noticed.
 */
#ifndef CUGANTT_RIVAL_H
#define CUGANTT_RIVAL_H

/* Looks through the libraries that are loaded now, if there are more than at the last call. `came` is called before
 * another profiler registers, on its thread, each time. On one thread at a time. */
void rival_watch(void (*came)(void));

#endif
