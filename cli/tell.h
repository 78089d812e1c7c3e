/* tell.h - what docs/diagnosis.md says of each cause, for `explain --id`. */
#ifndef CUGANTT_TELL_H
#define CUGANTT_TELL_H

#include <stdbool.h>

/* Is there such a cause? "list" counts as one. */
bool tellable(const char *id);

/* Prints its page; for "list" the causes, a line each. */
void tell(const char *id);

#endif
