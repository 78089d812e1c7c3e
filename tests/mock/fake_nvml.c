/* The part of the driver's management library that the tracer asks for a device's PCIe link. It knows one device. */
#include <string.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetMaxPcieLinkGeneration(void *device, unsigned *generation);
int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *lanes);

static int users;
static char device_here;

int nvmlInit_v2(void)
{
    users++;
    return 0;
}

int nvmlShutdown(void)
{
    users--;
    return 0;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    *device = &device_here;
    return users == 1 && strcmp(uuid, "GPU-01234567-89ab-cdef-0123-456789abcd00") == 0 ? 0 : 6; /* not found */
}

int nvmlDeviceGetMaxPcieLinkGeneration(void *device, unsigned *generation)
{
    *generation = 5;
    return device == &device_here ? 0 : 2;
}

int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *lanes)
{
    *lanes = 16;
    return device == &device_here ? 0 : 2;
}
