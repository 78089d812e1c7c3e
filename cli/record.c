#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "launch.h"
#include "recording.h"
#include "tracer/pattern.h"

/* "PROGRAM-%p.cgt". */
static const char *default_output(const char *program)
{
    static char pattern[1024];
    char name[512];
    const char *slash = strrchr(program, '/');
    if (!pattern_quote(slash ? slash + 1 : program, name, sizeof name))
        return "cugantt-%p.cgt";
    snprintf(pattern, sizeof pattern, "%s-%%p.cgt", name);
    return pattern;
}

int command_record(int argc, char **argv)
{
    const char *output = NULL;
    struct recording recording = recording_default;
    int operands;
    const struct option_row options[] = {
        {"output", 'o', OPTION_TEXT, &output, "FILE",
         "the trace (default: PROGRAM-%p.cgt); %p is the process id, %h the host, %q{VAR} a variable"},
        RECORDING_OPTIONS(recording),
        {0},
    };
    const struct usage usage = {
        "record [-o FILE] [--] PROGRAM [ARGUMENTS]",
        "Runs PROGRAM and records what its CUDA streams do. Every process that uses CUDA gets a trace of its own.\n"
        "Input, output, signals and exit status of PROGRAM pass through unchanged.",
        options,
        .stop_at_operand = true,
    };
    int status = options_parse(argc, argv, &usage, &operands);
    if (status >= 0)
        return status;
    if (operands == 0) {
        say("record: which program? See cugantt record --help");
        return EXIT_BAD_USAGE;
    }
    if (!recording_check(&recording, "record"))
        return EXIT_BAD_USAGE;
    argv[operands + 1] = NULL; /* options_parse() has moved the operands to the front */
    struct launch it = {
        .output = output ? output : default_output(argv[1]),
        .recording = &recording,
        .argv = argv + 1,
    };
    return launch(&it);
}
