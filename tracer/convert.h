/* convert.h - CUPTI's activity records into records of the trace.
 *
 * The layout of CUPTI's records follows the version of the loaded library, not that of the headers: fields are only
 * ever appended, so what every supported version has is read through the header's oldest struct, and the few later
 * fields by their place behind it.
 */
#ifndef CUGANTT_CONVERT_H
#define CUGANTT_CONVERT_H

#include <cupti.h>
#include <stdbool.h>

#include "timeline/writer.h"

/* Does the record show that the program uses the GPU: a context, or work in one? */
bool convert_is_work(const CUpti_Activity *record);

/* Has the record its times, if it is of a kind that CUPTI writes when something ends? */
bool convert_is_complete(const CUpti_Activity *record);

/* Asks CUPTI for what the record needs; to be called before convert_record(), without holding a lock. */
void convert_prepare(const CUpti_Activity *record);

/* Adds the record to the trace. What is of no use (without times, or of an unknown kind) is counted as lost instead. */
void convert_record(struct writer *writer, const CUpti_Activity *record);


#endif
