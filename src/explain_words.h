/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a wake-up was late, in a sentence. Pure. */
#ifndef EXPLAIN_WORDS_H
#define EXPLAIN_WORDS_H

#include "explain_blame.h"
#include "explain_stack.h"

#define WORDS_SIZE 512

/* What is known beside the records. */
struct words_facts {
	int64_t smis;			/* system management interrupts; < 0: unknown */
	bool hypervisor;		/* there is one, or may be */
	struct stack expiry, arrival;	/* of the records in the blame; without frames: unknown */
};

/*
 * "21.974 ms late: 'hog' (rt 97) ran 21.672 ms; timer interrupt 0.257 ms": the
 * four greatest parts, and the sum of the others; or "0.514 ms after it was
 * asked: ...". It says no more than the records do.
 */
void words_explain(char text[WORDS_SIZE], const struct blame *blame, const struct words_facts *facts);

#endif
