/* probed.h - what `cugantt run probe` left in a trace, as commands use and show it. */
#ifndef CUGANTT_CLI_PROBED_H
#define CUGANTT_CLI_PROBED_H

#include <jansson.h>
#include <stdbool.h>

#include "diagnose/probe.h"
#include "timeline/model.h"

/* Reads the rates of copies in a trace; *ret_from, to be destroyed after them, holds their texts. Without a path there are
 * none: *ret_from is NULL. False: the file has none; why has been said. */
bool probed_load(const char *path, struct model **ret_from, struct probe *ret_probe);

/* A table of the rates by size, and the rest in sentences; nothing if the model has no rates. */
void probed_print(const struct model *model);

/* The same for programs: docs/json.md; null if the model has no rates. */
json_t *probed_json(const struct model *model);

#endif
