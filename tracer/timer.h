/* timer.h - calls a function later, in a thread of its own. */
#ifndef CUGANTT_TIMER_H
#define CUGANTT_TIMER_H

#include <stdbool.h>
#include <stdint.h>

/* Has `act` called once, in `delay_ns`. False if no thread could be started. Nothing happens if the program ends first. */
bool timer_start(int64_t delay_ns, void (*act)(void));

#endif
