/* Any bytes as a trace, of ours, Kineto's or nsys's: load, summarise, diagnose, export. Built with -fsanitize=fuzzer by scripts/fuzz.sh; as a normal test the
 * corpus is replayed by main() below. Checksums are put right first: a fuzzer would never get past them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnose/diagnose.h"
#include "timeline/crc32.h"
#include "timeline/export/export.h"
#include "timeline/model.h"
#include "timeline/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void checksums_mend(uint8_t *bytes, size_t size)
{
    size_t at = sizeof(struct cgt_file_header);
    if (size < at || memcmp(bytes, CGT_MAGIC, strlen(CGT_MAGIC)) != 0)
        return;
    while (at + sizeof(struct cgt_block_header) <= size) {
        struct cgt_block_header h;
        memcpy(&h, bytes + at, sizeof h);
        if (h.payload_bytes > size - at - sizeof h)
            return;
        h.payload_crc = crc32_update(0, bytes + at + sizeof h, h.payload_bytes);
        h.header_crc = crc32_update(0, &h, offsetof(struct cgt_block_header, header_crc));
        memcpy(bytes + at, &h, sizeof h);
        at += sizeof h + h.payload_bytes;
    }
}

static void model_use(const struct model *m)
{
    struct arena arena;
    struct diagnosis d;
    uint32_t count;
    char name[256], label[64];
    arena_init(&arena);
    summary_build(m, &arena, &count);
    diagnose(m, &arena, &d);
    for (uint32_t i = 0; i < m->span_count; i++) {
        model_span_name(m, &m->spans[i], name, sizeof name);
        model_span_label(m, &m->spans[i], label, sizeof label);
    }
    for (uint32_t i = 0; i < m->lane_count; i++)
        model_lane_name(m, i, name, sizeof name);
    int64_t sum = 0;
    for (uint32_t lane = 0; lane < d.lane_count; lane++)
        for (uint32_t i = 0; i < d.pieces[lane].count; i++)
            sum += (int64_t)d.pieces[lane].items[i].length_ns;
    if (sum != d.gap_ns)
        abort();
    arena_finish(&arena);
}

#ifdef HAVE_IMPORT
static void model_export(const struct model *m, const char *path)
{
    static export_write *const writers[] = {export_chrome, export_perfetto, export_spans, export_nsys};
    struct error err;
    char target[80];
    snprintf(target, sizeof target, "%s.out", path);
    const struct export_job job = {.model = m, .path = target, .software = "fuzz"};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (!writers[i](&job, &err) && writers[i] != export_nsys) /* SQLite refuses times that JSON does not */
            abort();
    unlink(target);
}
#else
static void model_export(const struct model *m, const char *path)
{
    (void)m;
    (void)path;
}
#endif

/* A file with a name: SQLite opens no other. */
static int file_make(char *ret_path, size_t size)
{
    snprintf(ret_path, size, "%s/cugantt-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    return mkostemp(ret_path, O_CLOEXEC);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct error err;
    int fd = file_make(path, sizeof path);
    uint8_t *bytes = malloc(size + 1);
    if (fd < 0 || bytes == NULL)
        abort();
    memcpy(bytes, data, size);
    checksums_mend(bytes, size);
    if (write(fd, bytes, size) != (ssize_t)size)
        abort();
    free(bytes);
    close(fd);
    struct model *m = model_load(path, &err);
    if (m != NULL) {
        model_use(m);
        model_export(m, path);
    }
    model_destroy(m);
    unlink(path);
    return 0;
}

#ifndef FUZZING
int main(int argc, char **argv)
{
    static uint8_t data[1 << 20];
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL) {
            fprintf(stderr, "cannot read %s\n", argv[i]);
            return 1;
        }
        LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, f));
        fclose(f);
    }
    printf("%d inputs\n", argc - 1);
    return argc < 2;
}
#endif
