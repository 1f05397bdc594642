// SPDX-License-Identifier: GPL-2.0-or-later
/* The listing of --check, and what the machine would do to a run that is possible, which only looks. */
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "host/cgroup.h"
#include "host/monitor.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "measure/clock.h"
#include "report/block.h"
#include "run/preflight.h"

#define WAKE_UP_US 5			/* CPU time of a wake-up on an ordinary machine */
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

/* Are real-time processes limited to less than twice the time that measuring takes? No limit means the whole period. */
static bool is_throttled(unsigned hz, const struct cgroup_runtime *runtime, struct refusal *finding)
{
	long long runtime_us = runtime->runtime_us, period_us = runtime->period_us;
	long long own_us = (long long)hz * WAKE_UP_US * period_us / 1000000, usual_us = period_us / 100 * 95;

	preflight_value(runtime_us < 0 ? "off" : "real-time processes may run %lld of each %lld us", runtime_us,
			period_us);
	if (2 * own_us < (runtime_us < 0 ? period_us : runtime_us))
		return false;
	if (runtime_us < 0)
		refusal_reason(finding, "it is off, and measuring at %u Hz alone takes about %lld of each %lld us, so "
			       "other processes may get no CPU time", hz, own_us, period_us);
	else
		refusal_reason(finding, "real-time processes may run %lld of each %lld us, and measuring at %u Hz "
			       "alone takes about %lld", runtime_us, period_us, hz, own_us);
	if (runtime_us >= 0 && runtime_us < usual_us)
		refusal_remedy(finding, "echo %lld >%s", usual_us, runtime->file);
	else
		refusal_remedy(finding, "lower --frequency");
	return true;
}

/*
 * The kernel throttles real-time processes that would take all of a CPU. A run
 * that comes near the limit by measuring alone measures the throttling.
 */
static bool look_at_throttling(const struct preflight *preflight, struct refusal *finding)
{
	unsigned hz = preflight->run->options->frequency_hz;
	struct cgroup_runtime runtime;

	if (!preflight->run->options->priority)
		return false;
	return (cgroup_read_global_runtime(&runtime) && is_throttled(hz, &runtime, finding)) ||
	       (cgroup_read_runtime(&runtime) && is_throttled(hz, &runtime, finding));
}

/* Returns how many ms of the measured CPUs a hypervisor takes in a second, or MONITOR_UNKNOWN. */
static int64_t watch_steal(const struct preflight *preflight)
{
	const struct cpus cpus = preflight_cpus(preflight->run->options);
	struct disturbances disturbances;
	struct monitor monitor;
	int64_t taken_ms = 0;

	monitor_begin(&monitor, true, NULL);
	poll(NULL, 0, 1000);
	monitor_report(&monitor, &disturbances);
	close(monitor.clock);
	for (int i = 0; i < cpus.count; i++) {
		int64_t of_ms = steal_of(&disturbances.steal, cpus.number[i]);

		if (of_ms == MONITOR_UNKNOWN)
			return of_ms;
		taken_ms += of_ms;
	}
	return taken_ms;
}

static bool look_at_hypervisor(const struct preflight *preflight, struct refusal *finding)
{
	const char *kind = sysinfo_value(preflight->run->machine, "hypervisor");
	bool virtual = strcmp(kind, "none") && strcmp(kind, "unknown");
	int64_t taken_ms = virtual ? watch_steal(preflight) : 0;

	preflight_value("%s%s", kind, !virtual ? "" : taken_ms == MONITOR_UNKNOWN ?
			", which does not tell what it takes" : ", nothing taken in the last second");
	if (taken_ms <= 0)
		return false;
	refusal_reason(finding, "%s, %lld ms of CPU time taken in the last second, in which a wake-up has to wait",
		       kind, (long long)taken_ms);
	refusal_remedy(finding, "give this machine CPUs of its own, or measure on the host");
	return true;
}

/* Since PREEMPT_LAZY, real-time processes preempt the kernel with it as with full. */
static bool look_at_preemption(const struct preflight *preflight, struct refusal *finding)
{
	const char *model = sysinfo_value(preflight->run->machine, "preemption");

	preflight_value("%s", model);
	if (strncmp(model, "none", 4) && strncmp(model, "voluntary", 9))
		return false;
	refusal_reason(finding, "%s, so a wake-up has to wait until the kernel is done with what it does for others, "
		       "at times for milliseconds", model);
	refusal_remedy(finding, "a PREEMPT_RT kernel would bound the tail, and %s would shorten it",
		       strstr(model, "DYNAMIC") ? "preempt=full at boot" : "one with CONFIG_PREEMPT");
	return true;
}

/* It schedules ordinary processes, which a real-time meter preempts: worth knowing, and no flaw. */
static bool look_at_scheduler(const struct preflight *preflight, struct refusal *finding)
{
	const char *loaded = sysinfo_value(preflight->run->machine, "sched_ext");

	(void)finding;
	if (!strcmp(loaded, "none"))
		preflight_value("the kernel's own");
	else
		preflight_value("%s, by sched_ext", loaded);
	return false;
}

static bool look_at_timers(const struct preflight *preflight, struct refusal *finding)
{
	struct timespec resolution;

	(void)preflight;
	if (clock_getres(CLOCK_MONOTONIC, &resolution) < 0)
		return false;
	preflight_value("high-resolution");
	if (timespec_ns(resolution) == 1)
		return false;
	refusal_reason(finding, "they expire only every %llu ns: the kernel has no high-resolution timers",
		       (unsigned long long)timespec_ns(resolution));
	refusal_remedy(finding, "boot without highres=off, with a kernel that has CONFIG_HIGH_RES_TIMERS");
	return true;
}

static bool look_at_clocksource(const struct preflight *preflight, struct refusal *finding)
{
	static const char *const slow[] = {
		"hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies", "hyperv_clocksource_msr",
	};
	bool is_slow = false;
	char name[64];

	sysfile_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", name, sizeof(name));
	for (size_t i = 0; i < sizeof(slow) / sizeof(*slow); i++)
		is_slow |= !strcmp(name, slow[i]);
	preflight_value("%s", name);
	if (!is_slow || !strcmp(preflight->run->options->clock, "tsc"))
		return false;
	refusal_reason(finding, "%s is read through the kernel, so every stamp is late by a microsecond or more",
		       name);
	refusal_remedy(finding, "look in dmesg why the kernel does not use tsc; clocksource=tsc at boot forces it");
	return true;
}

static const struct finding_look {
	const char *thing;
	preflight_look *look;

	enum {
		FLAW,			/* the run would measure it and not the kernel: each run warns */
		FLAW_OF_NOW,		/* the same, but it takes a second to see: only --check looks */
		LIMIT,			/* of the machine that is measured: only --check looks, and does not count it */
	} kind;
} finding_looks[] = {			/* what spoils most comes first */
	{ "throttling", look_at_throttling, FLAW },
	{ "hypervisor", look_at_hypervisor, FLAW_OF_NOW },
	{ "preemption", look_at_preemption, LIMIT },
	{ "scheduler", look_at_scheduler, LIMIT },
	{ "timers", look_at_timers, FLAW },
	{ "timer thread", look_at_timer_thread, FLAW },
	{ "idle states", look_at_idle_states, FLAW },
	{ "governor", look_at_governor, FLAW },
	{ "own processes", look_at_own_processes, FLAW },
	{ "siblings", look_at_siblings, LIMIT },
	{ "clocksource", look_at_clocksource, FLAW },
	{ NULL, NULL, FLAW }
};

/* Adds what it finds to the clause of the report. */
static void look_at(const struct finding_look *look, const struct preflight *preflight)
{
	const struct options *options = preflight->run->options;
	char *clause = preflight->run->preflight;
	struct refusal finding;
	char line[REFUSAL_LINE];

	/* The listing of --check begins each line with the thing. */
	refusal_begin(&finding, 0, "%s", options->check ? "" : look->thing);
	if (!look->look(preflight, &finding))
		return;
	refusal_clause(&finding, line, sizeof(line));
	text_append(clause, PREFLIGHT_CLAUSE_SIZE, "%s%s", *clause ? "; " : "", line);
	if (options->check || !options->quiet)
		warn("%s%s", options->check ? "" : "warning: ", refusal_line(&finding, line));
}

static void look_at_machine(const struct preflight *preflight)
{
	char *clause = preflight->run->preflight;

	*clause = '\0';
	for (const struct finding_look *next = finding_looks; next->thing; next++) {
		if (next->kind != FLAW && !preflight->run->options->check)
			continue;
		preflight_begin(next->thing, next->kind == LIMIT);
		look_at(next, preflight);
		preflight_end();
	}
	if (!*clause)
		text_append(clause, PREFLIGHT_CLAUSE_SIZE, "ok");
}

/* What is ok, and the last line of the listing. */
static enum exit_status conclude(enum exit_status status)
{
	unsigned findings = listing->findings, limits = listing->limits;
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
	look_at_machine(preflight);
	if (opened && (check || status))
		preflight->source->ops->stop(preflight->source);
	return check ? conclude(status) : status;
}
