// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tap.h"
#include "terminal.h"

#define MARK "$"

static int terminal;

bool terminal_open(void)
{
	int slave;

	terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0)
		return false;
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	return slave >= 0 && dup2(slave, STDERR_FILENO) == STDERR_FILENO;
}

void terminal_read(char shown[TERMINAL_SIZE])
{
	size_t length = 0;

	if (write(STDERR_FILENO, MARK, 1) != 1)
		exit(1);
	do {
		ssize_t got = read(terminal, shown + length, TERMINAL_SIZE - 1 - length);

		if (got <= 0)
			exit(1);
		length += got;
		shown[length] = '\0';
	} while (!strstr(shown, MARK));
	*strstr(shown, MARK) = '\0';
}

void terminal_resize(int rows, int columns)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };

	ioctl(STDERR_FILENO, TIOCSWINSZ, &size);
}

static struct {
	char cell[SCREEN_ROWS][SCREEN_COLUMNS + 1];
	int rows, columns, y, x;
} screen;

void screen_open(int rows, int columns)
{
	memset(&screen, 0, sizeof(screen));
	screen.rows = rows;
	screen.columns = columns;
	terminal_resize(rows, columns);
}

static void next_line(void)
{
	if (screen.y < screen.rows - 1) {
		screen.y++;
		return;
	}
	memmove(screen.cell[0], screen.cell[1], (screen.rows - 1) * sizeof(*screen.cell));
	memset(screen.cell[screen.y], 0, sizeof(*screen.cell));
}

static void put(char c)
{
	char *line;

	if (screen.x == screen.columns) {
		screen.x = 0;
		next_line();
	}
	line = screen.cell[screen.y];
	for (int x = 0; x < screen.x; x++)
		if (!line[x])
			line[x] = ' ';
	line[screen.x++] = c;
}

/* Returns what follows the sequence after ESC [. */
static const char *obey(const char *sequence)
{
	char *command;
	long number = strtol(sequence, &command, 10);

	if (*command == 'A')
		screen.y = number > screen.y ? 0 : screen.y - number;
	else if (*command == 'K' || *command == 'J')
		memset(screen.cell[screen.y] + screen.x, 0, sizeof(*screen.cell) - screen.x);
	else
		ok(false, "an unknown sequence: %s", sequence);
	if (*command == 'J')
		for (int y = screen.y + 1; y < screen.rows; y++)
			memset(screen.cell[y], 0, sizeof(*screen.cell));
	return command + 1;
}

void screen_take(const char *text)
{
	while (*text) {
		if (strncmp(text, "\033[", 2) == 0) {
			text = obey(text + 2);
			continue;
		}
		if (*text == '\r')
			screen.x = 0;
		else if (*text == '\n')
			next_line();
		else
			put(*text);
		text++;
	}
}

const char *screen_text(void)
{
	static char text[SCREEN_ROWS * (SCREEN_COLUMNS + 2)];
	char *to = text;

	*text = '\0';
	for (int y = 0; y < screen.rows; y++) {
		to = stpcpy(to, screen.cell[y]);
		while (to > text && to[-1] == ' ')
			to--;
		to = stpcpy(to, "\n");
	}
	while (to > text && to[-1] == '\n')
		*--to = '\0';
	return text;
}
