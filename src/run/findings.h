/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flaws of the machine: a run warns of them, and its report has them. --check also lists the limits of the machine. */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include "run/keeper.h"

#define FINDINGS_SIZE 2048

/*
 * Look for all flaws. Warns of each or, with --quiet, of none. Writes them without their
 * remedies, joined by "; ", or "ok" into the run's preflight, which is empty before.
 */
void findings_look(const struct keeper *keeper);

/* What would spoil the run. The reason begins with the value of the thing that is looked at. */
void finding(const struct keeper *keeper, const char *remedy, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

/* Would this thing spoil the run? In findings_cpus.c: */
typedef void finding_look(const struct keeper *keeper);
finding_look look_at_timer_thread, look_at_idle_states, look_at_governor, look_at_own_processes, look_at_siblings;

/*
 * The listing of --check: a line for each thing that is looked at or prepared, first of
 * what is wrong, then of what is ok.
 */

/* From now on each message is listed, and counts, as what is wrong with the thing. */
void listing_open(void);

/* Look at one thing after the other. is_limit: it is a limit of the machine, not a flaw. */
void listing_begin(const char *thing, bool is_limit);

/* What the thing is now, listed if nothing is wrong with it. The last call counts. */
void listing_value(const char *format, ...) __attribute__((format(printf, 1, 2)));

void listing_end(void);

/* A child process has listed a refusal of the thing. */
void listing_count(void);

/* Print what is ok, and how much is not. Returns what to exit with; status: what the refusals mean. */
enum exit_status listing_close(enum exit_status status);

/* In recording.c. Some kernels do not record all wakings and switches: trials on each CPU show what is missed. */

/* Warn of the CPUs where some are missed; list what is recorded on the others. Of each CPU its trial, or NULL. */
void recording_report(const struct options *options, bool observes, const struct trial *const trials[CPUS_MAX]);

/* For a source that observes other programs: try all CPUs, report, and choose where programs record for it. */
void recording_try(const struct options *options, struct source *source);

#endif
