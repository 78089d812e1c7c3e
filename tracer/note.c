#include "note.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Fields are separated by tabs, notes by line ends: neither may be inside a field. */
static void field_clean(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            *text = '?';
}

static void note_write(int fd, const struct note *note)
{
    struct note clean = *note;
    char line[sizeof *note + 128];
    field_clean(clean.path);
    field_clean(clean.reason);
    int length = snprintf(line, sizeof line, "%s\t%ld\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\n", clean.status,
                          clean.process, clean.operations, clean.calls, clean.lost, clean.path, clean.reason);
    /* One write, so that lines of several processes do not mix. If it fails there is nobody to tell. */
    if (length > 0 && write(fd, line, (size_t)length) < 0)
        return;
}

static int note_open(const char *name)
{
    return name == NULL ? -1 : open(name, O_RDWR | O_APPEND | O_CLOEXEC);
}

void note_append(const char *name, const struct note *note)
{
    int fd = note_open(name);
    if (fd < 0)
        return;
    note_write(fd, note);
    close(fd);
}

static bool claimed(int fd, const char *path)
{
    FILE *file = fdopen(dup(fd), "r");
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    struct note *other = malloc(sizeof *other);
    while (file != NULL && other != NULL && !found && getline(&line, &capacity, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        found = note_parse(line, other) && strcmp(other->status, "open") == 0 && strcmp(other->path, path) == 0;
    }
    free(other);
    free(line);
    if (file != NULL)
        fclose(file);
    return found;
}

bool note_claim(const char *name, const struct note *claim)
{
    int fd = note_open(name);
    if (fd < 0)
        return true;
    struct note clean = *claim;
    field_clean(clean.path);
    flock(fd, LOCK_EX); /* released with the descriptor */
    bool granted = !claimed(fd, clean.path);
    if (granted)
        note_write(fd, claim);
    close(fd);
    return granted;
}

/* Cuts the next field off *rest, which becomes NULL behind the last one. */
static const char *field_next(char **rest)
{
    const char *field = strsep(rest, "\t");
    return field ? field : "";
}

bool note_parse(const char *line, struct note *ret_note)
{
    char *copy = strdup(line), *rest = copy;
    if (copy == NULL)
        return false;
    snprintf(ret_note->status, sizeof ret_note->status, "%s", field_next(&rest));
    ret_note->process = strtol(field_next(&rest), NULL, 10);
    ret_note->operations = strtoull(field_next(&rest), NULL, 10);
    ret_note->calls = strtoull(field_next(&rest), NULL, 10);
    ret_note->lost = strtoull(field_next(&rest), NULL, 10);
    bool whole = rest != NULL;
    snprintf(ret_note->path, sizeof ret_note->path, "%s", field_next(&rest));
    snprintf(ret_note->reason, sizeof ret_note->reason, "%s", field_next(&rest));
    free(copy);
    return whole;
}
