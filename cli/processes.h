/* processes.h - the table of processes (ranks) of a run in one file or several. */
#ifndef CUGANTT_PROCESSES_H
#define CUGANTT_PROCESSES_H

#include <jansson.h>

#include "timeline/model.h"

/* Prints the table, or sets it as "processes" in `json` if that is not NULL. */
bool processes_show(const struct model *model, json_t *json);

#endif
