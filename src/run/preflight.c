// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "host/shared.h"
#include "run/findings.h"
#include "run/needs.h"
#include "run/preflight.h"

/* For the listing, to which messages come from everywhere, a child too: what is looked at, and how much was found. */
static const char *area;
static unsigned *found;

static void list(const char *message)
{
	printf("%s: %s\n", area, message);
	fflush(stdout);
	(*found)++;
}

/* Where nothing was found, that is said. What is printed is flushed, lest a child print it again. */
static void end_area(const struct preflight *preflight, unsigned found_before)
{
	if (preflight->options->check && *found == found_before)
		printf("%s: ok\n", area);
	fflush(stdout);
}

/* Whatever is refused, all is looked at. Returns what to exit with; opened: the source is. */
static enum exit_status look_at_needs(const struct preflight *preflight, bool *opened)
{
	enum exit_status status = EXIT_MEASURED;
	bool refused = false;

	for (const struct preflight_need *need = preflight_needs; need->thing; need++) {
		unsigned found_before = *found;

		if (need->is_needed && !need->is_needed(preflight->options))
			continue;
		refused |= status != EXIT_MEASURED;
		area = need->thing;
		status = need->look(preflight);
		end_area(preflight, found_before);
	}
	*opened = !status;
	return refused ? EXIT_NOT_MEASURED : status;
}

static void look_at_machine(const struct preflight *preflight, char clause[PREFLIGHT_CLAUSE_SIZE])
{
	const struct options *options = preflight->options;

	*clause = '\0';
	for (const struct finding_look *ask = finding_looks; ask->thing; ask++) {
		unsigned found_before = *found;
		struct refusal finding;
		char line[REFUSAL_LINE];

		area = ask->thing;
		/* The listing has the area before each line. */
		refusal_begin(&finding, 0, "%s", options->check ? "" : ask->thing);
		if (ask->look(preflight, &finding)) {
			refusal_clause(&finding, line, sizeof(line));
			text_append(clause, PREFLIGHT_CLAUSE_SIZE, "%s%s", *clause ? "; " : "", line);
			if (options->check || !options->quiet)
				warn("%s%s", options->check ? "" : "warning: ", refusal_line(&finding, line));
		}
		end_area(preflight, found_before);
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
	status = look_at_needs(preflight, &opened);
	look_at_machine(preflight, clause);
	if (opened && (listing || status))
		preflight->source->ops->stop(preflight->source);
	return listing ? conclude(status) : status;
}
