/* Measures this machine: how fast copies are from pageable and from pinned memory, by size and direction; from which size on a
 * pageable copy waits for its stream; how many launches may be pending; what a launch takes; what copies at once and kernels
 * at once gain.
 *
 * You should see: a table of all that. The trace keeps it as properties.
 */
#include "probe.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double probe_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

double probe_median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

void probe_note(const char *key, const char *format, ...)
{
    static int (*property)(const char *, const char *); /* the tracer's, which CUDA has loaded */
    const char *tracer = getenv("CUDA_INJECTION64_PATH");
    char value[1024];
    va_list args;
    if (property == NULL && tracer != NULL) {
        void *library = dlopen(tracer, RTLD_NOW | RTLD_NOLOAD);
        if (library != NULL)
            *(void **)&property = dlsym(library, "cugantt_property"); /* POSIX: dlsym() finds functions too */
    }
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    if (property != NULL)
        property(key, value);
}

void workload_probe(const struct workload_options *options)
{
    setup_kernel();
    probe_copies(options);
    probe_launches();
}
