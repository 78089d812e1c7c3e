/* Everything that the writer takes comes back from the reader, kind by kind from the table in format.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "timeline/crc32.h"
#include "timeline/kinds.h"
#include "timeline/reader.h"
#include "timeline/writer.h"
#include "unit.h"

static char path[64];

static struct writer *writer_open(void)
{
    struct error err;
    snprintf(path, sizeof path, "/tmp/cugantt-unit-XXXXXX");
    struct writer *writer = writer_create(mkstemp(path), path, &err);
    assert_non_null(writer);
    return writer;
}

static struct reader *reader_reopen(struct writer *writer)
{
    struct error err;
    assert_true(writer_flush(writer, &err));
    writer_destroy(writer);
    struct reader *reader = reader_open(path, &err);
    assert_non_null(reader);
    unlink(path);
    return reader;
}

static void crc32_known_values(void **state)
{
    (void)state;
    assert_int_equal(crc32_update(0, "123456789", 9), 0xCBF43926u);
    assert_int_equal(crc32_update(0, "", 0), 0);
    uint32_t split = crc32_update(crc32_update(0, "1234567890a", 3), "4567890a", 8);
    assert_int_equal(split, crc32_update(0, "1234567890a", 11));
}

/* Times sort, the rest is a pattern that no two records share. */
static void pattern_fill(uint8_t *record, const struct kind_row *row, uint32_t seed)
{
    for (uint32_t i = 0; i < row->record_bytes; i++)
        record[i] = (uint8_t)(seed * 31 + i * 7 + 1);
    int64_t times[2] = {1000 + seed * 10, 1005 + seed * 10};
    memcpy(record, times, row->times * sizeof *times);
}

static void every_kind_round_trips(void **state)
{
    (void)state;
    enum { COUNT = 3000 }; /* several blocks of each kind */
    struct writer *writer = writer_open();
    for (uint32_t seed = 0; seed < COUNT; seed++)
        for (uint32_t kind = 0; kind < KIND_MAX; kind++) {
            const struct kind_row *row = kind_find(kind);
            uint8_t record[256];
            if (row == NULL || kind == CGT_STRING)
                continue;
            pattern_fill(record, row, seed);
            assert_true(writer_add(writer, (enum cgt_kind)kind, record));
        }
    struct reader *reader = reader_reopen(writer);
    uint32_t seen[KIND_MAX] = {0};
    for (uint32_t i = 0; i < reader_block_count(reader); i++) {
        const struct block *block = reader_block(reader, i);
        const struct kind_row *row = kind_find(block->kind);
        for (uint32_t k = 0; k < block->count; k++) {
            uint8_t expected[256];
            pattern_fill(expected, row, seen[block->kind]++);
            assert_memory_equal(block->records + (size_t)k * block->record_bytes, expected, row->record_bytes);
        }
        if (row->times > 0)
            assert_in_range(block->t_min, 1000, block->t_max);
    }
    for (uint32_t kind = 0; kind < KIND_MAX; kind++)
        assert_int_equal(seen[kind], kind_find(kind) != NULL && kind != CGT_STRING ? COUNT : 0);
    assert_int_equal(reader_warning_count(reader), 0);
    reader_close(reader);
}

static void strings_are_interned(void **state)
{
    (void)state;
    struct writer *writer = writer_open();
    char text[32];
    uint32_t first = writer_string(writer, "spin");
    assert_int_equal(writer_string(writer, NULL), 0);
    assert_int_equal(writer_string(writer, ""), 0);
    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "name %d", i);
        writer_string(writer, text);
    }
    assert_int_equal(writer_string(writer, "spin"), first);
    uint32_t last = writer_string(writer, "name 4999");
    struct reader *reader = reader_reopen(writer);
    assert_string_equal(reader_string(reader, first), "spin");
    assert_string_equal(reader_string(reader, last), "name 4999");
    assert_string_equal(reader_string(reader, 0), "");
    assert_string_equal(reader_string(reader, 1u << 30), "?");
    reader_close(reader);
}

static void record_add(struct writer *writer, int64_t begin_ns, bool expected)
{
    struct cgt_call call = {.begin_ns = begin_ns, .end_ns = begin_ns + 1, .name = writer_string(writer, "cudaFree")};
    assert_int_equal(writer_add(writer, CGT_CALL, &call) && writer_flush(writer, NULL), expected);
}

static void full_disk_is_counted_and_survived(void **state)
{
    (void)state;
    struct rlimit old, small = {100 * 1024, RLIM_INFINITY};
    struct error err;
    struct writer *writer = writer_open();
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    record_add(writer, 1, true);
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 5000; i++) {
        struct cgt_call call = {.begin_ns = 10 + i, .end_ns = 11 + i};
        writer_add(writer, CGT_CALL, &call);
    }
    assert_false(writer_flush(writer, &err));
    assert_non_null(strstr(err.what, "cannot write"));
    uint64_t lost = writer_counts(writer).lost;
    assert_in_range(lost, 1, 5000);
    setrlimit(RLIMIT_FSIZE, &old);
    writer_finish(writer, 99999, NULL);
    writer_destroy(writer);

    struct reader *reader = reader_open(path, &err);
    assert_non_null(reader);
    uint64_t told = 0, calls = 0;
    for (uint32_t i = 0; i < reader_block_count(reader); i++) {
        const struct block *b = reader_block(reader, i);
        calls += b->kind == CGT_CALL ? b->count : 0;
        for (uint32_t k = 0; b->kind == CGT_LOSS && k < b->count; k++)
            told += ((const struct cgt_loss *)(const void *)b->records)[k].count;
    }
    assert_int_equal(told, lost);
    assert_int_equal(calls + lost, 5001);
    assert_int_equal(reader_truncated_bytes(reader), 0);
    reader_close(reader);
    unlink(path);
}

/* A file of an older minor version, whose records lack the last fields. */
static void shorter_records_are_widened(void **state)
{
    (void)state;
    enum { SHORT = 32 };
    struct cgt_file_header file = {.magic = CGT_MAGIC, .major = 1, .header_bytes = sizeof file};
    struct cgt_call calls[2] = {{.begin_ns = 5, .end_ns = 6, .thread = 77, .result = 1},
                                {.begin_ns = 7, .end_ns = 8, .thread = 78, .result = 1}};
    uint8_t payload[2 * SHORT];
    memcpy(payload, &calls[0], SHORT);
    memcpy(payload + SHORT, &calls[1], SHORT);
    struct cgt_block_header header = {CGT_BLOCK_MAGIC, CGT_CALL, 1, 2, SHORT, sizeof payload, 5, 8, 0, 0};
    header.payload_crc = crc32_update(0, payload, sizeof payload);
    header.header_crc = crc32_update(0, &header, offsetof(struct cgt_block_header, header_crc));
    snprintf(path, sizeof path, "/tmp/cugantt-unit-XXXXXX");
    int fd = mkstemp(path);
    assert_int_equal(write(fd, &file, sizeof file), sizeof file);
    assert_int_equal(write(fd, &header, sizeof header), sizeof header);
    assert_int_equal(write(fd, payload, sizeof payload), sizeof payload);
    close(fd);
    struct error err;
    struct reader *reader = reader_open(path, &err);
    assert_non_null(reader);
    assert_int_equal(reader_block_count(reader), 1);
    const struct cgt_call *read = (const void *)reader_block(reader, 0)->records;
    assert_int_equal(reader_block(reader, 0)->record_bytes, sizeof *read);
    assert_int_equal(read[1].thread, 78);
    assert_int_equal(read[1].result, 0);
    assert_true((const uint8_t *)read >= reader_base(reader));
    reader_close(reader);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32_known_values),
        cmocka_unit_test(every_kind_round_trips),
        cmocka_unit_test(strings_are_interned),
        cmocka_unit_test(full_disk_is_counted_and_survived),
        cmocka_unit_test(shorter_records_are_widened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
