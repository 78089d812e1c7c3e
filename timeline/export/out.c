#include "out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "timeline/model_build.h"

bool out_temporary(const char *path, char *ret_name, size_t size, struct error *err)
{
    int n = snprintf(ret_name, size, "%s.part-%ld", path, (long)getpid());
    return n > 0 && (size_t)n < size ? true : error_set(err, path, -1, "the name is too long");
}

bool out_open(struct out *out, const struct export_job *job, struct error *err)
{
    *out = (struct out){.path = job->path};
    if (!out_temporary(job->path, out->temporary, sizeof out->temporary, err))
        return false;
    out->file = gzopen(out->temporary, job->gzip ? "wbe6" : "wbTe"); /* T: no compression, no header */
    if (out->file == NULL)
        return error_set(err, job->path, -1, "cannot write: %s", strerror(errno));
    gzbuffer(out->file, 1 << 17);
    return true;
}

void out_bytes(struct out *out, const void *bytes, size_t count)
{
    if (count > 0 && gzwrite(out->file, bytes, (unsigned)count) <= 0)
        out->failed = true;
}

void out_text(struct out *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_printf(struct out *out, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof text)
        out->failed = true; /* numbers and fixed words only: names go through out_json() and out_csv() */
    else
        out_bytes(out, text, (size_t)n);
}

/* Bytes of the UTF-8 character at `p`; 0 if there is none: names come from files, and need not be text. */
static size_t utf8_length(const unsigned char *p)
{
    size_t more = p[0] < 0x80                   ? 0
                  : p[0] >= 0xC2 && p[0] < 0xE0 ? 1
                  : p[0] >= 0xE0 && p[0] < 0xF0 ? 2
                  : p[0] >= 0xF0 && p[0] < 0xF5 ? 3
                                                : 9;
    if (more == 9)
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
    bool outside = (p[0] == 0xED && p[1] >= 0xA0) || (p[0] == 0xF4 && p[1] >= 0x90); /* surrogates; beyond U+10FFFF */
    return overlong || outside ? 0 : more + 1;
}

void out_json(struct out *out, const char *text)
{
    out_text(out, "\"");
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        size_t length = utf8_length(p);
        if (*p == '"' || *p == '\\')
            out_printf(out, "\\%c", *p);
        else if (*p < 0x20)
            out_printf(out, "\\u%04x", *p);
        else if (length == 0)
            out_text(out, "?");
        else
            out_bytes(out, p, length);
        p += length > 0 ? length : 1;
    }
    out_text(out, "\"");
}

void out_csv(struct out *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        out_text(out, text);
        return;
    }
    out_text(out, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"')
            out_text(out, "\"");
        out_bytes(out, text, 1);
    }
    out_text(out, "\"");
}

void out_us(struct out *out, int64_t ns)
{
    out_printf(out, "%s%" PRId64 ".%03d", ns < 0 ? "-" : "", (int64_t)llabs(ns) / 1000, (int)(llabs(ns) % 1000));
}

bool out_close(struct out *out, struct error *err)
{
    int saved = errno;
    bool done = gzclose_w(out->file) == Z_OK && !out->failed;
    out->file = NULL;
    if (done && rename(out->temporary, out->path) == 0)
        return true;
    saved = errno != 0 ? errno : saved;
    unlink(out->temporary);
    return error_set(err, out->path, -1, "cannot write: %s", strerror(saved));
}

static int64_t first_record_ns(const struct model *m)
{
    int64_t first = INT64_MAX;
    for (uint32_t p = 0; p < m->process_count; p++) {
        const struct process *process = &m->processes[p];
        FOR_EACH_RECORD(process->reader, CGT_SYNC, cgt_sync, sync)
            if (sync->begin_ns >= 0 && sync->begin_ns < TIME_LIMIT && sync->begin_ns + process->shift_ns < first)
                first = sync->begin_ns + process->shift_ns;
    }
    for (uint32_t i = 0; i < m->pause_count; i++)
        first = m->pauses[i].begin_ns < first ? m->pauses[i].begin_ns : first;
    return first;
}

int64_t out_base_ns(const struct model *m)
{
    int64_t first = first_record_ns(m);
    for (uint32_t i = 0; i < m->lane_count; i++)
        if (m->lanes[i].count > 0 && m->spans[m->lanes[i].first].begin_ns < first)
            first = m->spans[m->lanes[i].first].begin_ns;
    if (m->overhead_count > 0 && m->overheads[0].begin_ns < first)
        first = m->overheads[0].begin_ns;
    return first == INT64_MAX ? 0 : first - 1000;
}

static bool is_taken(const uint32_t *pids, uint32_t count, uint32_t pid)
{
    for (uint32_t i = 0; i < count; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

uint32_t *out_pids(const struct model *m)
{
    enum { LINUX_LIMIT = 1 << 22, MADE_UP = 5000000 }; /* PID_MAX_LIMIT of Linux; nsys has 24 bits for them */
    uint32_t *pids = calloc(m->process_count + 1, sizeof *pids);
    if (pids == NULL)
        abort();
    for (uint32_t i = 0; i < m->process_count; i++) {
        unsigned long pid = strtoul(model_property(m, i, "pid"), NULL, 10);
        bool usable = pid > 0 && pid <= LINUX_LIMIT && !is_taken(pids, i, (uint32_t)pid);
        pids[i] = usable ? (uint32_t)pid : MADE_UP + i;
    }
    return pids;
}

const char *out_group_name(const struct model *m, uint32_t lane, char *buf, size_t size)
{
    const struct lane *l = &m->lanes[lane];
    const char *program = model_property(m, l->process, "program"), *device = "";
    char process[64];
    model_process_name(m, l->process, process, sizeof process);
    const char *separator = process[0] != '\0' ? ", " : "";
    for (uint32_t i = 0; i < m->device_count; i++)
        if (m->devices[i].process == l->process && m->devices[i].info.id == l->device)
            device = m->devices[i].name;
    if (l->kind == LANE_STREAM)
        snprintf(buf, size, "%s%sdevice %" PRIu32 "%s%s", process, separator, l->device, device[0] ? " " : "", device);
    else
        snprintf(buf, size, "%s%s%s", process, separator, program[0] != '\0' ? program : "host");
    return buf;
}

uint32_t out_stream_creation(const struct model *m, const struct lane *stream)
{
    FOR_EACH_RECORD(m->processes[stream->process].reader, CGT_STREAM, cgt_stream, s)
        if (s->context == stream->context && s->id == stream->id)
            return s->correlation;
    return 0;
}
