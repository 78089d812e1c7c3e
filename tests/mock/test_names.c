/* Output names with placeholders, and notes to the recorder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tracer/note.h"
#include "tracer/pattern.h"

static void assert_expands(const char *pattern, const char *expected)
{
    char path[256];
    struct error err = {0};
    if (!pattern_expand(pattern, path, sizeof path, &err))
        fail_msg("%s: %s", pattern, err.what);
    assert_string_equal(path, expected);
}

static void assert_refused(const char *pattern, const char *why)
{
    char path[64] = "untouched";
    struct error err = {0};
    assert_false(pattern_expand(pattern, path, sizeof path, &err));
    if (strstr(err.what, why) == NULL)
        fail_msg("%s: %s", pattern, err.what);
}

static void test_expansion(void **state)
{
    (void)state;
    char expected[256], host[128];
    setenv("RANK", "3", 1);
    assert_expands("plain.cgt", "plain.cgt");
    assert_expands("100%%.cgt", "100%.cgt");
    assert_expands("r%q{RANK}-%q{RANK}.cgt", "r3-3.cgt");
    snprintf(expected, sizeof expected, "a-%ld.cgt", (long)getpid());
    assert_expands("a-%p.cgt", expected);
    assert_int_equal(gethostname(host, sizeof host), 0);
    assert_expands("%h", host);
}

static void test_refusals(void **state)
{
    (void)state;
    unsetenv("NOT_SET");
    assert_refused("a%q{NOT_SET}", "NOT_SET is not set");
    assert_refused("a%q{NOT_SET", "%q{VARIABLE}");
    assert_refused("a%qRANK", "%q{VARIABLE}");
    assert_refused("a%q{}", "%q{VARIABLE}");
    assert_refused("a%x", "%x");
    assert_refused("a%", "single %");
    assert_refused("0123456789012345678901234567890123456789012345678901234567890123", "too long");
}

static void test_quote(void **state)
{
    (void)state;
    char pattern[64];
    assert_true(pattern_quote("50%/a%p", pattern, sizeof pattern));
    assert_expands(pattern, "50%/a%p");
    assert_false(pattern_quote("too long for six", pattern, 6));
}

static void test_note_claims(void **state)
{
    (void)state;
    char name[] = "/tmp/cugantt-test-XXXXXX", line[8192];
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    struct note first = {.status = "open", .process = 10, .path = "/a\tb.cgt"};
    struct note second = {.status = "open", .process = 11, .path = "/c.cgt"};
    assert_true(note_claim(name, &first));
    assert_false(note_claim(name, &first));
    assert_true(note_claim(name, &second));
    assert_true(note_claim(NULL, &first));
    ssize_t length = read(fd, line, sizeof line - 1);
    assert_true(length > 0);
    line[length] = '\0';
    struct note parsed;
    assert_true(note_parse(strtok(line, "\n"), &parsed));
    assert_string_equal(parsed.path, "/a?b.cgt");
    assert_int_equal(parsed.process, 10);
    assert_true(note_parse(strtok(NULL, "\n"), &parsed));
    assert_string_equal(parsed.path, "/c.cgt");
    assert_null(strtok(NULL, "\n"));
    close(fd);
    unlink(name);
}

static void test_note_lines(void **state)
{
    (void)state;
    struct note parsed;
    assert_true(note_parse("done\t7\t42\t118\t1\t/a.cgt\tdisk full", &parsed));
    assert_string_equal(parsed.status, "done");
    assert_int_equal(parsed.operations, 42);
    assert_int_equal(parsed.calls, 118);
    assert_int_equal(parsed.lost, 1);
    assert_string_equal(parsed.reason, "disk full");
    assert_false(note_parse("", &parsed));
    assert_false(note_parse("done\t7", &parsed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expansion),   cmocka_unit_test(test_refusals),   cmocka_unit_test(test_quote),
        cmocka_unit_test(test_note_claims), cmocka_unit_test(test_note_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
