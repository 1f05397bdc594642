/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before the first sample: prepare what the run needs, and look for flaws of
 * the machine. The user is told everything at once. A refusal ends the run; a
 * flaw is a warning, and the report keeps it.
 */
#ifndef RUN_PREFLIGHT_H
#define RUN_PREFLIGHT_H

#include "base/diag.h"
#include "base/options.h"
#include "explain/tap.h"
#include "host/privilege.h"
#include "host/signals.h"
#include "host/sysinfo.h"
#include "measure/clock.h"
#include "measure/source.h"
#include "report/file.h"
#include "trace/symbols.h"

#define PREFLIGHT_CLAUSE_SIZE 2048

struct preflight {
	const struct options *options;
	const char *usual_name;		/* the report's name unless the user gave one */
	int folder;			/* the report's folder: see privilege_caller() */
	const struct machine *machine;
	const struct caller *caller;	/* the user who will own the report */

	/* what is to be prepared */
	struct report_file *output;
	struct clock *clock;
	struct signals *signals;	/* before the source */
	struct source *source;
	struct symbols *symbols;	/* of the kernel, with --explain=stacks */
	struct flights *flights;	/* what has each CPU, with --explain of another program */
	char *unexplained;		/* REFUSAL_CLAUSE bytes: why --best-effort does without --explain, or "" */
};

/*
 * For the listing of --check: what the thing that is looked at is now. The listing
 * states it if nothing is wrong with the thing. The last call counts, from a child
 * process, too.
 */
void preflight_value(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Warns of each refusal and, without --quiet, of each finding. With --check both
 * are listed on standard output, with the result. Writes the findings without
 * their remedies, joined by "; ", or "ok" into clause. Returns EXIT_MEASURED (0)
 * if the run can begin or, with --check, if nothing was found. After any other
 * value, and with --check, the machine is as it was before.
 */
enum exit_status preflight_run(const struct preflight *preflight, char clause[PREFLIGHT_CLAUSE_SIZE]);

#endif
