/* processes.h - the table of processes (ranks) of a run that several files hold. */
#ifndef CUGANTT_PROCESSES_H
#define CUGANTT_PROCESSES_H

#include <jansson.h>

#include "timeline/model.h"

/* Prints the table, or sets it as "processes" in `json` if that is not NULL. `paths` are the files of `model`. */
bool processes_show(const struct model *model, char **paths, json_t *json);

#endif
