/* cugantt-workloads NAME [--fixed] [--mib N] [--rounds N]: runs one workload. `cugantt run` records it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads.h"

static const struct workload {
    const char *name;
    workload_main *run;
    uint32_t mib, rounds;
    bool fixable;
} workloads[] = {
#define X(name, function, mib, rounds, title, fixed, about) {name, function, mib, rounds, (fixed) != NULL},
    WORKLOADS(X)
#undef X
};

/* What CUDA reads from the environment at its first call, with and without --fixed. */
static const struct setting {
    const char *workload, *variable, *value, *fixed;
} settings[] = {
    {"hardware-queue", "CUDA_DEVICE_MAX_CONNECTIONS", "1", "32"},
    {"launch-blocking", "CUDA_LAUNCH_BLOCKING", "1", "0"},
    {"host-module-load", "CUDA_MODULE_LOADING", "LAZY", "EAGER"},
};

static void settings_apply(const char *workload, bool fixed)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(settings[i].workload, workload) == 0)
            setenv(settings[i].variable, fixed ? settings[i].fixed : settings[i].value, 1);
}

static const struct workload *workload_find(const char *name)
{
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        if (strcmp(workloads[i].name, name) == 0)
            return &workloads[i];
    return NULL;
}

/* Exit status 2 on wrong usage. */
static void usage(void)
{
    fprintf(stderr, "usage: cugantt-workloads NAME [--fixed] [--mib N] [--rounds N], with N at least 1\n");
    exit(2);
}

static uint32_t number(const char *text)
{
    char *end = NULL;
    unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;
    if (value == 0 || value > 65536 || *end != '\0')
        usage();
    return (uint32_t)value;
}

int main(int argc, char **argv)
{
    const struct workload *workload = argc > 1 ? workload_find(argv[1]) : NULL;
    if (workload == NULL)
        usage();
    struct workload_options options = {.rounds = workload->rounds};
    uint32_t mib = workload->mib;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--fixed") == 0 && workload->fixable)
            options.fixed = true;
        else if (strcmp(argv[i], "--mib") == 0)
            mib = number(argv[++i]);
        else if (strcmp(argv[i], "--rounds") == 0)
            options.rounds = number(argv[++i]);
        else
            usage();
    }
    options.bytes = (size_t)mib << 20;
    settings_apply(workload->name, options.fixed);
    int devices = 0;
    cudaError_t result = cudaGetDeviceCount(&devices);
    if (result != cudaSuccess || devices == 0) {
        fprintf(stderr, "cugantt-workloads: no CUDA device: %s\n", cudaGetErrorString(result));
        return 1;
    }
    workload->run(&options);
    return 0;
}
