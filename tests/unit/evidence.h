/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run leaves to be judged by: at first, all was well. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "report/verdict.h"

extern struct channel channel;
extern struct sums sums;
extern const struct source source;
extern struct disturbances disturbances;
extern struct evidence evidence;
extern struct verdict found;

/* A run in which all was well, bound to CPU 3. */
void be_well(void);

/* The verdict on the evidence as it is now; then all is well again. */
void says(const char *expected, const char *name);

#endif
