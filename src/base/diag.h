/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for the user: one line on standard error that names the thing, the reason and the remedy. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/text.h"

/* The exit statuses of realfeel, documented in realfeel(8). */
enum exit_status {
	EXIT_MEASURED = 0,
	EXIT_NOT_MEASURED = 1,	/* also if the report is not where it should be, or the verdict is invalid */
	EXIT_EXCEEDED = 2,
	EXIT_INTERRUPTED = 3,
	EXIT_NO_DEVICE = 4,
};

/* Print "realfeel: " and the message, formatted as by printf, with terminal controls escaped. Keeps errno. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define die(status, ...) (warn(__VA_ARGS__), exit(status))
/* The same, but returns the status. */
#define fail(status, ...) (warn(__VA_ARGS__), (status))

/* Flush standard output. Returns false, after a warning, when that or an earlier write failed. */
bool diag_flush(void);

/* From now on pass each message, without "realfeel: ", to this function instead of printing it; NULL: print again. */
void diag_redirect(void (*to)(const char *message));

#define REFUSAL_CLAUSE 256		/* bytes for refusal_clause() where memory is scarce */
#define REFUSAL_LINE 1472		/* bytes for refusal_line(): more than all members together */

/* What was refused or is wrong: the thing, the reason, and the remedy. */
struct refusal {
	char what[256];			/* what was tried, as in "bind to CPU 3"; "": the reason names the thing */
	int error;			/* errno, printed before the reason; 0: none, or it would add nothing */
	char reason[512];		/* "": only errno is known */
	char remedy[640];		/* an instruction, as in "run as root" */
	bool absent;			/* this machine lacks it, so no privilege would help */
};

/* A refusal is built in steps: first what was tried and errno (or 0), with the rest empty. */
#define refusal_begin(to, cause, ...) \
	(*(to) = (struct refusal){ .error = (cause) }, text_append((to)->what, sizeof((to)->what), __VA_ARGS__))
#define refusal_reason(refusal, ...) \
	(*(refusal)->reason = '\0', text_append((refusal)->reason, sizeof((refusal)->reason), __VA_ARGS__))
#define refusal_remedy(refusal, ...) \
	(*(refusal)->remedy = '\0', text_append((refusal)->remedy, sizeof((refusal)->remedy), __VA_ARGS__))

/* Write "WHAT: ERROR: REASON", without empty members, for the report. */
void refusal_clause(const struct refusal *refusal, char *clause, size_t size);

/* Write the clause, "; " and the remedy, for the user. Returns line. */
const char *refusal_line(const struct refusal *refusal, char line[REFUSAL_LINE]);

#endif
