// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/process.h"
#include "report/block.h"
#include "run/preflight.h"

#define INDENT 4			/* of what does not fit into the first line */

/* The listing of --check. Child processes print findings, too, so this is in shared memory. */
static struct listing {
	unsigned findings, limits;
	char value[256];		/* of the thing that is looked at; "": it has none */
} *listing;

static const char *area;
static bool is_limit;
static unsigned found_before;
static char passed[8192];		/* the lines of what is ok: they stand behind the findings */

static void list(const char *message)
{
	char line[1600];

	snprintf(line, sizeof(line), "%s: %s", area, message);
	block_print(stdout, line, INDENT);
	fflush(stdout);		/* or a child that is forked later would print it again */
	++*(is_limit ? &listing->limits : &listing->findings);
}

void preflight_value(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(listing->value, sizeof(listing->value), format, args);
	va_end(args);
}

void preflight_begin(const char *thing, bool limit)
{
	area = thing;
	is_limit = limit;
	*listing->value = '\0';
	found_before = listing->findings + listing->limits;
}

void preflight_end(void)
{
	if (listing->findings + listing->limits == found_before)
		text_append(passed, sizeof(passed), "%s: ok%s%s\n", area, *listing->value ? ": " : "", listing->value);
}

/* What is ok, and the last line of the listing. */
static enum exit_status conclude(enum exit_status status)
{
	unsigned findings = listing->findings, limits = listing->limits;
	char *rest = passed, *line;

	while ((line = strsep(&rest, "\n")) && *line)
		terminal_print(stdout, line, INDENT);
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

enum exit_status preflight_run(const struct preflight *preflight)
{
	bool check = preflight->run->options->check, opened;
	enum exit_status status;

	listing = shared_create(sizeof(*listing));
	if (!listing)
		die(EXIT_NOT_MEASURED, "allocate memory: %m; free some");
	if (check)
		diag_redirect(list);
	status = preflight_prepare(preflight, &opened);
	preflight_find(preflight);
	if (opened && (check || status))
		preflight->source->ops->stop(preflight->source);
	return check ? conclude(status) : status;
}
