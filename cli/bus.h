/* bus.h - what `info` says of sampled PCIe links. */
#ifndef CUGANTT_CLI_BUS_H
#define CUGANTT_CLI_BUS_H

#include <jansson.h>

#include "timeline/model.h"

json_t *bus_json(const struct model *model);
void bus_print(const struct model *model);

#endif
