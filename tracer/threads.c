#include "threads.h"

#include <stdio.h>
#include <string.h>

/* More threads than this stay without a name. */
enum { THREADS_LIMIT = 1024 };

static uint32_t threads[THREADS_LIMIT];
static uint32_t thread_count;

static void thread_write(struct writer *writer, uint32_t thread)
{
    char path[64], name[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%u/comm", (unsigned)thread);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fgets(name, sizeof name, file) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        struct cgt_thread record = {thread, writer_string(writer, name)};
        writer_add(writer, CGT_THREAD, &record);
    }
    fclose(file);
}

void threads_see(struct writer *writer, uint32_t thread)
{
    uint32_t i = 0;
    while (i < thread_count && threads[i] != thread)
        i++;
    if (i < thread_count) { /* to the front: calls come in runs of one thread */
        threads[i] = threads[0];
        threads[0] = thread;
        return;
    }
    if (thread_count == THREADS_LIMIT)
        return;
    threads[thread_count++] = thread;
    thread_write(writer, thread);
}

void threads_write(struct writer *writer)
{
    for (uint32_t i = 0; i < thread_count; i++)
        thread_write(writer, threads[i]);
}
