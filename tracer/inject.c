/* inject.c - where CUDA enters: it loads the library that CUDA_INJECTION64_PATH names and calls InitializeInjection().
 *
 * Whatever goes wrong here, the program runs on as if it were not traced.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "collect.h"
#include "cupti_library.h"
#include "output.h"
#include "settings.h"

static atomic_flag initialised = ATOMIC_FLAG_INIT;

static void fork_child(void)
{
    collect_abandon();
    output_fork_child();
}

static void start(void)
{
    static struct settings settings;
    struct error err;
    char text[640];
    settings_read(&settings);
    output_configure(&settings);
    pthread_atfork(output_fork_prepare, output_fork_parent, fork_child);
    if (cupti_library_load(&err) && collect_start(&settings, &err)) {
        atexit(collect_finish);
        at_quick_exit(collect_finish);
    } else {
        collect_abandon();
        output_fail(error_text(&err, text, sizeof text));
    }
}

/* CUDA calls it when it is initialised, and again for every copy of its runtime. 1: all is well. */
__attribute__((visibility("default"))) int InitializeInjection(void);

int InitializeInjection(void)
{
    if (!atomic_flag_test_and_set(&initialised))
        start();
    return 1;
}

/* For programs that know that they are recorded: a property of the trace, as of `cugantt run probe`. 1: it is in the trace. */
__attribute__((visibility("default"))) int cugantt_property(const char *key, const char *value);

int cugantt_property(const char *key, const char *value)
{
    struct writer *writer = output_lock(); /* creates the trace: what is noted early counts too */
    if (writer == NULL)
        return 0;
    writer_property(writer, key, value);
    output_unlock();
    return 1;
}
