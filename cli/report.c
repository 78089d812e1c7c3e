#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "timeline/kinds.h"
#include "timeline/reader.h"
#include "tracer/note.h"

struct notes {
    struct note *list;
    size_t count, capacity;
};

static bool notes_add(struct notes *notes, const struct note *note)
{
    if (notes->count == notes->capacity) {
        size_t capacity = notes->capacity * 2 + 8;
        struct note *grown = realloc(notes->list, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        notes->list = grown;
        notes->capacity = capacity;
    }
    notes->list[notes->count++] = *note;
    return true;
}

/* What became of a claimed path: the "open" note is replaced by the "done" or "failed" of the same process and path, and
 * by its next "open" if it could not have the first. */
static struct note *notes_find_open(struct notes *notes, const struct note *later)
{
    bool again = strcmp(later->status, "open") == 0;
    for (size_t i = 0; i < notes->count; i++) {
        struct note *note = &notes->list[i];
        if (strcmp(note->status, "open") == 0 && note->process == later->process &&
            (again || strcmp(note->path, later->path) == 0))
            return note;
    }
    return NULL;
}

static void notes_read(struct notes *notes, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    struct note *note = malloc(sizeof *note);
    while (note != NULL && getline(&line, &capacity, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!note_parse(line, note))
            continue;
        struct note *open = notes_find_open(notes, note);
        if (open != NULL)
            *open = *note;
        else if (!notes_add(notes, note))
            break;
    }
    free(note);
    free(line);
}

/* The path as the user would type it here. */
static const char *path_short(const char *path)
{
    char directory[4096];
    if (getcwd(directory, sizeof directory) == NULL)
        return path;
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static bool kind_is_call(uint32_t kind)
{
    return kind == CGT_CALL;
}

static uint64_t records_of(const struct reader *reader, bool (*is_counted)(uint32_t kind))
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < reader_block_count(reader); i++) {
        const struct block *block = reader_block(reader, i);
        if (is_counted(block->kind))
            count += block->count;
    }
    return count;
}

static void say_done(const struct note *note)
{
    say("%s: %" PRIu64 " operations, %" PRIu64 " calls, %" PRIu64 " lost%s%s", path_short(note->path), note->operations,
        note->calls, note->lost, note->reason[0] != '\0' ? "; " : "", note->reason);
}

static void say_none(const struct note *note)
{
    say("process %ld asked about GPUs but never used one: nothing recorded", note->process);
}

static void say_failed(const struct note *note)
{
    say("process %ld was not recorded: %s", note->process, note->reason);
}

/* The process ended before its tracer could finish: the file says what there is. */
static void say_open(const struct note *note)
{
    struct error err;
    struct reader *reader = reader_open(note->path, &err);
    if (reader == NULL) {
        fail(&err);
        return;
    }
    say("%s: %" PRIu64 " operations, %" PRIu64 " calls; process %ld ended early: what came last may be missing",
        path_short(note->path), records_of(reader, kind_is_operation), records_of(reader, kind_is_call),
        note->process);
    reader_close(reader);
}

static const struct outcome {
    const char *status;
    void (*say)(const struct note *note);
} outcomes[] = {
    {"done", say_done},
    {"none", say_none},
    {"failed", say_failed},
    {"open", say_open},
};

static void say_outcome(const struct note *note, bool say_unused)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (strcmp(note->status, outcomes[i].status) == 0 && (say_unused || outcomes[i].say != say_none))
            outcomes[i].say(note);
}

/* Profilers load a tracer of their own into the program that they run. */
static bool is_profiler(const char *program)
{
    static const char *const profilers[] = {"nsys", "ncu", "nvprof", "cuda-gdb", "compute-sanitizer", "cuda-memcheck"};
    const char *slash = strrchr(program, '/');
    for (size_t i = 0; i < sizeof profilers / sizeof *profilers; i++)
        if (strcmp(slash ? slash + 1 : program, profilers[i]) == 0)
            return true;
    return false;
}

static bool is_recorded(const struct notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        if (strcmp(notes->list[i].status, "none") != 0)
            return true;
    return false;
}

static void say_all(const struct notes *notes, const char *program)
{
    if (program != NULL && !is_recorded(notes) && is_profiler(program))
        say("nothing recorded: %s loads a tracer of its own into the program, in the place of cugantt's", program);
    else if (program != NULL && notes->count == 0)
        say("%s never used CUDA: nothing recorded", program);
    else
        for (size_t i = 0; i < notes->count; i++)
            say_outcome(&notes->list[i], program != NULL);
}

void report_notes(const char *path, const char *program)
{
    struct notes notes = {0};
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        notes_read(&notes, file);
        fclose(file);
    }
    say_all(&notes, program);
    free(notes.list);
}
