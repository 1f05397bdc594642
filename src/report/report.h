/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of one meter, realfeel(5), and its verdict: can the run be believed, and
 * if not, why? A run on several CPUs has several reports, one after the other in one file.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/diag.h"
#include "base/options.h"
#include "explain/tap.h"
#include "host/monitor.h"
#include "host/privilege.h"
#include "host/sysinfo.h"
#include "load/load.h"
#include "measure/channel.h"
#include "measure/clock.h"
#include "measure/source.h"
#include "measure/totals.h"
#include "trace/symbols.h"

#define SENTENCE_SIZE 160
#define VERDICT_CAUSE 512
#define VERDICT_TEXT 4096

/* The plan of the run, made before the measurement. What it points to is constant afterwards, but for the load. */
struct run {
	const struct options *options;
	const struct machine *machine;	/* before the run */
	const struct caller *caller;
	struct clock *clock;		/* as calibrated; a meter uses a copy */
	struct load *load;
	struct symbols *symbols;	/* of the kernel, with --explain=stacks; a meter forgets them */
	char *unexplained;		/* REFUSAL_CLAUSE bytes: why --best-effort does without --explain, or "" */
	struct perf_rings *flights;	/* what has each CPU, with --explain of another program */
	char *preflight;		/* flaws of the machine, as findings_look() wrote them */
};

/* What the verdict needs beside the totals and the channel. */
struct evidence {
	struct sched_state meter, children;	/* of both: now, or at the end; cpus 0: unknown */
	char schedule[128];		/* did the source keep it? "kept", or "contradicted: " and how */
	int64_t late_ns, explained_ns;	/* of the wake-up whose records leave most of the lateness unexplained */
	unsigned at_worst;		/* what disturbed the run at its worst wake-ups: bits 1 << enum seen */
	char changes[2048];		/* of the environment, or "" */
	char load[256];			/* what is doubtful about the load, or "" */
};

enum grade {
	VALID,
	SUSPECT,
	INVALID
};

/* A text that has no room ends in "...". */
struct verdict {
	enum grade grade;
	unsigned reason_count, remark_count;
	char cause[VERDICT_CAUSE];	/* the first reason for that grade, or the first remark; "": there is none */
	char reasons[VERDICT_TEXT];	/* with "; " between two */
	char remarks[VERDICT_TEXT];	/* what disturbed the run, but not its figures */
};

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
	unsigned most;			/* upper limit of count: a command may start more threads */
	bool taken_over;		/* the keeper was killed */

	/* set by report_sum_up() */
	bool running;			/* this is a checkpoint */
	const struct machine *after;	/* the machine after the run; NULL: not looked at yet */
	unsigned part, parts;		/* 1 of 3, of those that are written; part 0: this one is not */
	bool idle;			/* nothing woke what it measures, but others of the run measured something */
	time_t started;			/* when the first meter of the run started */
	const char *status;		/* "checkpoint", "break", "complete" or "interrupted" */
	struct evidence evidence;

	/* set by report_judge() */
	struct verdict verdict;

	/* set by report_sentence() */
	uint64_t sentence_ns;		/* stamp of the wake-up that the sentence is about; 0: there is none yet */
	char sentence[SENTENCE_SIZE];
};

/* "valid", "suspect", "invalid" */
extern const char *const grade_names[];

/* Print all reports of the run. This is a report_printer; what points to the first struct report. */
void report_print(FILE *out, const void *what);

/* Print its data sets; explained: with the parts of the lateness. The kernel's records are one of their own. */
void report_print_data(FILE *out, const struct totals *totals, enum measures measures, bool explained);
void report_print_records(FILE *out, const struct report *report);

/* Upper limit of the bytes that this number of reports of a run takes: of a day, or less if the run is shorter. */
off_t report_room(const struct options *options, unsigned reports);

/* How many of the reports there is something in: threads of a command are counted up to the last that has begun. */
unsigned report_count_begun(const struct report *reports);

/*
 * Set the status, the verdict and their grounds in all reports of the run, from
 * totals and channels. running: this is a checkpoint; after: the machine after
 * the run, or NULL.
 */
void report_sum_up(struct report *reports, bool running, const struct machine *after);

/*
 * Set the verdict from the evidence. How late the machine was is a
 * result. A reason against the run is what makes its figures doubtful: of a
 * disturbance, that it was there at the worst wake-ups, or for more than 1 in 1,000
 * of the time. Otherwise it is a remark.
 */
void report_judge(struct report *report);

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
 * Print the result on standard error, unless the user asked for quiet: in a few rows,
 * the figures first and the verdict last. Several reports have a table before them.
 * where: the name of the report's file.
 */
void report_summarize(struct report *reports, const char *where);

/*
 * The progress of the run, on standard error. On a terminal it is one line,
 * redrawn in place; above it is the table of several CPUs or threads, and --explain adds
 * why the worst wake-up was late. Elsewhere it is a line a minute.
 */
struct progress {
	const struct options *options;
	bool terminal;			/* standard error is one */

	unsigned lines_above;		/* how many are drawn above the line with the cursor, */
	unsigned width;			/* and how wide they are */
	uint64_t minutes;		/* how many have been printed */
};

void progress_begin(struct progress *progress, const struct options *options);

/*
 * Show the reports, when the run has lasted elapsed_ns. What does not fit the
 * terminal, whose size may change, is left out: the table, and of the line the
 * least important items.
 */
void progress_show(struct progress *progress, struct report *reports, uint64_t elapsed_ns);

/* Clear it from the terminal before something else is printed, unless ^S has stopped the terminal. */
void progress_clear(struct progress *progress);

#endif
