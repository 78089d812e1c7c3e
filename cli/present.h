/* present.h - how the commands show things: wrapped text, provenance, loss, JSON. */
#ifndef CUGANTT_PRESENT_H
#define CUGANTT_PRESENT_H

#include <jansson.h>
#include <stddef.h>

#include "timeline/model.h"

/* Prints `text` within 100 columns; `lead` stands in front of the first line, spaces in front of the others. */
void present_wrapped(const char *lead, const char *text);

/* "FILE: NVIDIA H200, driver 580.159, CUDA 13.0, recorded 2026-12-01" */
const char *present_provenance(const struct model *model, char *buf, size_t size);

/* "spin on stream 7 (default)", "cudaMemcpyAsync in thread 510" */
const char *present_span(const struct model *model, uint32_t span, char *buf, size_t size);

/* Why nothing was recorded for a while, from enum cgt_pause_reason. */
const char *present_pause(uint32_t reason);

/* Warnings and counts of what was lost, to stdout; nothing if nothing was. */
void present_loss(const struct model *model);

/* JSON text node; bytes that are not UTF-8 (names come from files) become "?". */
json_t *present_text(const char *text);

/* Prints and frees `json`. */
void present_json(json_t *json);

#endif
