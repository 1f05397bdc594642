// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"

/* A name may hold anything; a message is one line. */
static void make_plain(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			*text = '?';
}

static void (*listener)(const char *message);

/* One write for the whole line, so that two processes do not mix theirs. */
static void say(const char *format, va_list args)
{
	char line[1536];
	int cause = errno;

	vsnprintf(line, sizeof(line), format, args);
	make_plain(line);
	if (listener)
		listener(line);
	else
		fprintf(stderr, "realfeel: %s\n", line);
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
