#include "link.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

/* NVML's functions; all return 0 for success. */
static struct {
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_uuid)(const char *uuid, void **ret_device);
    int (*generation)(void *device, unsigned *ret_generation);
    int (*width)(void *device, unsigned *ret_lanes);
} nvml;

static const struct symbol {
    const char *name;
    void **target;
} symbols[] = {
    {"nvmlInit_v2", (void **)&nvml.init},
    {"nvmlShutdown", (void **)&nvml.shutdown},
    {"nvmlDeviceGetHandleByUUID", (void **)&nvml.by_uuid},
    {"nvmlDeviceGetMaxPcieLinkGeneration", (void **)&nvml.generation},
    {"nvmlDeviceGetMaxPcieLinkWidth", (void **)&nvml.width},
};

static bool nvml_load(void)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL)
        return false;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if ((*symbols[i].target = dlsym(library, symbols[i].name)) == NULL)
            return false;
    return true;
}

/* "GPU-" and the bytes in groups of 4, 2, 2, 2 and 6. */
static void uuid_text(const uint8_t *uuid, char *ret_text, size_t size)
{
    int length = snprintf(ret_text, size, "GPU-");
    for (int i = 0; i < 16; i++)
        length += snprintf(ret_text + length, size - (size_t)length, "%s%02x",
                           i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

struct link link_query(const void *uuid)
{
    struct link link = {0, 0};
    unsigned generation, lanes;
    void *device;
    char text[48];
    uuid_text(uuid, text, sizeof text);
    if (!nvml_load() || nvml.init() != 0)
        return link;
    if (nvml.by_uuid(text, &device) == 0 && nvml.generation(device, &generation) == 0 &&
        nvml.width(device, &lanes) == 0)
        link = (struct link){generation, lanes};
    nvml.shutdown();
    return link;
}
