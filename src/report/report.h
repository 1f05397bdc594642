/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of one meter, realfeel(5), and its verdict: can the run be believed, and
 * if not, why? A run on several CPUs has several reports, one after the other in one file.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "base/diag.h"
#include "base/options.h"
#include "explain/tap.h"
#include "host/monitor.h"
#include "host/privilege.h"
#include "host/process.h"
#include "host/sysinfo.h"
#include "load/load.h"
#include "measure/channel.h"
#include "measure/clock.h"
#include "measure/source.h"
#include "measure/totals.h"
#include "trace/symbols.h"

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
	struct perf_rings *flights;	/* what runs on each CPU, with --explain of another program */
	char *preflight;		/* flaws of the machine, as findings_look() wrote them */
};

/* What the verdict needs besides totals and channel. */
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

/* Text that does not fit ends in "...". */
struct verdict {
	enum grade grade;
	unsigned reason_count, remark_count;
	char cause[VERDICT_CAUSE];	/* the first reason for that grade, or the first remark; "": there is none */
	char reasons[VERDICT_TEXT];	/* separated by "; " */
	char remarks[VERDICT_TEXT];	/* what disturbed the run, but not its figures */
};

struct report {
	const struct run *run;
	int cpu;			/* the measured one; -1: any */
	const char *name;		/* if there are several: the CPU or thread measured */
	const struct source *source;
	const struct channel *channel;
	const struct totals *totals;
	const bool *over;		/* has the meter ended? */
	const struct disturbances *disturbances;	/* of the machine so far */
	pid_t keeper, standby;		/* 0: unknown */
	unsigned number, count;		/* report 1 of 4, counting all that are measured */
	bool taken_over;		/* the keeper was killed */

	/* set by report_sum_up() */
	bool running;			/* this is a checkpoint */
	const struct machine *after;	/* the machine after the run; NULL: not looked at yet */
	unsigned part, parts;		/* 1 of 3, counting those that are written; part 0: this one is not */
	bool idle;			/* nothing woke what it measures, but others in the run measured something */
	time_t started;			/* when the first meter of the run started */
	const char *status;		/* "checkpoint", "break", "complete" or "interrupted" */
	struct evidence evidence;

	/* set by report_judge() */
	struct verdict verdict;
};

extern const char *const grade_names[];

/* Print all reports of the run. */
void report_print(FILE *out, const struct report *reports);

/* Print its data sets; explained: with the parts of the lateness. The kernel's records are a set of their own. */
void report_print_data(FILE *out, const struct totals *totals, enum measures measures, bool explained);
void report_print_records(FILE *out, const struct report *report);

/* The kernel's records in a recording of the event, to be freed; NULL, with count 0: there are none. */
struct trace_record *report_decode(const struct report *report, const struct event *event,
				   const struct recording *recording, unsigned *count);

/* Print foreign text on one line, as realfeel(5) describes; instead: what replaces the special character. */
void report_print_text(FILE *out, const char *text, char special, const char *instead);

/* The most bytes that this many reports take in a day-long run, or fewer if the run is shorter. */
off_t report_room(const struct options *options, unsigned reports);

/*
 * Set the status, the verdict and their grounds in all reports of the run, from totals and channels. running: this is a
 * checkpoint; after: the machine after the run, or NULL.
 */
void report_sum_up(struct report *reports, bool running, const struct machine *after);

/*
 * Set the verdict from the evidence. How late the machine was is a result. What makes its figures doubtful is a reason
 * against the run: a disturbance at the worst wake-ups, or one lasting more than a thousandth of the time. Anything
 * else is a remark.
 */
void report_judge(struct report *report);

/* Was a latency above --max or --break? */
bool report_is_exceeded(const struct report *report);

/* The worst exit status of all reports. saved: the report is where the user asked for it. */
enum exit_status report_exit_status(const struct report *reports, bool saved);

/* The form of the result: rows with a label, wrapped to the terminal. */
struct block {
	FILE *out;
	unsigned columns, indent;	/* indent: of continuation lines */
	bool colour;

	unsigned at;			/* the column after what was printed last */
	bool begun;			/* something was printed on the line */
	const char *paint;		/* of the item's first word; NULL: the usual colour */
	char item[8192];		/* not printed yet */
};

/* As wide as the terminal; unlimited for anything else. Without colour. */
struct block block_begin(FILE *out, unsigned indent);

/*
 * Begin an item. One with a label begins a row, which an empty label continues; any other goes to a new line if it does
 * not fit on this one. If too long for a line, it wraps at words. paint: its first word's colour, if any; "32" is
 * green.
 */
void block_item(struct block *block, const char *label, const char *paint, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#define block_add(block, ...) text_append((block)->item, sizeof((block)->item), __VA_ARGS__)

void block_end(struct block *block);

/* Print the text as a plain line. */
void block_print(FILE *out, const char *text, unsigned indent);

/* The reports of the run, and their combined figures. */
struct all {
	const struct report *reports;
	unsigned count;
	const struct options *options;
	const struct source_ops *ops;
	const char *noun;		/* what a report covers: "CPU" or "thread" */
	const char *counted;		/* "periods", "requests" or "wake-ups" */
	const struct sums *sums[CPUS_MAX];
	uint64_t samples, missed;
	int64_t least_ns;		/* latency */
	const struct report *worst;	/* the one with the greatest latency */
	bool exceeded;			/* --max or --break, in one of them */
	unsigned measuring;		/* how many are still measuring, */
	uint64_t fewest;		/* and the samples of one of these */
	enum grade grade;		/* the worst */
	const char *cut_short;		/* the status of the first that is not complete; NULL: all are */
	uint64_t from_ns, to_ns, cut_ns;	/* of all samples; cut_ns: the end of those that were cut short */

	/* of threads of another program */
	unsigned ended, policy_width;	/* columns of the policy in the table, including the priority */
	uint64_t timed, slack_ns, unmatched, preempted, preempted_ns;
};

struct all all_of(const struct report *reports);

#define SKETCH_CELLS 24			/* with its ends, the time and the CPU, it fits in 80 columns */
#define SKETCH_SIZE (3 * SKETCH_CELLS + 1)

/*
 * Draw the latency from the least to the greatest, both scales logarithmic: each cell is as high as the logarithm of
 * its count. No cell that counts anything is empty.
 */
void histogram_sketch(char text[SKETCH_SIZE], const struct all *all, bool unicode);

/*
 * Print a row for each CPU or thread. The row with the greatest latency is marked with '>'. '~' marks a quantile that
 * sums_support() rejects; "-": there is none. end: ends each line.
 */
void table_print(FILE *out, const struct all *all, const char *end);

/* Its width, unless a number does not fit in its column. */
unsigned table_width(const struct all *all);

/*
 * Print the result on standard error, unless the user asked for quiet: in a few rows, the figures first and the verdict
 * last. For several reports, a table comes first. where: the name of the report's file.
 */
void report_summarize(const struct report *reports, const char *where);

/*
 * The progress of the run, on standard error. On a terminal it is one line,
 * redrawn in place; above it is the table of several CPUs or threads. Elsewhere it is a line a minute.
 */
struct progress {
	bool terminal;			/* standard error is a terminal, and progress is wanted */
	unsigned lines_above;		/* how many are drawn above the line with the cursor, */
	unsigned width;			/* and how wide they are */
	uint64_t minutes;		/* how many have been printed */
};

/*
 * Show the reports, elapsed_ns into the run. What does not fit the terminal, whose size may change, is left out: the
 * table, and the least important items of the line.
 */
void progress_show(struct progress *progress, const struct report *reports, uint64_t elapsed_ns);

/* Clear it from the terminal before something else is printed, unless ^S has stopped the terminal. */
void progress_clear(struct progress *progress);

/*
 * The reports' file is written as a whole or not at all, and replaces another file only on request. The folder is held
 * open for the whole run, and what is found in it is examined through a descriptor, because a name may lead elsewhere a
 * moment later. Keeper and standby share this in memory.
 */
struct report_file {
	char path[PATH_MAX];		/* "-": standard output */
	char *base;			/* its last part, the name in the folder */
	char first[PATH_MAX];		/* the path without a number */
	bool named;			/* by the user */
	bool force;			/* an existing file may be replaced */
	int folder;			/* descriptor of the path's folder; less than 0: -errno */
	int stream;			/* of a pipe, a device or standard output, never replaced; -1: it is a file */
	bool streamed;			/* a stream, such as standard output, has the whole report */
	off_t room;			/* bytes that a report may take */
	int reserve;			/* an unnamed file that reserves this room; -1: there is none */
	char temporary[NAME_MAX + 1];	/* the name of a file that is being written; "": there is none */
	struct stat ours, next;		/* the report that is there, and the one that is to replace it */
	const struct signals *signals;	/* one ends the wait for a pipe's reader; set it before a report is saved */
};

/*
 * For each standard descriptor that is closed, open a file that cannot be written to. Otherwise messages and reports
 * would go to the next file opened.
 */
void report_file_guard_descriptors(void);

/*
 * Choose the path: name or, if that is NULL, usual, numbered if it is taken. Check that
 * a file can be created there, and reserve room bytes for it. folder: as in struct
 * report_file. Returns 0, or -1 after a warning if the report cannot go there.
 */
int report_file_reserve(struct report_file *file, int folder, const char *name, const char *usual, bool force,
			off_t room);

/* Reserve room bytes in total, if any were reserved. Returns 0, or -1 after a warning. */
int report_file_extend(struct report_file *file, off_t room);

/* For a process that takes over after a kill. */
void report_file_inherit(struct report_file *file);

/*
 * Save the reports under the path, in place of the earlier ones. If another file has appeared there, it is left alone,
 * and the path gets the next free number. Returns 0, or -1 with errno: the earlier reports are then still there. To a
 * pipe or a device, nothing is written before the end of the run, and 0 is returned.
 */
int report_file_checkpoint(struct report_file *file, const struct report *reports);

/*
 * Save the last reports. If that fails they go to standard output, after a
 * warning. Returns 0, or -1 when they are not where the user asked for them.
 */
int report_file_save(struct report_file *file, const struct report *reports);

/*
 * In path.c, for file.c: choose the path as report_file_reserve() does, without reserving anything; change it to the
 * first free numbered one, or follow a folder moved during the run; and see whether two files are the same.
 */
int report_path_choose(struct report_file *file, int folder, const char *name, const char *usual, bool force);
void report_path_take_next(struct report_file *file);
bool report_path_follow(struct report_file *file);
bool report_path_is_same(const struct stat *one, const struct stat *other);

#endif
