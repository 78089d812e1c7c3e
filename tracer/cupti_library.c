#include "cupti_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cupti cupti;

static void *loaded;

static const struct symbol {
    const char *name;
    void **target;
    bool needed;
} symbols[] = {
#define X(name, needed) {"cupti" #name, (void **)&cupti.name, needed},
    CUPTI_FUNCTIONS(X)
#undef X
};

/* Where CUPTI lies below a toolkit's root, in NVIDIA's layout and in pip's. */
static const char *const library_dirs[] = {
    "extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
};

static const char *const toolkit_variables[] = {"CUDA_HOME", "CUDA_PATH"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void *try_load(const char *path, int flags)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | flags);
    if (library != NULL)
        snprintf(cupti.path, sizeof cupti.path, "%s", path);
    return library;
}

/* One that the program has loaded: by name from the memory map, since wheels rename their copies. */
static void *find_loaded(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t capacity = 0;
    void *library = NULL;
    while (maps != NULL && library == NULL && getline(&line, &capacity, maps) > 0) {
        char *path = strchr(line, '/');
        char *name = path ? strrchr(path, '/') + 1 : NULL;
        if (name == NULL || strncmp(name, "libcupti", 8) != 0)
            continue;
        path[strcspn(path, "\n")] = '\0';
        library = try_load(path, RTLD_NOLOAD);
    }
    free(line);
    if (maps != NULL)
        fclose(maps);
    return library;
}

static void *load_below(const char *root, const char *name)
{
    void *library = NULL;
    char path[1024];
    for (size_t i = 0; library == NULL && i < COUNT(library_dirs); i++) {
        snprintf(path, sizeof path, "%s/%s/%s", root, library_dirs[i], name);
        library = try_load(path, 0);
    }
    return library;
}

static void *load_named(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", CUPTI_LIBDIR, name);
    void *library = *CUPTI_LIBDIR != '\0' ? try_load(path, 0) : NULL;
    if (library == NULL)
        library = try_load(name, 0);
    for (size_t i = 0; library == NULL && i < COUNT(toolkit_variables); i++) {
        const char *root = getenv(toolkit_variables[i]);
        if (root != NULL && *root != '\0')
            library = load_below(root, name);
    }
    return library ? library : load_below("/usr/local/cuda", name);
}

/* The library's number is the CUDA major version; the one that fits the driver comes first. */
static void *find_library(void)
{
    static const int newest = 13, oldest = 11;
    int driver = (int)cupti.cuda_driver / 1000;
    void *library = find_loaded();
    for (int major = driver > newest ? driver : newest; library == NULL && major >= oldest; major--) {
        char name[32];
        if (driver != 0 && major > driver)
            continue; /* newer than the driver: it would refuse to work */
        snprintf(name, sizeof name, "libcupti.so.%d", major);
        library = load_named(name);
    }
    return library ? library : load_named("libcupti.so");
}

/* Programs load libcuda for themselves: its names are not global then. */
static uint32_t driver_version(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    int version = 0;
    *(void **)&cupti.driver_get_version = dlsym(driver != NULL ? driver : RTLD_DEFAULT, "cuDriverGetVersion");
    if (cupti.driver_get_version == NULL || cupti.driver_get_version(&version) != CUDA_SUCCESS)
        return 0;
    return (uint32_t)version;
}

static bool symbols_find(void *library, struct error *err)
{
    for (size_t i = 0; i < COUNT(symbols); i++) {
        *symbols[i].target = dlsym(library, symbols[i].name);
        if (*symbols[i].target == NULL && symbols[i].needed)
            return error_set(err, cupti.path, -1, "has no %s: this CUPTI is too old", symbols[i].name);
    }
    return true;
}

bool cupti_library_load(struct error *err)
{
    const char *chosen = getenv("CUGANTT_CUPTI");
    cupti.cuda_driver = driver_version();
    void *library = chosen != NULL ? try_load(chosen, 0) : find_library();
    if (library == NULL)
        return error_set(err, chosen, -1, "libcupti was not found: set CUDA_HOME to the CUDA toolkit, "
                                          "or LD_LIBRARY_PATH to the directory of libcupti");
    if (!symbols_find(library, err))
        return false;
    loaded = library;
    if (cupti.GetVersion(&cupti.version) != CUPTI_SUCCESS || cupti.version < CUPTI_OLDEST)
        return error_set(err, cupti.path, -1, "CUPTI version %u is too old: CUDA 11.6 or newer is needed",
                         cupti.version);
    return true;
}

void *cupti_library_symbol(const char *name)
{
    return loaded != NULL ? dlsym(loaded, name) : NULL;
}

/* Before CUDA 12 there was no error code of its own for that. */
static bool is_busy(CUptiResult result)
{
    return result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || result == CUPTI_ERROR_MAX_LIMIT_REACHED;
}

static void CUPTIAPI ignore(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)user, (void)domain, (void)id, (void)data;
}

bool cupti_library_is_free(void)
{
    CUpti_SubscriberHandle subscriber;
    if (cupti.Subscribe == NULL || cupti.Unsubscribe == NULL)
        return true;
    CUptiResult result = cupti.Subscribe(&subscriber, ignore, NULL);
    if (result == CUPTI_SUCCESS)
        cupti.Unsubscribe(subscriber);
    return !is_busy(result);
}

const char *cupti_library_result_text(CUptiResult result)
{
    const char *text = NULL;
    if (is_busy(result))
        return "another profiler or debugger is using CUPTI in this process";
    if (cupti.GetResultString(result, &text) != CUPTI_SUCCESS || text == NULL)
        return "unknown CUPTI error";
    return text;
}
