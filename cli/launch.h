/* launch.h - starts a program with the tracer in it, and says at its end what came of it. */
#ifndef CUGANTT_LAUNCH_H
#define CUGANTT_LAUNCH_H

#include <stdbool.h>

struct recording;

struct launch {
    const char *output; /* name of the trace, with placeholders (tracer/pattern.h) */
    const struct recording *recording; /* what to record (recording.h) */
    const char *file;   /* what to execute; NULL: argv[0], found as a shell does */
    char **argv;        /* the program and its arguments; ends with NULL */
    bool speaks;        /* the program says itself why it used no GPU */
};

/* Runs the program to its end. Its input, output and signals pass through. Returns its exit status: 127 if there is no
 * such program, 126 if it cannot be run, EXIT_BAD_USAGE for a wrong output name. Does not return if a signal killed
 * the program: then it dies of the same signal, so that the shell sees no difference. */
int launch(const struct launch *launch);

#endif
