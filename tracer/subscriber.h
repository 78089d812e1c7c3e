/* subscriber.h - the one subscriber that CUPTI has room for, shared by the parts of the tracer that need its callbacks.
 */
#ifndef CUGANTT_SUBSCRIBER_H
#define CUGANTT_SUBSCRIBER_H

#include <cupti.h>
#include <stdbool.h>

#include "timeline/error.h"

/* Is called in the program's thread, where CUPTI calls us; `data` is what CUPTI has for the domain. */
typedef void subscriber_callback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data);

/* Has `callback` called whenever `id` of `domain` comes. Subscribes at the first call. Before recording begins. */
bool subscriber_watch(CUpti_CallbackDomain domain, CUpti_CallbackId id, subscriber_callback *callback, struct error *err);

#endif
