// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int fail(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return status;
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

static void set(char *text, size_t size, const char *format, va_list args)
{
	*text = '\0';
	text_append_list(text, size, format, args);
}

void refusal_begin(struct refusal *refusal, int error, const char *what, ...)
{
	va_list args;

	*refusal = (struct refusal){ .error = error };
	va_start(args, what);
	set(refusal->what, sizeof(refusal->what), what, args);
	va_end(args);
}

void refusal_reason(struct refusal *refusal, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(refusal->reason, sizeof(refusal->reason), format, args);
	va_end(args);
}

void refusal_remedy(struct refusal *refusal, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(refusal->remedy, sizeof(refusal->remedy), format, args);
	va_end(args);
}

void refusal_clause(const struct refusal *refusal, char *clause, size_t size)
{
	const char *const parts[] = {
		refusal->what, refusal->error ? strerror(refusal->error) : "", refusal->reason,
	};

	*clause = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (*parts[i])
			text_append(clause, size, "%s%s", *clause ? ": " : "", parts[i]);
}

const char *refusal_line(const struct refusal *refusal, char line[REFUSAL_LINE])
{
	refusal_clause(refusal, line, REFUSAL_LINE);
	text_append(line, REFUSAL_LINE, "; %s", refusal->remedy);
	return line;
}
