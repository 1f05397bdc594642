/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who had the CPU, over several wake-ups. Pure. */
#ifndef EXPLAIN_CULPRITS_H
#define EXPLAIN_CULPRITS_H

#include "explain_blame.h"

struct culprit {
	const char *kind;		/* as in the data set blame */
	char name[32];
	unsigned wakeups;		/* in which it had the CPU, */
	unsigned last;			/* the last of them, */
	int64_t ns;			/* and for how long in all */
};

/* All 0: empty. */
struct culprits {
	unsigned count, wakeups;
	struct culprit *culprit;
};

/* Add who had the CPU before a wake-up, but for the meter. */
void culprits_add(struct culprits *culprits, const struct blame *blame);

/* Who had it longest first. */
void culprits_sort(struct culprits *culprits);

void culprits_free(struct culprits *culprits);

#endif
