/* bus.h - what `info` and `explain` say of sampled PCIe links. */
#ifndef CUGANTT_CLI_BUS_H
#define CUGANTT_CLI_BUS_H

#include <jansson.h>

#include "diagnose/diagnose.h"

json_t *bus_json(const struct model *model);
void bus_print(const struct model *model);

/* What the link did while copies ran; prints nothing if it was not sampled. */
json_t *bus_report_json(const struct model *model, const struct diagnosis *diagnosis);
void bus_report_print(const struct diagnosis *diagnosis);

#endif
