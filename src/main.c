// SPDX-License-Identifier: GPL-2.0-or-later
/* The run, in the order in which it happens. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preflight.h"
#include "clock.h"
#include "diag.h"
#include "keeper.h"
#include "totals.h"
#include "load.h"
#include "meter.h"
#include "options.h"
#include "report_file.h"
#include "privilege.h"
#include "report.h"
#include "setup.h"
#include "channel.h"
#include "signals.h"
#include "source.h"
#include "progress.h"
#include "sysinfo.h"
#include "monitor.h"

static struct setup wanted_rights(const struct options *options)
{
	return (struct setup){
		.policy = options->policy,
		.priority = options->priority,
		.cpu = options->cpus.count ? options->cpus.number[0] : -1,
		.hold_dma_latency = options->hold_dma_latency,
		.dma_latency_ns = options->dma_latency_ns,
		.best_effort = options->best_effort,
	};
}

static struct progress wanted_progress(const struct options *options)
{
	return (struct progress){
		.form = options->quiet ? PROGRESS_NONE : progress_form(),
		.samples = options->samples,
		.duration_ns = options->duration_ns,
		.max_ns = options->max_ns,
		.shared = options->load,
	};
}

/* 6.1.0-rt.hist */
static const char *usual_name(const struct machine *machine)
{
	static char name[128];

	snprintf(name, sizeof(name), "%s.hist", sysinfo_value(machine, "kernel_release"));
	return name;
}

/*
 * What is needed as soon as the run is certain. A signal may have come since
 * the source was opened. Returns 0, or -1 after a warning.
 */
static int begin(struct keeper *keeper, const struct cpus *cpus)
{
	if (cpus->count > 1) {
		warn("--cpu: %d CPUs, but only one can be measured; name one", cpus->count);
		return -1;
	}
	keeper->totals = totals_create(totals_share(1));
	if (!keeper->totals) {
		warn("allocate memory: %m; free some");
		return -1;
	}
	if (signals_read(&keeper->signals).end) {
		warn("interrupted before the first wake-up; no report is written");
		return -1;
	}
	setup_leave_cpus(cpus);
	return load_start(keeper->load, keeper->caller, &keeper->signals.former);
}

int main(int argc, char **argv)
{
	const struct options options = options_parse(argc, argv);
	static struct machine machine;
	static char clause[PREFLIGHT_CLAUSE_SIZE];
	struct report_file *output = report_file_create();
	const struct caller caller = privilege_caller(options.output ? options.output : "");
	struct source source = { .ops = NULL };
	struct clock clock;
	enum exit_status status;

	report_file_guard_descriptors();
	setup_ordinary();
	sysinfo_read(&machine);

	const struct setup setup = wanted_rights(&options);
	struct report report = {
		.options = &options, .machine = &machine, .source = &source, .clock = &clock,
		.preflight = clause,
	};
	struct keeper keeper = {
		.channel = channel_create(), .source = &source, .report = &report, .output = output,
		.progress = wanted_progress(&options),
		.caller = &caller, .load = load_create(options.load),
	};
	const struct preflight preflight = {
		.options = &options, .setup = &setup, .usual_name = usual_name(&machine),
		.caller = &caller, .output = output, .clock = &clock, .source = &source,
		.signals = &keeper.signals,
	};
	report.load = keeper.load;
	if (!output || !keeper.channel || !keeper.load)
		die(EXIT_NOT_MEASURED, "allocate memory: %m; free some");
	status = preflight_run(&preflight, clause);
	if (status || options.check)
		return status;
	if (begin(&keeper, &options.cpus) < 0) {
		source.ops->stop(&source);
		return EXIT_NOT_MEASURED;
	}

	const struct meter meter = {
		.channel = keeper.channel, .source = &source, .clock = &clock,
		.setup = setup, .explain = options.explain, .samples = options.samples,
		.duration_ns = options.duration_ns, .break_ns = options.break_ns,
		.keeper = getpid(), .caller = &caller,
	};
	monitor_begin(&keeper.channel->monitor, setup.cpu, strcmp(sysinfo_value(&machine, "hypervisor"), "none"));
	switch (keeper_fork(&keeper)) {
	case -1:
		source.ops->stop(&source);
		die(EXIT_NOT_MEASURED, "start a second process: %m; free some");
	case 0:
		if (meter_run(&meter, keeper.lifeline))
			return keeper_succeed(&keeper);
		_exit(EXIT_MEASURED);
	default:
		return keeper_run(&keeper);
	}
}
