/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was refused or is wrong: the thing, the reason, and the remedy. */
#ifndef BASE_REFUSAL_H
#define BASE_REFUSAL_H

#include <stddef.h>

#define REFUSAL_CLAUSE 256		/* bytes for refusal_clause() where memory is scarce */
#define REFUSAL_LINE 1472		/* bytes for refusal_line(): more than all members together */

struct refusal {
	char what[256];			/* what was tried, as in "bind to CPU 3"; "": the reason names the thing */
	int error;			/* errno, printed before the reason; 0: none, or it would add nothing */
	char reason[512];		/* "": only errno is known */
	char remedy[640];		/* an instruction, as in "run as root" */
};

/*
 * A refusal is built in steps. Text that does not fit is cut and ends in three
 * dots. refusal_begin() sets what was tried and errno (or 0), and clears the rest.
 */
void refusal_begin(struct refusal *refusal, int error, const char *what, ...) __attribute__((format(printf, 3, 4)));
void refusal_reason(struct refusal *refusal, const char *format, ...) __attribute__((format(printf, 2, 3)));
void refusal_remedy(struct refusal *refusal, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write "WHAT: ERROR: REASON", without empty members, for the report. */
void refusal_clause(const struct refusal *refusal, char *clause, size_t size);

/* Write the clause, "; " and the remedy, for the user. Returns line. */
const char *refusal_line(const struct refusal *refusal, char line[REFUSAL_LINE]);

#endif
