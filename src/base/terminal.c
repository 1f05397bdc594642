// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/text.h"

#define USUAL_COLUMNS 80
#define USUAL_ROWS 24

struct winsize terminal_size(int fd)
{
	struct winsize size = { .ws_col = 0 };

	ioctl(fd, TIOCGWINSZ, &size);
	if (!size.ws_col)
		size.ws_col = USUAL_COLUMNS;
	if (!size.ws_row)
		size.ws_row = USUAL_ROWS;
	return size;
}

void terminal_print(FILE *out, const char *text, int indent)
{
	char *printable = malloc(4 * strlen(text) + 2);
	int columns = isatty(fileno(out)) ? terminal_size(fileno(out)).ws_col : INT_MAX, before = 0;

	if (!printable)
		return;
	text_print(printable, 4 * strlen(text) + 2, text);
	text = printable;
	do {
		int length = text_fit(text, columns - before);

		fprintf(out, "%*s%.*s\n", before, "", length, text);
		text += length;
		text += *text == ' ';
		before = indent;
	} while (*text);
	free(printable);
}
