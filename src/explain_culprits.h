/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who had the CPU, over several wake-ups. Pure. */
#ifndef EXPLAIN_CULPRITS_H
#define EXPLAIN_CULPRITS_H

#include "explain_blame.h"

struct culprit {
	const struct segment *segment;	/* one of those in which it had the CPU */
	unsigned wakeups;		/* in which it did, */
	const struct blame *last;	/* the last of them, */
	int64_t ns;			/* and for how long in all */
};

/*
 * Those of so many wake-ups but for the meter, who had the CPU longest first.
 * A blame may be NULL, and all others are to last as long as the culprits.
 * Returns memory to be freed, and how many they are; NULL when there is none.
 */
struct culprit *culprits_find(const struct blame *const blames[], unsigned wakeups, unsigned *count);

#endif
