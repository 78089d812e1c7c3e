/* cugantt-workloads NAME [--mib N] [--rounds N]: runs one workload. `cugantt run` records it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads.h"

static const struct workload {
    const char *name;
    workload_main *run;
    uint32_t mib, rounds;
} workloads[] = {
#define X(name, function, mib, rounds, title, about) {name, function, mib, rounds},
    WORKLOADS(X)
#undef X
};

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
    fprintf(stderr, "usage: cugantt-workloads NAME [--mib N] [--rounds N], with N at least 1\n");
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
    uint32_t mib = workload->mib, rounds = workload->rounds;
    for (int i = 2; i < argc; i += 2) {
        if (strcmp(argv[i], "--mib") == 0)
            mib = number(argv[i + 1]);
        else if (strcmp(argv[i], "--rounds") == 0)
            rounds = number(argv[i + 1]);
        else
            usage();
    }
    int devices = 0;
    cudaError_t result = cudaGetDeviceCount(&devices);
    if (result != cudaSuccess || devices == 0) {
        fprintf(stderr, "cugantt-workloads: no CUDA device: %s\n", cudaGetErrorString(result));
        return 1;
    }
    struct workload_options options = {(size_t)mib << 20, rounds};
    workload->run(&options);
    return 0;
}
