/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before the first sample: whatever would spoil the run is found and told, all
 * of it at once. What is refused ends the run, what is found amiss with the machine
 * stays in the report.
 */
#ifndef RUN_PREFLIGHT_H
#define RUN_PREFLIGHT_H

#include "base/diag.h"
#include "base/options.h"
#include "host/privilege.h"
#include "host/signals.h"
#include "measure/clock.h"
#include "measure/source.h"
#include "report/file.h"
#include "trace/symbols.h"

#define PREFLIGHT_CLAUSE_SIZE 2048

struct preflight {
	const struct options *options;
	const char *usual_name;		/* of the report, */
	int folder;			/* the one that it goes to, see privilege_caller(), and */
	const struct caller *caller;	/* whose it is to be */

	/* to be opened */
	struct report_file *output;
	struct clock *clock;
	struct signals *signals;	/* before the source */
	struct source *source;
	struct symbols *symbols;	/* with --explain, before the source */
	char *unexplained;		/* REFUSAL_CLAUSE bytes, "": why --best-effort does without --explain */
};

/*
 * Open what the run needs, try the rights, look at the machine. Warns of each
 * thing that is refused, and of each finding unless the user asked for quiet;
 * with --check, all of it and the result go to standard output instead.
 * Writes the findings without their remedies, joined by "; ", or "ok" into
 * clause. Returns EXIT_MEASURED (0) when the run can be had; with --check, when
 * nothing was found. After any other value, and with --check, everything is
 * put back.
 */
enum exit_status preflight_run(const struct preflight *preflight, char clause[PREFLIGHT_CLAUSE_SIZE]);

#endif
