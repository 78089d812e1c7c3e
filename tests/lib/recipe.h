/* recipe.h - traces written as text, assembled by the real writer. For tests.
 *
 * One record a line; times take ns, us, ms, s (ns if none); [key=value] in any order:
 *
 *   property KEY TEXT...
 *   device ID [name=] [sms=] [engines=] [pcie=5x16]
 *   context ID [device=] [null=]
 *   stream ID blocking|non-blocking|null|unknown [context=] [priority=] [created=]
 *   thread ID NAME
 *   call CORRELATION BEGIN END NAME [thread=]
 *   kernel CORRELATION STREAM BEGIN END NAME [grid=] [block=] [regs=] [shared=] [channel=] [graph=]
 *   copy CORRELATION STREAM BEGIN END htod|dtoh|dtod|ptop FROM TO BYTES [async=] [channel-type=]
 *        (FROM, TO: pageable, pinned, device, managed, unknown; BYTES takes K, M, G)
 *   memset CORRELATION STREAM BEGIN END BYTES
 *   graph CORRELATION STREAM BEGIN END ID
 *   range BEGIN END NAME [thread=] [type=pushed|started|mark] [domain=] [color=] [open=]
 *   pause BEGIN END delay|range|duration|size
 *   bus BEGIN END TO FROM [device=] [samples=]   (TO, FROM: bytes to and from the device)
 *   sync CORRELATION BEGIN END event|wait|stream|context [stream=] [event=] [id=]
 *   event CORRELATION STREAM EVENT ID [time=]
 *   overhead BEGIN END KIND [thread=]     (KIND: flush, instrumentation, resource, module, function, full, request)
 *   loss dropped|invalid|refused|unknown|write|truncated|malformed|samples COUNT
 *   clock TRACE REALTIME
 *   flush                                 (ends the current blocks)
 *   end TIME
 *
 * Operations, syncs and events take [context=] (1) and operations [device=] (0).
 */
#ifndef CUGANTT_RECIPE_H
#define CUGANTT_RECIPE_H

#include <stdbool.h>

#include "timeline/error.h"

struct model;

/* Assembles `text` into the file `path`. False with the line number in `err` if the recipe is wrong. */
bool recipe_write(const char *text, const char *path, struct error *err);

/* Assembles, loads and deletes the file. Ends the program with a message on any failure: for tests only. */
struct model *recipe_model(const char *text);

/* The same for the files of several processes. */
struct model *recipe_models(const char *const *texts, int count);

/* Whole text of a file, malloc'ed; NULL if it cannot be read. */
char *recipe_read_file(const char *path);

#endif
