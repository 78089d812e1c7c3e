/* model_build.h - shared by the files that build a model; nobody else includes it. */
#ifndef CUGANTT_MODEL_BUILD_H
#define CUGANTT_MODEL_BUILD_H

#include "model.h"
#include "reader.h"

#define TIME_LIMIT (INT64_C(1) << 62) /* differences of two times below it do not overflow */

/* Opens the files and makes the processes in them. */
bool model_open(struct model *model, const char *const *paths, uint32_t count, struct error *err);

/* Lanes, and their spans in order. False, with the reason, if there are too many. */
bool model_read_spans(struct model *model, struct error *err);

/* Stream lane of (context, stream) of a process, MODEL_NONE if it ran nothing. */
uint32_t model_stream_find(const struct model *model, uint32_t process, uint32_t context, uint32_t stream);

/* Joins GPU operations with the calls that issued them, and reads the marks of events. */
void model_link(struct model *model);

/* Time that was not recorded, sorted. */
void model_read_pauses(struct model *model);

/* Samples of buses, sorted. Devices must have been read. */
void model_read_buses(struct model *model);

/* Time that was not the program's, sorted. */
void model_read_overheads(struct model *model);

/* Visits all records of one kind: `body` sees `record`, a pointer to const struct `type`. */
#define FOR_EACH_RECORD(reader, block_kind, type, record)                                                       \
    for (uint32_t b_ = 0; b_ < reader_block_count(reader); b_++)                                                \
        for (const struct block *block_ = reader_block(reader, b_); block_ != NULL; block_ = NULL)              \
            for (uint32_t k_ = 0; block_->kind == (block_kind) && k_ < block_->count; k_++)                     \
                for (const struct type *record = (const void *)(block_->records + (size_t)k_ * block_->record_bytes); \
                     record != NULL; record = NULL)

#endif
