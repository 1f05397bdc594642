// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines on standard error, and refusals that become such lines. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

static void (*listener)(const char *message);

/* One write prints the line, so lines of two processes do not mix. A file name in it may hold any byte. */
void warn(const char *format, ...)
{
	char line[1536], printable[4 * sizeof(line)];
	int cause = errno;
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
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

bool diag_flush(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	warn("write to standard output: %m; free some space, or redirect it");
	return false;
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
