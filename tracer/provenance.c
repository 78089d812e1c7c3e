#include "provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "cupti_library.h"

/* They change how streams, launches or devices behave. */
static const char *const variables[] = {
    "CUDA_LAUNCH_BLOCKING",     "CUDA_DEVICE_MAX_CONNECTIONS",      "CUDA_DEVICE_MAX_COPY_CONNECTIONS",
    "CUDA_MODULE_LOADING",      "CUDA_MODULE_DATA_LOADING",         "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",        "CUDA_SCALE_LAUNCH_QUEUES",         "CUDA_AUTO_BOOST",
    "CUDA_MPS_PIPE_DIRECTORY",  "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "CUDA_FORCE_PTX_JIT",
    "CUDA_GRAPHS_USE_NODE_PRIORITY", "PYTORCH_NO_CUDA_MEMORY_CACHING", "PYTORCH_CUDA_ALLOC_CONF",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Reads up to size - 1 bytes of a small file and returns how many. */
static size_t file_read(const char *path, char *buf, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(buf, 1, size - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    buf[length] = '\0';
    return length;
}

static void write_command(struct writer *writer)
{
    char command[8192];
    size_t length = file_read("/proc/self/cmdline", command, sizeof command);
    const char *slash = strrchr(command, '/'); /* of argv[0]: a zero ends it */
    writer_property(writer, "program", slash ? slash + 1 : command);
    while (length > 0 && command[length - 1] == '\0')
        length--;
    for (size_t i = 0; i < length; i++)
        if (command[i] == '\0')
            command[i] = ' ';
    writer_property(writer, "command", command);
}

/* The first word made of digits and dots: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.03  ..." */
static const char *version_word(char *text)
{
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t\n", &rest); word != NULL; word = strtok_r(NULL, " \t\n", &rest))
        if (word[strspn(word, "0123456789.")] == '\0' && strchr(word, '.') != NULL)
            return word;
    return "";
}

static void write_driver(struct writer *writer)
{
    char text[512];
    if (file_read("/sys/module/nvidia/version", text, sizeof text) == 0)
        file_read("/proc/driver/nvidia/version", text, sizeof text);
    writer_property(writer, "driver", version_word(text));
}

static void write_number(struct writer *writer, const char *key, unsigned long number)
{
    char text[32];
    snprintf(text, sizeof text, "%lu", number);
    writer_property(writer, key, text);
}

static void write_cuda(struct writer *writer)
{
    char text[32] = "";
    if (cupti.cuda_driver != 0)
        snprintf(text, sizeof text, "%u.%u", cupti.cuda_driver / 1000, cupti.cuda_driver % 1000 / 10);
    writer_property(writer, "cuda_driver", text);
    write_number(writer, "cupti", cupti.version);
    writer_property(writer, "cupti_library", cupti.path);
}

static void write_start(struct writer *writer)
{
    char text[64] = "";
    struct tm utc;
    time_t now = time(NULL);
    if (gmtime_r(&now, &utc) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    writer_property(writer, "started", text);
    if (gethostname(text, sizeof text) != 0)
        text[0] = '\0';
    text[sizeof text - 1] = '\0';
    writer_property(writer, "host", text);
}

static void write_environment(struct writer *writer)
{
    for (size_t i = 0; i < COUNT(variables); i++) {
        char key[64];
        const char *value = getenv(variables[i]);
        snprintf(key, sizeof key, "env.%s", variables[i]);
        if (value != NULL)
            writer_property(writer, key, value);
    }
}

/* The rank in a parallel job, from whichever launcher started us. */
static void write_rank(struct writer *writer)
{
    /* torchrun; Open MPI; MPICH, Intel MPI and Hydra; MVAPICH; Slurm's srun */
    static const char *const launchers[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < COUNT(launchers); i++) {
        const char *value = getenv(launchers[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        writer_property(writer, "rank", value);
        return;
    }
}

void provenance_write(struct writer *writer, const struct settings *settings)
{
    writer_property(writer, "cugantt", CUGANTT_VERSION);
    write_command(writer);
    write_number(writer, "pid", (unsigned long)getpid());
    write_start(writer);
    write_driver(writer);
    write_cuda(writer);
    if (settings->title != NULL)
        writer_property(writer, "title", settings->title);
    write_rank(writer);
    write_environment(writer);
}

static int64_t monotonic_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t provenance_clocks(struct writer *writer)
{
    int64_t now_ns = clock_now_ns();
    struct cgt_clock record = {now_ns, now_ns, monotonic_ns()};
    writer_add(writer, CGT_CLOCK, &record);
    return now_ns;
}
