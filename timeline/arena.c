#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, CHUNK_BYTES = 256 * 1024 };

struct arena_chunk {
    struct arena_chunk *older;
    char pad[ALIGN - sizeof(void *)];
    char data[];
};

struct adopted {
    struct adopted *older;
    void *memory;
};

void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}

void arena_finish(struct arena *arena)
{
    for (struct adopted *a = arena->adopted; a != NULL; a = a->older)
        free(a->memory); /* before the chunks, in which the list lies */
    while (arena->chunks != NULL) {
        struct arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->older;
        free(chunk);
    }
    arena_init(arena);
}

static char *chunk_add(struct arena *arena, size_t bytes)
{
    /* calloc, so that big tables are untouched zero pages until they are used */
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + bytes);
    if (chunk == NULL)
        abort();
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    return chunk->data;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size)
        abort();
    size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes > CHUNK_BYTES / 4) {
        /* a chunk of its own: the space left in the current one stays in use */
        return chunk_add(arena, bytes);
    }
    if (arena->next == NULL || (size_t)(arena->end - arena->next) < bytes) {
        arena->next = chunk_add(arena, CHUNK_BYTES);
        arena->end = arena->next + CHUNK_BYTES;
    }
    char *out = arena->next;
    arena->next += bytes;
    return out;
}

void arena_adopt(struct arena *arena, void *memory)
{
    struct adopted *a = ARENA_NEW(arena, struct adopted, 1);
    *a = (struct adopted){arena->adopted, memory};
    arena->adopted = a;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(arena_alloc(arena, size, 1), text, size);
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *out = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
    if (length >= 0)
        vsnprintf(out, (size_t)length + 1, fmt, again);
    va_end(again);
    return out;
}
