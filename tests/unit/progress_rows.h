/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of CPUs, drawn on the screen of a terminal. */
#ifndef PROGRESS_ROWS_H
#define PROGRESS_ROWS_H

#include "report/report.h"
#include "terminal.h"

#define HEAD "  CPU     samples      p50 us      p99 us    p99.9 us      max us      missed\n"

extern struct sums *some[SCREEN_ROWS];
extern struct report rows[SCREEN_ROWS];
extern struct run run;			/* its options are to be set */
extern bool over[SCREEN_ROWS];		/* does the meter of the row measure no longer? */

/* The report of CPU i, which has measured nothing. */
struct report fresh_report(unsigned i);
struct sums *sums_of(const struct report *report);

/* 1000 samples each, late by 4.5 us and, once, by 10 us and 0.1 us more for each CPU. */
void fill(void);

/* The first rows, so long after the start of the run. */
void draw(struct progress *progress, unsigned count, uint64_t seconds);
void clear(struct progress *progress);

#endif
