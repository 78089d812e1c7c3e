/* details.h - `explain --details`. */
#ifndef CUGANTT_DETAILS_H
#define CUGANTT_DETAILS_H

#include <jansson.h>

#include "diagnose/diagnose.h"

/* Prints the audit, or adds it to `json` as "details" if that is not NULL. */
void details_show(const struct model *model, const struct diagnosis *diagnosis, json_t *json);

#endif
