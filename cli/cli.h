/* cli.h - the command table. Only this directory prints, parses options and exits. */
#ifndef CUGANTT_CLI_H
#define CUGANTT_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/error.h"
#include "timeline/model.h"

enum { EXIT_DONE = 0, EXIT_BAD_INPUT = 1, EXIT_BAD_USAGE = 2 };

/* A subcommand: gets argv from its own name on, returns the exit status. */
typedef int command_main(int argc, char **argv);

command_main command_demo, command_record, command_run, command_render, command_explain, command_info, command_check,
    command_export;

/* One line on stderr, "cugantt: ...". */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints `err` and returns EXIT_BAD_INPUT. */
int fail(const struct error *err);

/* Option parsing: a table that gives parser, --help text and man page. */
enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_COUNT, OPTION_TIME, OPTION_BYTES, OPTION_OPTIONAL_TIME };
#define OPTION_TIME_LEFT_OUT (-1) /* of an OPTION_OPTIONAL_TIME: --name without =VALUE */

struct option_row {
    const char *name;  /* "width": --width */
    char letter;       /* 'o': -o; 0: none */
    enum option_kind kind;
    void *target;      /* bool *, const char **, uint32_t *, int64_t * (ns), uint64_t * (bytes), int64_t * */
    const char *value; /* placeholder in the help text: "PX"; NULL for flags */
    const char *help;
};
struct usage {
    const char *synopsis; /* "render TRACE... -o FILE" */
    const char *about;    /* one or two sentences */
    const struct option_row *options; /* ends with a row without a name */
    bool stop_at_operand; /* the rest belongs to another program */
};

/* Parses options in argv and moves the operands to its front; *ret_operands is their number (argv[0] not counted).
 * Returns -1 to go on, otherwise the exit status (help shown, or wrong usage reported). */
int options_parse(int argc, char **argv, const struct usage *usage, int *ret_operands);

/* Directory of the installed or built pieces: the tracer library, workload programs, samples. NULL if not found. */
const char *find_piece(const char *name);

#endif
