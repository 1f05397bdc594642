/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far the run is, on standard error. On a terminal: one line or, for
 * several CPUs, a row for each and the line below, drawn anew in their place;
 * with --explain, above the line, why the worst was late. Elsewhere: a line a
 * minute.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "measure/totals.h"

enum progress_form {
	PROGRESS_NONE,
	PROGRESS_LINES,			/* one a minute */
	PROGRESS_TERMINAL
};

struct progress {
	const struct options *options;	/* what is wanted; a load may write to the terminal at any time */
	enum progress_form form;

	/* of cells that take turns: how many there are, and when the one that is measured began */
	unsigned turns, turn;		/* turn 1 of 12; of 0 where there are none */
	uint64_t turn_ns;

	/* what is shown; 0 at first */
	unsigned lines_above;		/* of the table, and of the sentence, above the line with the cursor */
	uint64_t minutes;		/* that have a line */
};

/* What is known of the meter on one CPU. */
struct progress_row {
	int cpu;			/* named where there are several */
	const struct cell *cell;	/* its table's; NULL: there is none */
	const struct sums *sums;	/* so far */
	int64_t now_ns;			/* the worst lateness of the last buffer */
	uint64_t worst_at_ns;		/* how long the run had lasted when the worst was found */
	const char *state;		/* "" while it measures, else "ended", "killed"; "moved" to another CPU */
	const char *sentence;		/* why the worst was late; NULL: not known */
};

/* In the form that suits standard error. */
void progress_begin(struct progress *progress, const struct options *options);

/* The next cell has its turn, when the run has lasted so long. */
void progress_begin_turn(struct progress *progress, uint64_t elapsed_ns);

/* Note what is new in a buffer, before it is added to these sums. */
void progress_note(struct progress_row *row, const struct sums *sums, const struct live *live, uint64_t elapsed_ns);

/*
 * Never larger than the terminal, which may change its size: rows that do not
 * fit are left out, and of the line what matters least.
 */
void progress_show(struct progress *progress, const struct progress_row *rows, unsigned count,
		   uint64_t elapsed_ns);

/* Take it from the terminal, unless that was stopped (^S), before something else is printed. */
void progress_clear(struct progress *progress);

#endif
