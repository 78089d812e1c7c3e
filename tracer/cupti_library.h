/* cupti_library.h - the CUPTI functions that the tracer calls, looked up at run time.
 *
 * libcupti is never linked: programs such as PyTorch bring their own, and two copies in one process do not see each
 * other's records. One that is loaded already is used; otherwise one that fits the driver is loaded. It is never
 * unloaded: CUDA 13 crashes at exit if it is.
 */
#ifndef CUGANTT_CUPTI_LIBRARY_H
#define CUGANTT_CUPTI_LIBRARY_H

#include <cupti.h>
#include <stdbool.h>
#include <stdint.h>

#include "timeline/error.h"

/* Oldest version whose records are understood: that of CUDA 11.6, which brought the channel ids. */
enum { CUPTI_OLDEST = 17 };

/* Newest that is known, that of CUDA 13. Fields are only ever appended to records: newer ones are read all the same. */
enum { CUPTI_NEWEST = 139999 };

/* X(function without "cupti", is it needed) */
#define CUPTI_FUNCTIONS(X)                 \
    X(GetVersion, true)                    \
    X(GetResultString, true)               \
    X(GetCallbackName, true)               \
    X(ActivityEnable, true)                \
    X(ActivityEnableRuntimeApi, false)     \
    X(ActivityEnableDriverApi, false)      \
    X(ActivityRegisterCallbacks, true)     \
    X(ActivityGetNextRecord, true)         \
    X(ActivityGetNumDroppedRecords, true)  \
    X(ActivityFlushAll, true)              \
    X(ActivitySetAttribute, true)          \
    X(ActivityDisable, true)                 \
    X(Subscribe, false)                      \
    X(Unsubscribe, false)                    \
    X(EnableCallback, false)                 \
    X(SetThreadIdType, false)

struct cupti {
    uint32_t version;     /* CUPTI API version of the loaded library */
    uint32_t cuda_driver; /* CUDA version of the driver, e.g. 13000; 0: not known */
    CUresult (*driver_get_version)(int *); /* of libcuda; NULL: not found */
    char path[1024];       /* of the library */
#define X(name, needed) __typeof__(cupti##name) *name;
    CUPTI_FUNCTIONS(X)
#undef X
};

/* The functions, once cupti_library_load() has succeeded. */
extern struct cupti cupti;

/* Finds and loads libcupti. CUGANTT_CUPTI in the environment names a library to use instead. */
bool cupti_library_load(struct error *err);

/* Is no other profiler subscribed? CUPTI has room for one, and would let us take the records of a second away from it
 * without a word. */
bool cupti_library_is_free(void);

/* A function of the loaded library that not all of them have; NULL if this one has not. */
void *cupti_library_symbol(const char *name);

/* Text for a result, in words. */
const char *cupti_library_result_text(CUptiResult result);

#endif
