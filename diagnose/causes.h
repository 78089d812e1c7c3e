/* causes.h - what is said of each cause, and when. */
#ifndef CUGANTT_CAUSES_H
#define CUGANTT_CAUSES_H

#include "diagnose.h"

struct cause_row {
    double min_share;     /* of the wall time: findings that cost less are not worth a reader's time */
    const char *text;     /* template: {name} stands for a fact, see findings.c */
    const char *advice;
};

const struct cause_row *cause_row(enum cause cause);

#endif
