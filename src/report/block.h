/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The form of the result: rows with a label, wrapped to the terminal; a table; and a histogram of one line. */
#ifndef REPORT_BLOCK_H
#define REPORT_BLOCK_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

struct block {
	FILE *out;
	unsigned columns, indent;	/* indent: of what does not fit into the first line */
	bool colour;

	unsigned at;			/* the column after what was printed last */
	bool begun;			/* something was printed into the line */
	const char *paint;		/* of the item's first word; NULL: the usual colour */
	char item[8192];		/* not printed yet */
};

/* For a terminal with its width, for anything else without end. It has no colour. */
struct block block_begin(FILE *out, unsigned indent);

/*
 * Begin an item. One with a label begins a row, which an empty label continues; any other goes to
 * a new line if this one has no room. It is wrapped at words if no line has. paint: of its
 * first word, if there is colour; "32" is green.
 */
void block_item(struct block *block, const char *label, const char *paint, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Append to the item. */
void block_add(struct block *block, const char *format, ...) __attribute__((format(printf, 2, 3)));

void block_end(struct block *block);

/* Print the text as a line, plain. */
void block_print(FILE *out, const char *text, unsigned indent);

/* The reports of the run, and what they have together. */
struct all {
	struct report *reports;
	unsigned count;
	const struct options *options;
	const struct source_ops *ops;
	const char *noun;		/* what a report is of: "CPU" or "thread" */
	const struct sums *sums[CPUS_MAX];
	uint64_t samples, missed;
	int64_t least_ns;		/* latency */
	struct report *worst;		/* the one with the greatest latency */
	bool exceeded;			/* --max or --break, in one of them */
	unsigned measuring;		/* how many still measure, */
	uint64_t fewest;		/* and the samples of one of these */
	enum grade grade;		/* the worst */
	const char *cut_short;		/* the status of the first that is not complete; NULL: all are */
	uint64_t from_ns, to_ns, cut_ns;	/* of all samples; cut_ns: the end of those that were cut short */

	/* of threads of another program */
	unsigned ended;
	uint64_t timed, slack_ns, unmatched, preempted, preempted_ns;
};

struct all all_of(struct report *reports);

/*
 * Print a row for each CPU or thread. The row with the greatest latency is marked with '>'. A
 * quantile without sums_support() is marked with '~'; "-": there is none. end: of each line.
 */
void block_table(FILE *out, const struct all *all, const char *end);

/* Its columns, unless a number has no room in its own. */
unsigned block_table_width(const struct all *all);

#define SKETCH_CELLS 24			/* with its ends, the time and the CPU it fits 80 columns */
#define SKETCH_SIZE (3 * SKETCH_CELLS + 1)

/*
 * Draw the latency from the least to the greatest, both scales logarithmic: each cell is a
 * range of equal ratio, and is as high as the logarithm of its count. No cell that counts
 * anything is empty. Without unicode the heights are ".:-=+*#@". Without a sample, text is empty.
 */
void block_sketch(char text[SKETCH_SIZE], const struct all *all, bool unicode);

#endif
