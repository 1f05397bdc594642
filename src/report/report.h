/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a meter's run has come to: a part of the report, realfeel(5), and with
 * one CPU all of it.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "report/run.h"
#include "report/verdict.h"

#define SENTENCE_SIZE 128

struct report {
	const struct run *run;
	int cpu;			/* that is measured; -1: any */
	const char *name;		/* among several: "3" is a CPU, "64x16k" a cell, "64x16k@3" both */
	const struct source *source;
	const struct channel *channel;
	const struct totals *totals;
	const bool *over;		/* has the meter ended? */
	const struct disturbances *disturbances;	/* that the machine has met so far */
	pid_t keeper, standby;		/* 0: unknown */
	unsigned number, count;		/* report 1 of 4 */
	bool taken_over;		/* the keeper was killed */
	unsigned lost;			/* parts that there would be, too */
	bool running;			/* this is a checkpoint */
	const struct machine *after;	/* the machine, looked at again; NULL: not yet */

	/* set by report_sum_up() */
	time_t started;			/* the run, when the first of its meters did */
	enum grade grade;
	const char *status;
	struct sched_state sched_state;	/* of the meter: now, or at its end; without CPUs: not known */
	struct sched_state children_state;	/* the same of those that it has forked */
	char schedule[128];
	char verdict[4096];

	/* set by report_sentence() */
	uint64_t told_ns;		/* stamp of the wake-up that it is of; 0: of none yet */
	char sentence[SENTENCE_SIZE];
};

/* Print all parts, of which what is the first: this is a report_printer. */
void report_print(FILE *out, const void *what);

#endif
