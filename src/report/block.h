/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The form of the result: rows with a label, wrapped to the width of the terminal. */
#ifndef REPORT_BLOCK_H
#define REPORT_BLOCK_H

#include <stdbool.h>
#include <stdio.h>

struct block {
	FILE *out;
	unsigned columns;
	bool terminal, colour, unicode;	/* what the reader has */

	unsigned at;			/* the column after what was put last */
	const char *paint;		/* of the next word; NULL: the usual colour */
};

/*
 * For standard error. On a terminal it is in colour unless NO_COLOR is set or the
 * terminal is dumb; elsewhere it is plain, and each row is a line.
 */
struct block block_begin(void);

/* Begin a row. An empty label continues the row before. */
void block_row(struct block *block, const char *label);

/* Paint the next word, if there is colour: "32" is green. */
void block_paint(struct block *block, const char *colour);

/* Put an item into the row; on a new line if this one has no room, and wrapped at words if no line has. */
void block_put(struct block *block, const char *format, ...) __attribute__((format(printf, 2, 3)));

void block_end_row(struct block *block);

#endif
