/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of the result: rows with a label, wrapped to the width of the terminal;
 * the table of several CPUs or threads; and a histogram of one line.
 */
#ifndef REPORT_BLOCK_H
#define REPORT_BLOCK_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/totals.h"

struct block {
	FILE *out;
	unsigned columns, indent;	/* indent: of what does not fit into the first line */
	bool terminal, colour, unicode;	/* what the reader has */

	unsigned at;			/* the column after what was put last */
	bool begun;			/* something was put into the line */
	const char *paint;		/* of the next word; NULL: the usual colour */
};

/*
 * For standard error. On a terminal it is in colour unless NO_COLOR is set or the
 * terminal is dumb; elsewhere it is plain, and each row is a line.
 */
struct block block_begin(void);

/* Print the text as a line, plain, wrapped at words on a terminal: all lines but the first are indented. */
void block_print(FILE *out, const char *text, unsigned indent);

/* Begin a row, which ends the one before. An empty label continues that. */
void block_row(struct block *block, const char *label);

/* Paint the next word, if there is colour: "32" is green. */
void block_paint(struct block *block, const char *colour);

/* Put an item into the row; on a new line if this one has no room, and wrapped at words if no line has. */
void block_put(struct block *block, const char *format, ...) __attribute__((format(printf, 2, 3)));

void block_end(struct block *block);

/*
 * Print a row for each of so many CPUs or what the noun says, with its name. The row with the
 * greatest latency is marked with '>'. A quantile without sums_support() is marked with
 * '~'; "-": there is none.
 */
void report_table(FILE *out, const char *noun, const char *const names[], const struct sums *const sums[],
		  unsigned count);

#define SKETCH_CELLS 24			/* with its ends, the time and the CPU it fits 80 columns */
#define SKETCH_SIZE (3 * SKETCH_CELLS + 1)

/*
 * Draw the latency of all these sums from the least to the greatest, both scales
 * logarithmic: each cell is a range of equal ratio, and is as high as the logarithm of
 * its count. No cell that counts anything is empty. Without unicode the heights are
 * ".:-=+*#@". Without a sample, text is empty.
 */
void sketch(char text[SKETCH_SIZE], const struct sums *const sums[], unsigned count, bool unicode);

#endif
