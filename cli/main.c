#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const struct command_row {
    const char *name;
    command_main *run;
    const char *help;
} commands[] = {
    {"demo", command_demo, "the four basic cases: recorded here, or the shipped samples; drawn and explained"},
    {"record", command_record, "record what any CUDA program's streams do"},
    {"run", command_run, "record a built-in workload"},
    {"render", command_render, "draw a trace as PNG, SVG or PDF"},
    {"explain", command_explain, "say what each stream waited for, what it cost, and how to fix it"},
    {"info", command_info, "what is in a trace: devices, streams, counts, bandwidths, loss"},
    {"export", command_export, "write a trace for Perfetto, Chrome, SQL or a spreadsheet"},
    {"check", command_check, "is the trace file whole?"},
};

static void help(FILE *out)
{
    fputs("cugantt - record what a CUDA program's streams did, say why they waited, draw it\n\n"
          "usage: cugantt COMMAND [OPTIONS] ...\n\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-8s  %s\n", commands[i].name, commands[i].help);
    fputs("\n`cugantt COMMAND --help` says more. Exit status: 0 done, 1 bad input, 2 wrong usage.\n", out);
}

int main(int argc, char **argv)
{
    /* big tables go back to the system when they are freed, and move without being copied when they grow */
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    if (argc < 2) {
        help(stderr);
        return EXIT_BAD_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("cugantt " CUGANTT_VERSION);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    say("no command \"%s\": see cugantt --help", argv[1]);
    return EXIT_BAD_USAGE;
}
