// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <string.h>

#include "base/refusal.h"
#include "base/text.h"

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
