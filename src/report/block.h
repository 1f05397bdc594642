/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The form of the result: rows with a label, wrapped to the terminal; a table; and a histogram of one line. */
#ifndef REPORT_BLOCK_H
#define REPORT_BLOCK_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/sums.h"

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

/* Begin a row, which ends the one before. An empty label continues that. */
void block_row(struct block *block, const char *label);

/*
 * Begin an item of the row: it goes to a new line if this one has no room, and is wrapped
 * at words if no line has. paint: of its first word, if there is colour; "32" is green.
 */
void block_item(struct block *block, const char *paint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Append to the item. */
void block_add(struct block *block, const char *format, ...) __attribute__((format(printf, 2, 3)));

void block_end(struct block *block);

/* Print the text as a line, plain. */
void block_print(FILE *out, const char *text, unsigned indent);

/*
 * Print a row for each of so many CPUs or what the noun says, with its name. The row with the
 * greatest latency is marked with '>'. A quantile without sums_support() is marked with
 * '~'; "-": there is none. end: of each line.
 */
void block_table(FILE *out, const char *noun, const char *const names[], const struct sums *const sums[],
		 unsigned count, const char *end);

/* Its columns, unless a number has no room in its own. */
unsigned block_table_width(const char *const names[], unsigned count);

#define SKETCH_CELLS 24			/* with its ends, the time and the CPU it fits 80 columns */
#define SKETCH_SIZE (3 * SKETCH_CELLS + 1)

/*
 * Draw the latency of all these sums from the least to the greatest, both scales
 * logarithmic: each cell is a range of equal ratio, and is as high as the logarithm of
 * its count. No cell that counts anything is empty. Without unicode the heights are
 * ".:-=+*#@". Without a sample, text is empty.
 */
void block_sketch(char text[SKETCH_SIZE], const struct sums *const sums[], unsigned count, bool unicode);

#endif
