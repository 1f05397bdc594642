// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/text.h"

static void (*listener)(const char *message);

/*
 * The whole line is printed by one write, so lines of two processes do not mix.
 * A file name in it may hold any byte, even a line feed.
 */
static void say(const char *format, va_list args)
{
	char line[1536], printable[4 * sizeof(line)];
	int cause = errno;

	vsnprintf(line, sizeof(line), format, args);
	text_print(printable, sizeof(printable), line);
	if (listener)
		listener(printable);
	else
		fprintf(stderr, "realfeel: %s\n", printable);
	errno = cause;
}

void diag_redirect(void (*to)(const char *message))
{
	listener = to;
}

void warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void die(enum exit_status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	exit(status);
}

bool diag_flush(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	warn("write standard output: %m; free some space, or redirect it");
	return false;
}
