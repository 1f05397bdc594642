/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress line: items, of which some are left out if the line is too narrow. Pure. */
#ifndef REPORT_PROGRESS_LINE_H
#define REPORT_PROGRESS_LINE_H

#include "report/progress.h"

/* In the order of the line. */
enum line_item {
	ELAPSED,
	SAMPLES,
	PERCENT,
	TIME_LEFT,
	WORST,
	EXCEEDED,
	MISSED,
	MEASURING,
	LINE_ITEMS
};

struct line {
	const struct progress_row *worst;	/* the row with the greatest lateness; NULL: there is no sample yet */
	char item[LINE_ITEMS][48];	/* "": left out */
	char worst_cpu[24];		/* replaces item[WORST] if that has no room */
};

#define LINE_SIZE (sizeof(struct line) + 2 * LINE_ITEMS)

/* Set the items from all rows, when the run has lasted elapsed_ns. ELAPSED stays empty. */
void line_write(struct line *line, const struct progress *progress, const struct progress_row *rows, unsigned count,
		uint64_t elapsed_ns);

/* "1:02:03" */
const char *duration_text(uint64_t seconds, char text[32]);

/* Join all items. */
void line_join(const struct line *line, char text[LINE_SIZE]);

/* Leave out one item after the other, the least important first, until the text has at most width columns. */
void line_fit(struct line *line, int width, char text[LINE_SIZE]);

#endif
