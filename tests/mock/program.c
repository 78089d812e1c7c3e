#include "program.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[64];

static void directory_remove(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (chdir("/") != 0 || system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", directory);
    directory[0] = '\0';
}

void program_directory(void)
{
    if (directory[0] == '\0')
        atexit(directory_remove);
    else
        directory_remove();
    strcpy(directory, "/tmp/cugantt-test-XXXXXX");
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
}

static void redirect(int to, const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(120);
    close(fd);
}

pid_t program_start(char *const argv[], const char *const env[])
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    for (; env != NULL && *env != NULL; env++)
        putenv(strdup(*env));
    redirect(STDOUT_FILENO, "stdout.txt");
    redirect(STDERR_FILENO, "stderr.txt");
    execvp(argv[0], argv);
    _exit(121);
}

static void file_text(const char *path, char *ret_text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(ret_text, 1, size - 1, file) : 0;
    ret_text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

struct outcome program_wait(pid_t pid)
{
    struct outcome outcome = {0};
    const struct timespec tick = {0, 10 * 1000000};
    int ticks = 0;
    while (waitpid(pid, &outcome.status, WNOHANG) == 0) {
        nanosleep(&tick, NULL);
        if (++ticks == 2000)
            kill(pid, SIGKILL);
    }
    assert_true(ticks < 2000);
    file_text("stdout.txt", outcome.out, sizeof outcome.out);
    file_text("stderr.txt", outcome.err, sizeof outcome.err);
    return outcome;
}

struct outcome program_run(char *const argv[], const char *const env[])
{
    return program_wait(program_start(argv, env));
}

int program_traces(char names[][256], int limit)
{
    glob_t found;
    int count = 0;
    if (glob("*.cgt", 0, NULL, &found) != 0)
        return 0;
    for (; (size_t)count < found.gl_pathc && count < limit; count++)
        snprintf(names[count], 256, "%s", found.gl_pathv[count]);
    globfree(&found);
    return count;
}

struct reader *trace_open(const char *path)
{
    struct error err = {0};
    struct reader *reader = reader_open(path, &err);
    if (reader == NULL)
        fail_msg("%s", err.what);
    assert_int_equal(reader_skipped_blocks(reader), 0);
    assert_int_equal(reader_truncated_bytes(reader), 0);
    return reader;
}

unsigned trace_count(const struct reader *reader, enum cgt_kind kind)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < reader_block_count(reader); i++)
        if (reader_block(reader, i)->kind == kind)
            count += reader_block(reader, i)->count;
    return count;
}

const void *trace_record(const struct reader *reader, enum cgt_kind kind, unsigned index)
{
    for (uint32_t i = 0; i < reader_block_count(reader); i++) {
        const struct block *block = reader_block(reader, i);
        if (block->kind != kind)
            continue;
        if (index < block->count)
            return block->records + (size_t)index * block->record_bytes;
        index -= block->count;
    }
    return NULL;
}

unsigned long trace_loss(const struct reader *reader, enum cgt_loss_kind kind)
{
    unsigned long sum = 0;
    const struct cgt_loss *loss;
    for (unsigned i = 0; (loss = trace_record(reader, CGT_LOSS, i)) != NULL; i++)
        if (loss->kind == kind)
            sum += loss->count;
    return sum;
}

const char *trace_property(const struct reader *reader, const char *key)
{
    const char *value = NULL;
    const struct cgt_property *property;
    for (unsigned i = 0; (property = trace_record(reader, CGT_PROPERTY, i)) != NULL; i++)
        if (strcmp(reader_string(reader, property->key), key) == 0)
            value = reader_string(reader, property->value);
    return value;
}
