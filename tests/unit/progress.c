// SPDX-License-Identifier: GPL-2.0-or-later
/* The line on a terminal of any width: what is in it, and that it stays one line. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "progress.h"
#include "tap.h"

#define NARROW 20
#define WIDE 200
#define MARK "$"

static int terminal;
static char shown[1024];

static bool open_terminal(void)
{
	int slave;

	terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0)
		return false;
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	return slave >= 0 && dup2(slave, STDERR_FILENO) == STDERR_FILENO;
}

/* All up to a mark, for a terminal gets what is written to it a moment later. */
static void read_terminal(void)
{
	size_t length = 0;

	if (write(STDERR_FILENO, MARK, 1) != 1)
		exit(1);
	do {
		ssize_t got = read(terminal, shown + length, sizeof(shown) - 1 - length);

		if (got <= 0)
			exit(1);
		length += got;
		shown[length] = '\0';
	} while (!strstr(shown, MARK));
	*strstr(shown, MARK) = '\0';
}

/* What the terminal gets, without what takes it to the start of the line and clears the rest. */
static void show(const struct progress *progress, const struct sums *sums, int columns)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	char *end;

	ioctl(STDERR_FILENO, TIOCSWINSZ, &size);
	progress_show(progress, sums, 90000000000);
	read_terminal();
	end = strstr(shown, "\033[K");
	if (end && !end[3])
		*end = '\0';
	memmove(shown, shown + (*shown == '\r'), strlen(shown));
}

static void test_parts(const struct sums *sums)
{
	struct progress progress = { true, 5000, 0, 0, false };

	show(&progress, sums, WIDE);
	is_text(shown, "1000 samples  20%  0:06:00 left  worst 123.5 us late  12 missed", "all of it");
	progress.max_ns = 123457;
	show(&progress, sums, WIDE);
	is_text(shown, "1000 samples  20%  0:06:00 left  worst 123.5 us late  12 missed", "--max is kept");
	progress.max_ns = 123455;
	show(&progress, sums, WIDE);
	is_text(shown, "1000 samples  20%  0:06:00 left  worst 123.5 us late  --max exceeded  12 missed",
		"--max is exceeded already");
	show(&progress, sums, 60);
	is_text(shown, "20%  0:06:00 left  worst 123.5 us late  --max exceeded", "what matters least is left out");
	show(&progress, sums, NARROW);
	is_text(shown, "20%  --max exceeded", "and then all but what matters most");
	progress = (struct progress){ .on = true };
	show(&progress, sums, NARROW);
	is_text(shown, "worst 123.5 us late", "a run without an end");
	show(&progress, sums, 0);
	is_text(shown, "1000 samples  worst 123.5 us late  12 missed", "a terminal that does not say how wide it is");
}

static void test_widths(const struct sums *sums, bool shared)
{
	struct progress progress = { true, 5000, 100000000000, 100000, shared };
	unsigned wrong = 0, empty = 0, unlike = 0;

	for (int columns = NARROW; columns <= WIDE; columns++) {
		show(&progress, sums, columns);
		wrong += shared ? (int)strlen(shown) != columns : (int)strlen(shown) >= columns;
		empty += !strstr(shown, "--max exceeded");
		unlike += !!strpbrk(shown, "\r\n\033");
	}
	is(wrong, 0, shared ? "with a load it fills the line" : "it is narrower than the terminal");
	is(empty, 0, "and always says that --max is exceeded");
	is(unlike, 0, "and is one line");
}

int main(void)
{
	struct sums sums = { .samples = 1000, .missed = 12 };
	const struct progress off = { .on = false };

	if (!open_terminal()) {
		ok(true, "# SKIP there are no pseudo-terminals here");
		return done();
	}
	sums.moments[LATENESS].max = 123456;
	test_parts(&sums);
	test_widths(&sums, false);
	test_widths(&sums, true);
	sums.moments[LATENESS].max = 987654321012;
	sums.samples = UINT64_MAX / 2;
	sums.missed = UINT64_MAX / 2;
	test_widths(&sums, false);
	test_widths(&sums, true);
	show(&off, &sums, WIDE);
	is_text(shown, "", "none is shown when it is off");
	return done();
}
