/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of one meter, realfeel(5). A run on several CPUs has several reports,
 * one after the other in one file.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/diag.h"
#include "report/run.h"
#include "report/verdict.h"

#define SENTENCE_SIZE 160

struct report {
	const struct run *run;
	int cpu;			/* the measured one; -1: any */
	const char *name;		/* of several: the CPU, or the thread that is measured */
	const struct source *source;
	const struct channel *channel;
	const struct totals *totals;
	const bool *over;		/* has the meter ended? */
	const struct disturbances *disturbances;	/* of the machine so far */
	pid_t keeper, standby;		/* 0: unknown */
	unsigned number, count;		/* report 1 of 4, of all that are measured, */
	unsigned most;			/* of which there may be so many, if they are threads that a command begins */
	bool taken_over;		/* the keeper was killed */
	bool running;			/* this is a checkpoint */
	const struct machine *after;	/* the machine after the run; NULL: not looked at yet */

	/* set by report_sum_up() */
	unsigned part, parts;		/* 1 of 3, of those that are written; part 0: this one is not */
	time_t started;			/* when the first meter of the run started */
	const char *status;
	struct sched_state sched_state;	/* of the meter: now, or at its end; without CPUs: unknown */
	struct sched_state children_state;	/* of the meter's children: the same */
	char schedule[128];
	struct verdict verdict;

	/* set by report_sentence() */
	uint64_t told_ns;		/* stamp of the wake-up that sentence is about; 0: there is none yet */
	char sentence[SENTENCE_SIZE];
};

/* Print all reports of the run. This is a report_printer; what points to the first struct report. */
void report_print(FILE *out, const void *what);

/*
 * Set the status, the verdict and their grounds in all reports of the run, from
 * totals and channels. running: this is a checkpoint; after: the machine after
 * the run, or NULL.
 */
void report_sum_up(struct report *reports, bool running, const struct machine *after);

/* Was a latency above --max or --break? */
bool report_is_exceeded(const struct report *report);

/* The worst exit status of all reports. saved: the report is where the user asked for it. */
enum exit_status report_exit_status(const struct report *reports, bool saved);

/*
 * Why the worst wake-up was late: "21.974 ms late: 'hog' (rt 97) had the CPU for
 * 21.672 ms", with "after the request" where there is no schedule. Printable.
 * Returns NULL where it is unknown.
 */
const char *report_sentence(struct report *report);

/*
 * Tell the result on standard error, unless the user asked for quiet: in a few rows,
 * the figures first and the verdict last. Several reports have a table before them.
 * where: the name of the report's file.
 */
void report_tell(struct report *reports, const char *where);

/* Lines of the header: which thread of another program it is. Its stamps are those of the switches to it. */
void observed_print(FILE *out, const struct report *report);

/* Lines of the header: how many wake-ups of such a thread are known by what. */
void observed_print_counts(FILE *out, const struct sums *sums);

struct block;

/* Rows of the result: which thread it was, or of several the one with the worst delay; and by what they were woken. */
void observed_tell(struct block *block, const struct report *reports, const struct report *worst);

#endif
