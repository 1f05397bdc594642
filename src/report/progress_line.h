/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line that tells how far the run is: in parts, of which some are left out where there is no room. Pure. */
#ifndef REPORT_PROGRESS_LINE_H
#define REPORT_PROGRESS_LINE_H

/* In the order in which they stand. */
enum line_part {
	ELAPSED,
	CELL,
	SAMPLES,
	PERCENT,
	TIME_LEFT,
	WORST,
	EXCEEDED,
	MISSED,
	MEASURING,
	LINE_PARTS
};

struct line {
	char part[LINE_PARTS][48];	/* "": left out */
	char worst_cpu[24];		/* stands for the worst where that has no room */
};

#define LINE_SIZE (sizeof(struct line) + 2 * LINE_PARTS)

void line_set(struct line *line, enum line_part part, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* All that there is. */
void line_join(const struct line *line, char text[LINE_SIZE]);

/* Leave out one after the other, what matters least first, until the text is no wider than that. */
void line_fit(struct line *line, int width, char text[LINE_SIZE]);

#endif
