/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The progress of the run, on standard error. On a terminal it is one line,
 * redrawn in place; above it, each of several CPUs has a row, and --explain adds
 * who had the CPU longest in the worst wake-up. Elsewhere it is a line a minute.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "measure/totals.h"

enum progress_form {
	PROGRESS_NONE,
	PROGRESS_LINES,			/* a line a minute */
	PROGRESS_TERMINAL
};

struct progress {
	const struct options *options;
	enum progress_form form;

	unsigned lines_above;		/* how many are drawn above the line with the cursor */
	uint64_t minutes;		/* how many have been printed */
};

/* Of the meter on one CPU. */
struct progress_row {
	int cpu;			/* shown where there are several, */
	pid_t thread;			/* or in its place the thread that is measured; 0: none */
	const struct sums *sums;	/* so far */
	int64_t now_ns;			/* the worst lateness of the last buffer */
	uint64_t worst_at_ns;		/* how long the run had lasted when the worst was found */
	const char *state;		/* "": it measures; "ended", "killed", or "moved" to another CPU */
	const char *sentence;		/* why the worst was late, printable; NULL: unknown */
};

/* Chooses the form for standard error. */
void progress_begin(struct progress *progress, const struct options *options);

/* Update the row from a buffer, before that is added to the sums. */
void progress_note(struct progress_row *row, const struct sums *sums, const struct counters *live, uint64_t elapsed_ns);

/*
 * Show the rows, when the run has lasted elapsed_ns. What does not fit the
 * terminal, whose size may change, is left out: the rows, and of the line the
 * least important items.
 */
void progress_show(struct progress *progress, const struct progress_row *rows, unsigned count,
		   uint64_t elapsed_ns);

/* Clear it from the terminal before something else is printed, unless ^S has stopped the terminal. */
void progress_clear(struct progress *progress);

#endif
