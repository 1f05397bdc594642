// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "host/shared.h"
#include "run/preflight_findings.h"
#include "run/preflight_prepare.h"
#include "run/preflight.h"

/*
 * For the listing of --check. Child processes print findings, too, so their
 * count is in shared memory.
 */
static const char *area;
static unsigned *found, found_before;

static void list(const char *message)
{
	printf("%s: %s\n", area, message);
	fflush(stdout);
	(*found)++;
}

static void begin_area(const char *thing)
{
	area = thing;
	found_before = *found;
}

/* Without the flush, a child that is forked later would print the same output again. */
static void end_area(const struct preflight *preflight)
{
	if (preflight->options->check && *found == found_before)
		printf("%s: ok\n", area);
	fflush(stdout);
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
		end_area(preflight);
	}
	*opened = !status;
	return refused ? EXIT_NOT_MEASURED : status;
}

/* Writes the findings, or "ok", into clause. */
static void look_at_machine(const struct preflight *preflight, char clause[PREFLIGHT_CLAUSE_SIZE])
{
	const struct options *options = preflight->options;

	*clause = '\0';
	for (const struct finding_look *next = finding_looks; next->thing; next++) {
		struct refusal finding;

		begin_area(next->thing);
		/* The listing of --check begins each line with the area. */
		refusal_begin(&finding, 0, "%s", options->check ? "" : next->thing);
		if (next->look(preflight, &finding)) {
			char line[REFUSAL_LINE];

			refusal_clause(&finding, line, sizeof(line));
			text_append(clause, PREFLIGHT_CLAUSE_SIZE, "%s%s", *clause ? "; " : "", line);
			if (options->check || !options->quiet)
				warn("%s%s", options->check ? "" : "warning: ", refusal_line(&finding, line));
		}
		end_area(preflight);
	}
	if (!*clause)
		text_append(clause, PREFLIGHT_CLAUSE_SIZE, "ok");
}

/* The last line of the listing. */
static enum exit_status conclude(enum exit_status status)
{
	if (*found)
		printf("%u finding%s\n", *found, *found == 1 ? "" : "s");
	else
		puts("all ok");
	diag_redirect(NULL);
	if (!diag_flush())
		return EXIT_NOT_MEASURED;
	return !status && *found ? EXIT_NOT_MEASURED : status;
}

enum exit_status preflight_run(const struct preflight *preflight, char clause[PREFLIGHT_CLAUSE_SIZE])
{
	bool listing = preflight->options->check, opened;
	enum exit_status status;

	found = shared_create(sizeof(*found));
	if (!found)
		die(EXIT_NOT_MEASURED, "allocate memory: %m; free some");
	if (listing)
		diag_redirect(list);
	status = prepare_all(preflight, &opened);
	look_at_machine(preflight, clause);
	if (opened && (listing || status))
		preflight->source->ops->stop(preflight->source);
	return listing ? conclude(status) : status;
}
