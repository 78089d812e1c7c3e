/* demangle.h - kernel names as people write them. */
#ifndef CUGANTT_DEMANGLE_H
#define CUGANTT_DEMANGLE_H

#include <stddef.h>

/* Writes the C++ name behind `mangled` into `buf`; `mangled` itself if it is not a mangled name or the C++ runtime
 * library was not there at build time. Returns buf. */
const char *demangle_full(const char *mangled, char *buf, size_t size);

/* The bare function name: "_ZN2ns4spinIfEEvl" or "void ns::spin<float>(long)" -> "spin". Returns buf. */
const char *demangle_short(const char *name, char *buf, size_t size);

#endif
