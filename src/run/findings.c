// SPDX-License-Identifier: GPL-2.0-or-later
/* What --check lists: flaws and limits of the machine, and what the meters were refused. */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "host/sysfile.h"
#include "report/report.h"
#include "run/keeper.h"
#include "run/realtime.h"

#define INDENT 4			/* of continuation lines */
#define WAKE_UP_US 5			/* CPU time of a wake-up on an ordinary machine */

static const char *thing = "";
static char value[256];			/* of the thing; "": it has none */
static bool is_limit;
static unsigned findings, limits, unknown, found_before;
static char passed[8192];		/* the lines of what is ok: they come after the findings */

void listing_count(void)
{
	++*(is_limit ? &limits : &findings);
}

void listing_message(const char *message)
{
	char line[1600];

	snprintf(line, sizeof(line), "%s: %s", thing, message);
	block_print(stdout, line, INDENT);
	fflush(stdout);		/* or a child that is forked later would print it again */
	listing_count();
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
	bool is_unknown = !strncmp(value, "unknown", 7);

	unknown += is_unknown;
	if (findings + limits == found_before)
		text_append(passed, sizeof(passed), "%s%s%s%s\n", thing, is_unknown ? "" : ": ok", *value ? ": " : "",
			    value);
}

enum exit_status listing_close(enum exit_status status)
{
	char *rest = passed, *line;

	while ((line = strsep(&rest, "\n")) && *line)
		block_print(stdout, line, INDENT);
	if (findings)
		printf("%u finding%s", findings, findings == 1 ? "" : "s");
	else
		fputs(limits || unknown ? "no findings" : "all ok", stdout);
	if (limits)
		printf(", %u limit%s of the machine", limits, limits == 1 ? "" : "s");
	if (unknown)
		printf(", %u unknown: this system does not show %s", unknown, unknown == 1 ? "it" : "them");
	puts("");
	diag_redirect(NULL);
	if (!diag_flush())
		return EXIT_NOT_MEASURED;
	return !status && findings ? EXIT_NOT_MEASURED : status;
}

void finding(const struct keeper *keeper, const char *remedy, const char *reason, ...)
{
	const struct options *options = keeper->run->options;
	char *preflight = keeper->run->preflight, text[REFUSAL_LINE];
	va_list args;

	snprintf(text, sizeof(text), "%s%s", options->check ? "" : thing, options->check ? "" : ": ");
	va_start(args, reason);
	text_append_list(text, sizeof(text), reason, args);
	va_end(args);
	text_append(preflight, FINDINGS_SIZE, "%s%s", *preflight ? "; " : "", text);
	if (options->check || !options->quiet)
		warn("%s%s; %s", options->check ? "" : "warning: ", text, remedy);
}

/*
 * The kernel throttles real-time processes that would take all of a CPU. A run that may use half of their limit just by
 * measuring would measure the throttling. No limit means the whole period.
 */
static bool is_throttled(const struct keeper *keeper, const struct cgroup_runtime *runtime)
{
	unsigned hz = keeper->run->options->frequency_hz;
	long long runtime_us = runtime->runtime_us, period_us = runtime->period_us;
	long long own_us = (long long)hz * WAKE_UP_US * period_us / 1000000, usual_us = period_us / 100 * 95;
	char remedy[CGROUP_FILE + 32];

	listing_value(runtime_us < 0 ? "off" : "real-time processes may run %lld of each %lld us", runtime_us,
			period_us);
	if (2 * own_us < (runtime_us < 0 ? period_us : runtime_us))
		return false;
	snprintf(remedy, sizeof(remedy), runtime_us >= 0 && runtime_us < usual_us ? "echo %lld >%s" :
		 "lower --frequency", usual_us, runtime->file);
	if (runtime_us < 0)
		finding(keeper, remedy, "it is off, and measuring at %u Hz alone takes about %lld of each %lld us, so "
			"other processes may get no CPU time", hz, own_us, period_us);
	else
		finding(keeper, remedy, "real-time processes may run %lld of each %lld us, and measuring at %u Hz "
			"alone takes about %lld", runtime_us, period_us, hz, own_us);
	return true;
}

/* All real-time processes have a bound, and those of our control group may have another. */
static void look_at_throttling(const struct keeper *keeper)
{
	struct cgroup_runtime runtime;

	if (!keeper->run->options->priority || (cgroup_read_global_runtime(&runtime) && is_throttled(keeper, &runtime)))
		return;
	if (cgroup_read_runtime(&runtime))
		is_throttled(keeper, &runtime);
}

/* It takes a second to see how many ms of the measured CPUs' time the hypervisor takes. */
static void look_at_hypervisor(const struct keeper *keeper)
{
	const char *kind = sysinfo_value(keeper->run->machine, "hypervisor");
	bool virtual = strcmp(kind, "none") && strcmp(kind, "unknown");
	struct disturbances disturbances;
	struct monitor monitor;
	int64_t taken_ms = 0;

	if (virtual) {
		monitor_begin(&monitor, true, NULL);
		poll(NULL, 0, 1000);
		monitor_report(&monitor, &disturbances);
		close(monitor.clock);
	}
	for (int i = 0; virtual && i < keeper->cpus.count && taken_ms != MONITOR_UNKNOWN; i++) {
		int64_t of_ms = disturbances.steal.ms[1 + keeper->cpus.number[i]];

		taken_ms = of_ms == MONITOR_UNKNOWN ? of_ms : taken_ms + of_ms;
	}
	listing_value(taken_ms == MONITOR_UNKNOWN ? "unknown what %s takes" : virtual ?
			"%s, nothing taken in the last second" : "%s", kind);
	if (taken_ms > 0)
		finding(keeper, "give this machine CPUs of its own, or measure on the host", "%s, %lld ms of CPU time "
			"taken in the last second, in which a wake-up has to wait", kind, (long long)taken_ms);
}

/* With PREEMPT_LAZY, real-time processes preempt the kernel as they do with full. */
static void look_at_preemption(const struct keeper *keeper)
{
	const char *model = sysinfo_value(keeper->run->machine, "preemption");

	listing_value("%s", model);
	if (!strncmp(model, "none", 4) || !strncmp(model, "voluntary", 9))
		finding(keeper, strstr(model, "DYNAMIC") ?
			"a PREEMPT_RT kernel would bound the tail, and preempt=full at boot would shorten it" :
			"a PREEMPT_RT kernel would bound the tail, and one with CONFIG_PREEMPT would shorten it",
			"%s, so a wake-up has to wait until the kernel has finished other work, "
			"at times for milliseconds", model);
	else if (keeper->run->options->check_rt && !kernel_is_rt())
		finding(keeper, "boot a kernel that is", "%s, not PREEMPT_RT, as --check=rt asks", model);
}

/* It schedules ordinary processes, which a real-time meter preempts: worth knowing, but not a flaw. */
static void look_at_scheduler(const struct keeper *keeper)
{
	const char *loaded = sysinfo_value(keeper->run->machine, "sched_ext");
	bool own = !strcmp(loaded, "none");

	listing_value("%s%s", own ? "the kernel's own" : loaded, own ? "" : ", by sched_ext");
}

static void look_at_timers(const struct keeper *keeper)
{
	struct timespec resolution;

	if (clock_getres(CLOCK_MONOTONIC, &resolution) < 0)
		return;
	listing_value("high-resolution");
	if (timespec_ns(resolution) != 1)
		finding(keeper, "boot without highres=off, with a kernel that has CONFIG_HIGH_RES_TIMERS",
			"they expire only every %llu ns: the kernel has no high-resolution timers",
			(unsigned long long)timespec_ns(resolution));
}

static void look_at_clocksource(const struct keeper *keeper)
{
	static const char *const slow[] = {
		"hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies", "hyperv_clocksource_msr",
	};
	bool is_slow = false;
	char name[64];

	sysfile_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", name, sizeof(name));
	for (size_t i = 0; i < sizeof(slow) / sizeof(*slow); i++)
		is_slow |= !strcmp(name, slow[i]);
	listing_value("%s", *name ? name : "unknown");
	if (is_slow && strcmp(keeper->run->options->clock, "tsc"))
		finding(keeper, "look in dmesg for why the kernel does not use tsc; clocksource=tsc at boot forces it",
			"%s is read through the kernel, so every stamp is late by a microsecond or more", name);
}

static const struct look {
	const char *thing;
	finding_look *look;

	enum {
		FLAW,			/* the run would measure it and not the kernel: each run warns */
		FLAW_OF_NOW,		/* the same, but it takes a second to see: only --check looks */
		LIMIT,			/* a limit of the measured machine: only --check tests it, uncounted */
	} kind;
} finding_looks[] = {			/* the worst comes first */
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

void findings_look(const struct keeper *keeper)
{
	for (const struct look *next = finding_looks; next->thing; next++) {
		if (next->kind != FLAW && !keeper->run->options->check)
			continue;
		listing_begin(next->thing, next->kind == LIMIT);
		next->look(keeper);
		listing_end();
	}
	if (!*keeper->run->preflight)
		strcpy(keeper->run->preflight, "ok");
}

static void warn_of_each(const char *lines)
{
	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines != '\0')
		warn("%.*s", (int)strcspn(lines, "\n"), lines);
}

/* One line for all CPUs that meters could not be bound to, and the first refused meter's other refusals. */
static bool report_rights(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	struct cpus unbound = { .count = 0 };
	const char *first = "";
	int error = 0;

	listing_begin("rights", false);
	listing_value(options->priority ? "%s %d" : "%s", options->policy, options->priority);
	for_each_worker(worker, &keeper->workers) {
		if (worker->refused->unbound) {
			unbound.number[unbound.count++] = worker->cpu;
			error = worker->refused->unbound;
		}
		first = *first ? first : worker->refused->rights;
	}
	if (error)
		realtime_refuse_cpus(&unbound, error, keeper->workers.count > 1);
	warn_of_each(first);
	listing_end();
	return !error && !*first;
}

bool refused_report(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const struct trial *trials[CPUS_MAX] = { NULL };
	bool granted = report_rights(keeper);

	if (!options->explain || *keeper->run->unexplained)
		return granted;
	listing_begin("explain", false);
	for_each_worker(worker, &keeper->workers) {
		if (*worker->refused->explain) {
			warn_of_each(worker->refused->explain);
			return granted && options->best_effort && !options->check;
		}
		if (worker->cpu >= 0)
			trials[worker->cpu] = &worker->channel->tap_state->trial;
	}
	if (!keeper->workers.first->source.threads)	/* or the CPUs were tried before */
		recording_report(options, false, trials);
	listing_end();
	return granted;
}
