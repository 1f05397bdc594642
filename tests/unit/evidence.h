/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run leaves to be judged by: at first, all was well. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "explain/tap.h"
#include "report/report.h"

extern struct channel channel;
extern struct sums *sums;
extern struct options options;
extern const struct source source;
extern struct disturbances disturbances;
extern struct tap_state tap_state;
extern struct report report;
extern struct verdict found;	/* by the last judge() or says() */

/* A run in which all was well, bound to CPU 3. */
void be_well(void);

/* It was disturbed in this way for so long. */
void be_disturbed(enum seen seen, int64_t ms);

/* Judge it as it is now. */
void judge(void);

/* The verdict as it is now; then all is well again. */
void says(const char *expected, const char *name);

#endif
