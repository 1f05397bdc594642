// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/block.h"
#include "run/listing.h"

#define INDENT 4			/* of what does not fit into the first line */

static const char *thing = "";
static char value[256];			/* of the thing; "": it has none */
static bool is_limit;
static unsigned findings, limits, found_before;
static char passed[8192];		/* the lines of what is ok: they stand behind the findings */

void listing_count(void)
{
	++*(is_limit ? &limits : &findings);
}

static void list(const char *message)
{
	char line[1600];

	snprintf(line, sizeof(line), "%s: %s", thing, message);
	block_print(stdout, line, INDENT);
	fflush(stdout);		/* or a child that is forked later would print it again */
	listing_count();
}

void listing_open(void)
{
	diag_redirect(list);
}

void listing_begin(const char *next, bool limit)
{
	thing = next;
	is_limit = limit;
	*value = '\0';
	found_before = findings + limits;
}

void listing_value(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
}

void listing_end(void)
{
	if (findings + limits == found_before)
		text_append(passed, sizeof(passed), "%s: ok%s%s\n", thing, *value ? ": " : "", value);
}

enum exit_status listing_close(enum exit_status status)
{
	char *rest = passed, *line;

	while ((line = strsep(&rest, "\n")) && *line)
		block_print(stdout, line, INDENT);
	if (findings)
		printf("%u finding%s", findings, findings == 1 ? "" : "s");
	else
		fputs(limits ? "no findings" : "all ok", stdout);
	if (limits)
		printf(", %u limit%s of the machine", limits, limits == 1 ? "" : "s");
	puts("");
	diag_redirect(NULL);
	if (!diag_flush())
		return EXIT_NOT_MEASURED;
	return !status && findings ? EXIT_NOT_MEASURED : status;
}
