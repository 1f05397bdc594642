// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/progress_line.h"

void line_set(struct line *line, enum line_part part, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(line->part[part], sizeof(line->part[part]), format, args);
	va_end(args);
}

void line_join(const struct line *line, char text[LINE_SIZE])
{
	const char *separator = "";

	*text = '\0';
	for (int part = 0; part < LINE_PARTS; part++) {
		if (!*line->part[part])
			continue;
		text = stpcpy(stpcpy(text, separator), line->part[part]);
		separator = "  ";
	}
}

static void leave_out(struct line *line, enum line_part part)
{
	*line->part[part] = '\0';
	if (part == WORST) {
		strcpy(line->part[WORST], line->worst_cpu);
		*line->worst_cpu = '\0';
	}
}

void line_fit(struct line *line, int width, char text[LINE_SIZE])
{
	static const enum line_part least_first[] = {
		SAMPLES, MISSED, TIME_LEFT, MEASURING, WORST, WORST, CELL, PERCENT, EXCEEDED
	};

	line_join(line, text);
	for (unsigned i = 0; i < sizeof(least_first) / sizeof(*least_first) && (int)strlen(text) > width; i++) {
		leave_out(line, least_first[i]);
		line_join(line, text);
	}
}
