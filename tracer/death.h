/* death.h - fatal signals: lets the trace be finished before the program dies of one.
 *
 * Only signals that the program leaves at their default are watched. A handler that it installs later takes the place
 * of ours, and what becomes of the signal is its business.
 */
#ifndef CUGANTT_DEATH_H
#define CUGANTT_DEATH_H

/* Has `last_words` called before the program dies of a signal: in the dying thread, inside a signal handler. Then the
 * signal takes its default course where it struck, so that wait status and core dump are the same as ever. */
void death_watch(void (*last_words)(void));

#endif
