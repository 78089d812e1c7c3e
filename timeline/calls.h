/* calls.h - what a CUDA call does to the thread that makes it, from its name. */
#ifndef CUGANTT_CALLS_H
#define CUGANTT_CALLS_H

#include <stdbool.h>

#include "model.h"

/* Class of a runtime or driver call; version suffixes ("_v3020", "_ptsz") do not matter. */
enum call_class call_classify(const char *name);

/* A copy call without "Async" in its name: returns when the copy is done. */
bool call_is_synchronous_copy(const char *name);

/* Length of `name` without its version suffixes: "cudaMemcpyAsync_ptsz_v7000" -> 15. */
int call_short_length(const char *name);

#endif
