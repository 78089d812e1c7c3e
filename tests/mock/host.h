/* host.h - a program that "uses CUDA", by scenarios: what they share. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scenario {
    const char *name;
    int (*run)(void); /* returns the exit status; 90 and above mean that the scenario itself went wrong */
    bool no_cuda;     /* the scenario initialises CUDA itself, or never */
};

/* How programs end (exits.c). */
extern const struct scenario exit_scenarios[];
extern const size_t exit_scenario_count;

/* What cuInit() does. */
void cuda_initialise(void);

/* Records as CUPTI makes them. Nothing is recorded when the tracer did not start. */
void emit_context(void);
void emit_kernel(uint64_t start, uint64_t end);
void emit_call(uint32_t correlation);

/* Leaves this thread inside CUPTI: all other calls of it wait. */
void cupti_lock(void);

void sleep_ms(long ms);

#endif
