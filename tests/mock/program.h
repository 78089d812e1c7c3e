/* program.h - runs a program in a directory of its own and catches what comes out of it; reads the trace it left. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "timeline/reader.h"

struct outcome {
    int status; /* as waitpid() gives it */
    char out[4096], err[4096];
};

/* A new empty directory, made the current one. Ends the test if that fails. */
void program_directory(void);

/* Starts `argv` with the variables `env` ("NAME=VALUE", ends with NULL; may be NULL) set, its output going to files in
 * the current directory. */
pid_t program_start(char *const argv[], const char *const env[]);

/* Waits for it, 20 s at most: then it is killed. */
struct outcome program_wait(pid_t pid);

struct outcome program_run(char *const argv[], const char *const env[]);

/* Names of the files here that end in .cgt, sorted; returns their number. At most `limit` are given. */
int program_traces(char names[][256], int limit);

/* Opens a trace that must be whole and undamaged. */
struct reader *trace_open(const char *path);

/* Number of records of the kind, and the record at `index` among them (NULL if there is none). */
unsigned trace_count(const struct reader *reader, enum cgt_kind kind);
const void *trace_record(const struct reader *reader, enum cgt_kind kind, unsigned index);

/* Sum of the losses of the kind. */
unsigned long trace_loss(const struct reader *reader, enum cgt_loss_kind kind);

/* Value of the last property of the key; NULL if there is none. */
const char *trace_property(const struct reader *reader, const char *key);

#endif
