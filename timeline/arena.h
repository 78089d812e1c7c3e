/* arena.h - memory of one run: allocate freely, release everything at once. */
#ifndef CUGANTT_ARENA_H
#define CUGANTT_ARENA_H

#include <stddef.h>

struct adopted;
struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *next;                 /* free space of the newest chunk */
    char *end;
    struct adopted *adopted;    /* see arena_adopt() */
};

void arena_init(struct arena *arena);
void arena_finish(struct arena *arena); /* also fine on a zeroed arena */

/* Zeroed, 16-byte aligned room for `count` items of `size` bytes. Never NULL: a program that
 * cannot get memory ends here, since no caller could do better. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* Takes memory from malloc: it is freed with the arena. For tables that grew by realloc until their size was known. */
void arena_adopt(struct arena *arena, void *memory);

/* Copy of a string; formatted string. Both live as long as the arena. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type, count) ((type *)arena_alloc((arena), (count), sizeof(type)))

#endif
