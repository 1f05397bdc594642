// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/terminal.h"

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
