#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* The basic cases, in the order in which a reader should meet them. */
static const char *const cases[] = {
    "pageable", "pinned", "default-stream", "explicit-stream", "pipeline-pageable", "pipeline-pinned",
};

enum { PATH_SIZE = 1024 };

/* Runs a subcommand in a child process, with its standard output in `output` (NULL: ours). Returns its exit status. */
static int command_spawn(command_main *command, char **argv, const char *output)
{
    int argc = 0, status;
    while (argv[argc] != NULL)
        argc++;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (output != NULL && freopen(output, "w", stdout) == NULL)
            exit(EXIT_BAD_INPUT);
        int result = command(argc, argv);
        exit(fflush(stdout) == 0 ? result : EXIT_BAD_INPUT);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        say("demo: cannot start a process: %s", strerror(errno));
        return EXIT_BAD_INPUT;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BAD_INPUT;
}

/* A driver that answers: the device file of the first GPU, or of WSL. */
static bool gpu_present(void)
{
    return (access("/dev/nvidiactl", R_OK | W_OK) == 0 || access("/dev/dxg", R_OK | W_OK) == 0) &&
           find_piece("libcugantt-tracer.so") != NULL && find_piece("cugantt-workloads") != NULL;
}

/* Finds the trace of a case: recorded here and now, or the shipped sample. */
static bool trace_get(const char *name, const char *dir, bool record, char *ret_trace)
{
    if (record) {
        snprintf(ret_trace, PATH_SIZE, "%s/%s.cgt", dir, name);
        char *argv[] = {"run", (char *)name, "-o", ret_trace, NULL};
        return command_spawn(command_run, argv, NULL) == EXIT_DONE;
    }
    char sample[PATH_SIZE / 2];
    snprintf(sample, sizeof sample, "samples/%s.cgt", name);
    const char *found = find_piece(sample);
    if (found == NULL) {
        say("demo: %s is not installed, and there is no GPU to record it on", sample);
        return false;
    }
    snprintf(ret_trace, PATH_SIZE, "%s", found);
    return true;
}

static bool case_show(const char *name, const char *dir, bool record)
{
    char trace[PATH_SIZE], chart[PATH_SIZE], text[PATH_SIZE];
    if (!trace_get(name, dir, record, trace))
        return false;
    snprintf(chart, sizeof chart, "%s/%s.png", dir, name);
    snprintf(text, sizeof text, "%s/%s.txt", dir, name);
    char *explain[] = {"explain", trace, NULL}, *render[] = {"render", trace, "-o", chart, NULL};
    bool done = command_spawn(command_explain, explain, text) == EXIT_DONE;
    printf("\n== %s\n", name);
    command_spawn(command_explain, explain, NULL);
#ifdef HAVE_RENDER
    done = command_spawn(command_render, render, NULL) == EXIT_DONE && done;
#else
    (void)render;
#endif
    return done;
}

int command_demo(int argc, char **argv)
{
    const struct option_row options[] = {{0}};
    const struct usage usage = {
        .synopsis = "demo [DIR]",
        .about = "Records the basic cases where there is a GPU, takes the shipped samples (recorded on an NVIDIA H200) where\n"
                 "there is none, and writes a chart and an explanation of each into DIR (demo).",
        .options = options,
    };
    int operands, status = options_parse(argc, argv, &usage, &operands);
    if (status >= 0)
        return status;
    if (operands > 1) {
        say("demo: expected one DIR, got %d", operands);
        return EXIT_BAD_USAGE;
    }
    const char *dir = operands == 1 ? argv[1] : "demo";
    if (strlen(dir) > PATH_SIZE / 2) {
        say("demo: the name of DIR is too long");
        return EXIT_BAD_USAGE;
    }
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
        say("demo: cannot make %s: %s", dir, strerror(errno));
        return EXIT_BAD_INPUT;
    }
    char where[PATH_MAX];
    if (realpath(dir, where) == NULL)
        snprintf(where, sizeof where, "%s", dir);
    bool record = gpu_present(), done = true;
    puts(record ? "Recording the basic cases on this machine's GPU." : "No GPU here: showing the shipped samples.");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        done = case_show(cases[i], dir, record) && done;
#ifdef HAVE_RENDER
    printf("\nCharts (PNG) and explanations (TXT) of the cases are in %s\n", where);
#else
    printf("\nExplanations (TXT) of the cases are in %s (built without cairo: no charts)\n", where);
#endif
    return done ? EXIT_DONE : EXIT_BAD_INPUT;
}
