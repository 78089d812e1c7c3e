/* Damaged traces: what is whole is read, what is not is named, nothing crashes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnose/diagnose.h"
#include "recipe.h"
#include "timeline/model.h"
#include "unit.h"

static const char recipe[] = "property title corrupt\n"
                             "device 0 pcie=5x16\n"
                             "context 1 null=7\n"
                             "stream 13 blocking\n"
                             "call 1 100 200 cudaLaunchKernel\n"
                             "kernel 1 13 300 1300 spin\n"
                             "flush\n"
                             "call 2 210 2000 cudaMemcpyAsync_v3020\n"
                             "copy 2 13 1310 1900 htod pageable device 1M\n"
                             "flush\n"
                             "call 3 2100 2200 cudaLaunchKernel\n"
                             "kernel 3 7 2300 3300 spin\n"
                             "end 4000\n";

static char path[64];
static uint8_t *bytes;
static size_t size;

static void file_write(const uint8_t *data, size_t length)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, length, f), length);
    fclose(f);
}

static int setup(void **state)
{
    (void)state;
    struct error err;
    snprintf(path, sizeof path, "/tmp/cugantt-corrupt-XXXXXX");
    close(mkstemp(path));
    if (!recipe_write(recipe, path, &err))
        return -1;
    FILE *f = fopen(path, "rb");
    bytes = malloc(65536);
    size = fread(bytes, 1, 65536, f);
    fclose(f);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    free(bytes);
    return 0;
}

/* Loads and explains what the file holds now. NULL: refused. */
static struct model *load(struct error *err)
{
    struct model *model = model_load(path, err);
    if (model == NULL)
        return NULL;
    struct arena arena;
    struct diagnosis diagnosis;
    arena_init(&arena);
    diagnose(model, &arena, &diagnosis);
    assert_true(diagnosis.gap_ns >= 0);
    arena_finish(&arena);
    return model;
}

static void whole_file_has_no_warning(void **state)
{
    (void)state;
    struct error err;
    file_write(bytes, size);
    struct model *model = load(&err);
    assert_non_null(model);
    assert_int_equal(model->operation_count, 3);
    assert_int_equal(model->call_count, 3);
    assert_int_equal(model->warning_count, 0);
    assert_false(model->loss.unfinished);
    model_destroy(model);
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    uint64_t operations = 0;
    for (size_t length = 0; length < size; length++) {
        struct error err = {0};
        file_write(bytes, length);
        struct model *model = load(&err);
        if (length < sizeof(struct cgt_file_header)) {
            assert_null(model);
            assert_string_equal(err.file, path);
            continue;
        }
        assert_non_null(model);
        assert_true(model->operation_count >= operations); /* more of the file never means less of the trace */
        operations = model->operation_count;
        assert_true(model->loss.unfinished);
        assert_true(model->warning_count > 0);
        model_destroy(model);
    }
    assert_int_equal(operations, 3);
}

static void every_byte_damaged(void **state)
{
    (void)state;
    uint8_t *copy = malloc(size);
    for (size_t at = 0; at < size; at++) {
        struct error err = {0};
        memcpy(copy, bytes, size);
        copy[at] ^= 0x5A;
        file_write(copy, size);
        struct model *model = load(&err);
        if (at < 8) /* the magic */
            assert_null(model);
        if (at >= sizeof(struct cgt_file_header)) {
            /* every byte behind the header is covered by a checksum */
            assert_non_null(model);
            assert_true(model->warning_count > 0);
            assert_true(model->loss.skipped_blocks > 0 || model->loss.truncated_bytes > 0);
        }
        model_destroy(model);
    }
    free(copy);
}

static size_t block_offset(uint16_t kind, int nth)
{
    for (size_t at = sizeof(struct cgt_file_header); at < size;) {
        struct cgt_block_header h;
        memcpy(&h, bytes + at, sizeof h);
        if (h.kind == kind && nth-- == 0)
            return at;
        at += sizeof h + h.payload_bytes;
    }
    fail_msg("no such block");
    return 0;
}

static void damaged_block_is_named_and_skipped(void **state)
{
    (void)state;
    struct error err;
    size_t at = block_offset(CGT_KERNEL, 0);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    copy[at + sizeof(struct cgt_block_header) + 3] ^= 1;
    file_write(copy, size);
    free(copy);
    struct model *model = load(&err);
    assert_non_null(model);
    char expected[64];
    snprintf(expected, sizeof expected, "offset %zu: damaged kernel block of 1 records skipped", at);
    assert_non_null(strstr(model->warnings[0], expected));
    assert_int_equal(model->operation_count, 2);
    assert_int_equal(model->loss.skipped_blocks, 1);
    model_destroy(model);
}

static void damaged_header_is_skipped_to_the_next_block(void **state)
{
    (void)state;
    struct error err;
    size_t at = block_offset(CGT_COPY, 0);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    copy[at + 1] ^= 1;
    file_write(copy, size);
    free(copy);
    struct model *model = load(&err);
    assert_non_null(model);
    assert_int_equal(model->operation_count, 2);
    assert_non_null(strstr(model->warnings[0], "that are no block skipped"));
    model_destroy(model);
}

static void refused(const char *data, size_t length, const char *expected)
{
    struct error err = {0};
    file_write((const uint8_t *)data, length);
    assert_null(model_load(path, &err));
    if (strstr(err.what, expected) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.what, expected);
}

static void files_that_are_no_trace(void **state)
{
    (void)state;
    struct error err;
    refused("", 0, "empty");
    refused("hello, this is some text file\n", 30, "not a trace");
    refused("cugantt\n", 8, "ends inside its header");
    uint8_t newer[sizeof(struct cgt_file_header)];
    memcpy(newer, bytes, sizeof newer);
    newer[8] = 2;
    refused((const char *)newer, sizeof newer, "format version 2.");
    assert_null(model_load("/nonexistent/trace.cgt", &err));
    assert_non_null(strstr(err.what, "No such file"));
    assert_null(model_load("/tmp", &err));
    assert_non_null(strstr(err.what, "directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_file_has_no_warning),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(every_byte_damaged),
        cmocka_unit_test(damaged_block_is_named_and_skipped),
        cmocka_unit_test(damaged_header_is_skipped_to_the_next_block),
        cmocka_unit_test(files_that_are_no_trace),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
