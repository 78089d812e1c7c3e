#include "present.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100 };

/* Columns of UTF-8 text: every character that we print takes one. */
static int columns(const char *text, size_t length)
{
    int n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

void present_wrapped(const char *lead, const char *text)
{
    int indent = columns(lead, strlen(lead)), at = indent;
    fputs(lead, stdout);
    for (bool first = true; *text != '\0'; first = false) {
        size_t length = strcspn(text, " ");
        int width = columns(text, length);
        if (!first && at + 1 + width > COLUMNS) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        fwrite(text, 1, length, stdout);
        at += width;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

const char *present_provenance(const struct model *m, char *buf, size_t size)
{
    const char *driver = model_property(m, 0, "driver"), *cuda = model_property(m, 0, "cuda_driver");
    const char *started = model_property(m, 0, "started");
    const char *device = m->device_count > 0        ? m->devices[0].name
                         : m->operation_count > 0 ? "device not named"
                                                  : "no device";
    int n = snprintf(buf, size, "%s: %s", m->processes[0].path, device);
    const struct {
        const char *label, *value;
        int length;
    } parts[] = {{"driver ", driver, -1}, {"CUDA ", cuda, -1}, {"recorded ", started, 10}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && n > 0 && (size_t)n < size; i++)
        if (parts[i].value[0] != '\0')
            n += snprintf(buf + n, size - (size_t)n, ", %s%.*s", parts[i].label, parts[i].length, parts[i].value);
    return buf;
}

const char *present_span(const struct model *m, uint32_t index, char *buf, size_t size)
{
    char label[192], lane[48];
    const struct span *span = &m->spans[index];
    snprintf(buf, size, "%s %s %s", model_span_label(m, span, label, sizeof label),
             span_is_operation(span) ? "on" : "in", model_lane_name(m, span->lane, lane, sizeof lane));
    return buf;
}

const char *present_pause(uint32_t reason)
{
    static const char *const words[] = {
        "not recorded",
        [CGT_PAUSE_DELAY] = "recording had not begun",
        [CGT_PAUSE_RANGE] = "outside of the range to be recorded",
        [CGT_PAUSE_DURATION] = "recorded for as long as was asked for",
        [CGT_PAUSE_SIZE] = "the trace had reached its size",
        [CGT_PAUSE_PROFILER] = "another profiler in the program had taken CUPTI over",
    };
    return words[reason < sizeof words / sizeof *words ? reason : 0];
}

void present_loss(const struct model *m)
{
    const struct {
        uint64_t count;
        const char *what;
    } rows[] = {
        {m->loss.dropped, "records were lost while recording"},
        {m->loss.invalid, "operations have no usable times: counted here, not analysed"},
        {m->loss.unmatched, "GPU operations have no recorded call"},
        {m->loss.skipped_blocks, "blocks were damaged or of an unknown kind"},
        {m->loss.samples, "samples of the PCIe link were lost"},
        {m->loss.malformed, "events of the file could not be read"},
        {m->loss.truncated_bytes, "bytes at the end belong to nothing whole"},
    };
    bool any = m->warning_count > 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        any = any || rows[i].count > 0;
    if (any)
        puts("\nThis trace is not complete:");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count > 0)
            printf("  - %" PRIu64 " %s\n", rows[i].count, rows[i].what);
    for (uint32_t i = 0; i < m->warning_count; i++)
        present_wrapped("  - ", m->warnings[i]);
}

json_t *present_text(const char *text)
{
    json_t *node = json_string(text);
    if (node != NULL)
        return node;
    char *copy = strdup(text);
    if (copy == NULL)
        abort();
    for (char *p = copy; *p != '\0'; p++)
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    node = json_string(copy);
    free(copy);
    return node;
}

void present_json(json_t *json)
{
    json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(json);
}
