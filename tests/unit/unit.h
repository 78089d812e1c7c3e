/* unit.h - cmocka with the headers that it needs in front of it. */
#ifndef CUGANTT_UNIT_H
#define CUGANTT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
