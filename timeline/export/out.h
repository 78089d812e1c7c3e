/* out.h - a text or binary file that is being written: beside its name, and renamed when it is whole. */
#ifndef CUGANTT_OUT_H
#define CUGANTT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

struct out {
    const char *path;
    char temporary[4096];
    void *file; /* gzFile: writes plain files too */
    bool failed;
};

/* Name beside `path` for a file that is not whole yet; false if it would be too long. */
bool out_temporary(const char *path, char *ret_name, size_t size, struct error *err);

bool out_open(struct out *out, const struct export_job *job, struct error *err);
void out_bytes(struct out *out, const void *bytes, size_t count);
void out_text(struct out *out, const char *text);
void out_printf(struct out *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_json(struct out *out, const char *text); /* as a JSON string, with its quotes */
void out_csv(struct out *out, const char *text);  /* as a CSV field, in quotes where it needs them */
void out_us(struct out *out, int64_t ns);         /* microseconds with three decimals */

/* Where times of formats with relative times count from: a microsecond before everything, so that no event is at 0,
 * which readers take for "no time". */
int64_t out_base_ns(const struct model *model);

/* Number of each process, different for each: the recorded process id, or one beyond what Linux gives where there is
 * none or an earlier process has the same (of another machine or container). Never null; the caller frees it. */
uint32_t *out_pids(const struct model *model);

/* Name of the group of rows that a lane is in: its device, or the program, of its process. */
const char *out_group_name(const struct model *model, uint32_t lane, char *buf, size_t size);

/* Correlation id of the call that created a stream; 0: not known. Per-thread default streams are known by it. */
uint32_t out_stream_creation(const struct model *model, const struct lane *stream);

/* Closes, and gives the file its name; removes it if anything failed. */
bool out_close(struct out *out, struct error *err);

#endif
