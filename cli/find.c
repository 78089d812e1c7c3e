#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* Where our own files lie, relative to the executable: first the build tree, then the installed layout. A build tree is
 * known by its tracer or workloads directory, an installed tree by the configured relative path. */
static const char *const places[] = {
    "%s/tracer/%s",
    "%s/workloads/%s",
    "%s/" CUGANTT_LIB_FROM_BIN "/%s",
    "%s/" CUGANTT_DATA_FROM_BIN "/%s",
};

const char *find_piece(const char *name)
{
    static char found[PATH_MAX];
    char exe[PATH_MAX / 2];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length <= 0)
        return NULL;
    exe[length] = '\0';
    *strrchr(exe, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(found, sizeof found, places[i], exe, name);
        if (access(found, R_OK) == 0)
            return found;
    }
    /* uninstalled: samples stay in the source tree */
    snprintf(found, sizeof found, "%s/%s", CUGANTT_SOURCE_DIR, name);
    return access(found, R_OK) == 0 ? found : NULL;
}
