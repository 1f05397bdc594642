// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/process.h"
#include "report/block.h"
#include "run/preflight_findings.h"
#include "run/preflight_prepare.h"

#define INDENT 4			/* of what does not fit into the first line */

/* The listing of --check. Child processes print findings, too, so this is in shared memory. */
static struct listing {
	unsigned findings, limits;
	char value[256];		/* of the thing that is looked at; "": it has none */
} *listing;

static const char *area;
static bool limit;			/* what is found now is a limit of the machine */
static unsigned found_before;
static char passed[8192];		/* the lines of what is ok: they stand behind the findings */

static unsigned found(void)
{
	return listing->findings + listing->limits;
}

static void list(const char *message)
{
	char line[1600];

	snprintf(line, sizeof(line), "%s: %s", area, message);
	block_print(stdout, line, INDENT);
	fflush(stdout);		/* or a child that is forked later would print it again */
	++*(limit ? &listing->limits : &listing->findings);
}

void preflight_value(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(listing->value, sizeof(listing->value), format, args);
	va_end(args);
}

static void begin_area(const char *thing)
{
	area = thing;
	*listing->value = '\0';
	found_before = found();
}

static void end_area(void)
{
	if (found() == found_before)
		text_append(passed, sizeof(passed), "%s: ok%s%s\n", area, *listing->value ? ": " : "", listing->value);
}

/*
 * Make all preparations, even after a refusal, so that the user learns of all
 * refusals at once. Returns the status to exit with; opened: the source is open.
 */
static enum exit_status prepare_all(const struct preflight *preflight, bool *opened)
{
	enum exit_status status = EXIT_MEASURED;
	bool refused = false;

	for (const struct preparation *next = preparations; next->thing; next++) {
		if (next->is_needed && !next->is_needed(preflight->options))
			continue;
		refused |= status != EXIT_MEASURED;
		begin_area(next->thing);
		status = next->prepare(preflight);
		end_area();
	}
	*opened = !status;
	return refused ? EXIT_NOT_MEASURED : status;
}

/* Adds what it finds to the clause of the report. */
static void look_at(const struct finding_look *look, const struct preflight *preflight,
		    char clause[PREFLIGHT_CLAUSE_SIZE])
{
	const struct options *options = preflight->options;
	struct refusal finding;
	char line[REFUSAL_LINE];

	/* The listing of --check begins each line with the area. */
	refusal_begin(&finding, 0, "%s", options->check ? "" : look->thing);
	if (!look->look(preflight, &finding))
		return;
	refusal_clause(&finding, line, sizeof(line));
	text_append(clause, PREFLIGHT_CLAUSE_SIZE, "%s%s", *clause ? "; " : "", line);
	if (options->check || !options->quiet)
		warn("%s%s", options->check ? "" : "warning: ", refusal_line(&finding, line));
}

/* Writes the findings, or "ok", into clause. */
static void look_at_machine(const struct preflight *preflight, char clause[PREFLIGHT_CLAUSE_SIZE])
{
	*clause = '\0';
	for (const struct finding_look *next = finding_looks; next->thing; next++) {
		if (next->kind != FLAW && !preflight->options->check)
			continue;
		begin_area(next->thing);
		limit = next->kind == LIMIT;
		look_at(next, preflight, clause);
		end_area();
	}
	if (!*clause)
		text_append(clause, PREFLIGHT_CLAUSE_SIZE, "ok");
}

static void print_passed(void)
{
	char *rest = passed, *line;

	while ((line = strsep(&rest, "\n")) && *line)
		block_print(stdout, line, INDENT);
}

static void print_sum(void)
{
	unsigned findings = listing->findings, limits = listing->limits;

	if (!found())
		printf("all ok");
	else if (findings)
		printf("%u finding%s", findings, findings == 1 ? "" : "s");
	else
		printf("no findings");
	if (limits)
		printf(", %u limit%s of the machine", limits, limits == 1 ? "" : "s");
	puts("");
}

/* What is ok, and the last line of the listing. */
static enum exit_status conclude(enum exit_status status)
{
	print_passed();
	print_sum();
	diag_redirect(NULL);
	if (!diag_flush())
		return EXIT_NOT_MEASURED;
	return !status && listing->findings ? EXIT_NOT_MEASURED : status;
}

enum exit_status preflight_run(const struct preflight *preflight, char clause[PREFLIGHT_CLAUSE_SIZE])
{
	bool check = preflight->options->check, opened;
	enum exit_status status;

	listing = shared_create(sizeof(*listing));
	if (!listing)
		die(EXIT_NOT_MEASURED, "allocate memory: %m; free some");
	if (check)
		diag_redirect(list);
	status = prepare_all(preflight, &opened);
	look_at_machine(preflight, clause);
	if (opened && (check || status))
		preflight->source->ops->stop(preflight->source);
	return check ? conclude(status) : status;
}
