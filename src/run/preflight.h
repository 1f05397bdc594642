/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before the first sample: prepare what the run needs, and look for flaws of
 * the machine. Everything is reported at once. A refusal ends the run; a
 * flaw is a warning, and the report keeps it.
 */
#ifndef RUN_PREFLIGHT_H
#define RUN_PREFLIGHT_H

#include "base/diag.h"
#include "host/signals.h"
#include "measure/source.h"
#include "report/file.h"
#include "report/report.h"

#define PREFLIGHT_CLAUSE_SIZE 2048

struct preflight {
	const struct run *run;		/* to be completed: its clock, symbols, flights, unexplained and preflight */
	const char *usual_name;		/* the report's name unless the user gave one */
	int folder;			/* the report's folder: see privilege_caller() */

	/* what is to be opened */
	struct report_file *output;
	struct signals *signals;	/* before the source */
	struct source *source;
};

/*
 * Warns of each refusal and, without --quiet, of each finding. With --check both
 * are listed on standard output, with the result. Writes the findings without
 * their remedies, joined by "; ", or "ok" into the run's preflight. Returns EXIT_MEASURED (0)
 * if the run can begin or, with --check, if nothing was found. After any other
 * value, and with --check, the machine is as it was before.
 */
enum exit_status preflight_run(const struct preflight *preflight);

/* For the parts of the preflight, which look at one thing after the other; limit: of the machine that is measured. */
void preflight_begin(const char *thing, bool limit);
void preflight_end(void);

/* What the thing is now, listed if nothing is wrong with it. The last call counts, from a child process, too. */
void preflight_value(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Make all preparations, even after a refusal, so that the user learns of all
 * refusals at once. Returns the status to exit with; opened: the source is open.
 */
enum exit_status preflight_prepare(const struct preflight *preflight, bool *opened);

/* Would this thing spoil the run? If so, writes the reason, which has the value, and the remedy. */
typedef bool preflight_look(const struct preflight *preflight, struct refusal *finding);
preflight_look look_at_timer_thread, look_at_idle_states, look_at_governor, look_at_own_processes, look_at_siblings;

/* The CPUs that the measuring processes may run on. */
struct cpus preflight_cpus(const struct options *options);

/* Are the wake-ups those of a meter, and not of another program's thread? */
bool preflight_explains_meter(const struct options *options);

/* Can those of every meter be recorded? Returns false with the refusal. */
bool preflight_can_explain(const struct preflight *preflight, struct refusal *refusal);

/*
 * Some kernels do not record all. By a trial on each CPU where wake-ups are
 * explained or, if the source observes other programs, where these may run: report
 * what is missed, and choose what records that CPU for the source.
 */
void preflight_try_recording(const struct preflight *preflight);

#endif
