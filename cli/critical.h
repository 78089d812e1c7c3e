/* critical.h - the critical path, as explain shows it. */
#ifndef CUGANTT_CLI_CRITICAL_H
#define CUGANTT_CLI_CRITICAL_H

#include <jansson.h>

#include "diagnose/diagnose.h"

/* Prints what the critical path is made of, or sets it as "critical_path" in `json` if that is not NULL. */
void critical_show(const struct model *model, const struct diagnosis *diagnosis, json_t *json);

#endif
