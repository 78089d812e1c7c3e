#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "launch.h"
#include "recording.h"
#include "workloads/table.h"

static const struct workload_row {
    const char *name, *title;
    const char *fixed; /* title with --fixed; NULL: has none */
    const char *about;
} workloads[] = {
#define X(name, function, mib, rounds, title, fixed, about) {name, title, fixed, about},
    WORKLOADS(X)
#undef X
};

static const char missing[] = "the workloads were not built (a build with a CUDA toolkit that has nvcc has them)";

static int list(void)
{
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        printf("%-26s %s%s\n", workloads[i].name, workloads[i].about, workloads[i].fixed != NULL ? " (has --fixed)" : "");
    if (find_piece("cugantt-workloads") == NULL)
        say("they cannot run here: %s", missing);
    return EXIT_DONE;
}

static const struct workload_row *workload_find(const char *name)
{
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        if (strcmp(workloads[i].name, name) == 0)
            return &workloads[i];
    return NULL;
}

struct run_options {
    const char *output;
    uint32_t mib, rounds; /* 0: the workload's own */
    bool fixed;
    struct recording recording;
};

static int run(const struct workload_row *workload, struct run_options *options)
{
    char output[64], mib[16], rounds[16];
    const char *found = find_piece("cugantt-workloads");
    if (found == NULL) {
        say("run: %s", missing);
        return EXIT_BAD_INPUT;
    }
    char *program = strdup(found);
    char *argv[8] = {"cugantt-workloads", (char *)workload->name}; /* the trace shows this, not where we are installed */
    char **next = argv + 2;
    snprintf(mib, sizeof mib, "%u", (unsigned)options->mib);
    snprintf(rounds, sizeof rounds, "%u", (unsigned)options->rounds);
    if (options->fixed)
        *next++ = "--fixed";
    if (options->mib > 0)
        *next++ = "--mib", *next++ = mib;
    if (options->rounds > 0)
        *next++ = "--rounds", *next++ = rounds;
    snprintf(output, sizeof output, "%s%s.cgt", workload->name, options->fixed ? "-fixed" : "");
    if (options->recording.title == NULL)
        options->recording.title = options->fixed ? workload->fixed : workload->title;
    struct launch it = {
        .output = options->output ? options->output : output,
        .recording = &options->recording,
        .file = program,
        .argv = argv,
        .speaks = true,
    };
    int status = launch(&it);
    free(program);
    return status;
}

int command_run(int argc, char **argv)
{
    struct run_options it = {.recording = recording_default};
    bool listing = false;
    int operands;
    const struct option_row options[] = {
        {"list", 0, OPTION_FLAG, &listing, NULL, "name the workloads"},
        {"output", 'o', OPTION_TEXT, &it.output, "FILE", "the trace (default: WORKLOAD.cgt, WORKLOAD-fixed.cgt)"},
        {"fixed", 0, OPTION_FLAG, &it.fixed, NULL, "the same without what it shows"},
        {"mib", 0, OPTION_COUNT, &it.mib, "N", "size of each copy, MiB"},
        {"rounds", 0, OPTION_COUNT, &it.rounds, "N", "how often the work is repeated; of a pipeline, the chunks"},
        RECORDING_OPTIONS(it.recording),
        {0},
    };
    const struct usage usage = {
        "run WORKLOAD [--fixed] [--mib N] [--rounds N] [-o FILE]",
        "Records a built-in CUDA program that shows one behaviour of streams. `cugantt run --list` names them.",
        options,
        .stop_at_operand = false,
    };
    int status = options_parse(argc, argv, &usage, &operands);
    if (status >= 0)
        return status;
    if (listing)
        return list();
    if (operands != 1) {
        say("run: which workload? See cugantt run --list");
        return EXIT_BAD_USAGE;
    }
    const struct workload_row *workload = workload_find(argv[1]);
    if (workload == NULL) {
        say("run: no workload \"%s\": see cugantt run --list", argv[1]);
        return EXIT_BAD_USAGE;
    }
    if (it.fixed && workload->fixed == NULL) {
        say("run: %s has no --fixed: no setting or call would avoid what it shows", workload->name);
        return EXIT_BAD_USAGE;
    }
    if (!recording_check(&it.recording, "run"))
        return EXIT_BAD_USAGE;
    return run(workload, &it);
}
