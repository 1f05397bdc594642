// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "run/defaults.h"
#include "source/registry.h"

#define USUAL_PRIORITY 95
#define NO_ARRAY UINT32_MAX	/* no --array was given */
#define NO_LATENCY UINT64_MAX	/* no --dma-latency was given */

struct options defaults_begin(char **argv)
{
	return (struct options){
		.frequency_hz = OPTIONS_NO_RATE, .source = "auto", .clock = "auto",
		.checkpoint_ns = 60 * UINT64_C(1000000000), .dma_latency_ns = NO_LATENCY,
		.waker.cpu = -1, .array_bytes = NO_ARRAY, .argv = argv,
	};
}

const char *defaults_output(const struct machine *machine)
{
	static char name[128];

	snprintf(name, sizeof(name), "%s.hist", sysinfo_value(machine, "kernel_release"));
	return name;
}

/* A source without a rate takes none. Which rates the others take, they decide when they are opened. */
static void settle_rate(struct options *options, const struct source_ops *ops)
{
	bool paced = !ops || ops->usual_hz;

	if (options->frequency_hz != OPTIONS_NO_RATE && !paced)
		die(EXIT_NOT_MEASURED, "--frequency=%u: --source=%s has no rate; leave it out", options->frequency_hz,
		    options->source);
	if (options->aligned && !paced)
		die(EXIT_NOT_MEASURED, "--aligned: --source=%s has no schedule; leave it out", options->source);
	if (options->frequency_hz == OPTIONS_NO_RATE)
		options->frequency_hz = ops ? ops->usual_hz : SOURCE_USUAL_HZ;
}

/* A deadline task has a period, and the kernel's own work is not done by this process. */
static void check_deadline(const struct options *options, const struct source_ops *ops)
{
	if (strcmp(options->policy, "deadline") || !ops || (ops->usual_hz && !ops->matched))
		return;
	die(EXIT_NOT_MEASURED, "--policy=deadline: --source=%s %s; use --policy=fifo", options->source,
	    ops->matched ? "measures work of the kernel, not of this process" : "has no rate, and so no period");
}

/* The kernel's own work is no wake-up. */
static void check_explain(const struct options *options, const struct source_ops *ops)
{
	if (options->explain && ops && ops->matched)
		die(EXIT_NOT_MEASURED, "--explain: --source=%s measures the kernel's work, not a wake-up; leave it out",
		    options->source);
}

/* A source that needs no real-time policy runs without one, unless the user asks for it. */
static void settle_policy(struct options *options, const struct source_ops *ops)
{
	if (!options->policy)
		options->policy = ops && ops->ordinary ? "other" : "fifo";
	check_deadline(options, ops);
	options->ordinary = ops && ops->ordinary && !strcmp(options->policy, "other");
}

/* SCHED_OTHER and SCHED_DEADLINE have no priority; the other policies have a default. */
static void settle_priority(struct options *options)
{
	bool has_none = !strcmp(options->policy, "other") || !strcmp(options->policy, "deadline");

	if (has_none && options->priority)
		die(EXIT_NOT_MEASURED, "--priority=%d: --policy=%s has none; leave it out", options->priority,
		    options->policy);
	if (!has_none && !options->priority)
		options->priority = USUAL_PRIORITY;
}

/* The waker's priority is one above the meter's, or above the usual one if the meter has none. */
static void settle_waker(struct options *options, const struct source_ops *ops)
{
	int priority = options->priority ? options->priority : USUAL_PRIORITY;

	if (ops && ops->has_waker) {
		if (priority == 99)
			die(EXIT_NOT_MEASURED, "--priority=99: the waker needs a higher one, and there is none; "
			    "use 98 or less");
		options->waker.priority = priority + 1;
	} else if (options->waker.cpu >= 0) {
		die(EXIT_NOT_MEASURED, "--waker=%d: --source=%s has no waker; use --source=thread, or leave it out",
		    options->waker.cpu, options->source);
	}
}

/*
 * Whoever limits the measured CPUs alone wants the others to go idle as they do.
 * What is not ours is measured as it is.
 */
static void settle_dma_latency(struct options *options, const struct source_ops *ops)
{
	if (options->dma_latency_ns != NO_LATENCY)
		return;
	options->hold_dma_latency = !options->limit_idle_latency && !(ops && ops->observes);
	options->dma_latency_ns = 0;
}

/* A script may build a list of a single CPU, so --aligned takes it. No list at all is a mistake. */
static void settle_aligned(const struct options *options)
{
	if (options->aligned && !options->cpus.count)
		die(EXIT_NOT_MEASURED, "--aligned: no CPUs are named; give --cpu, as in --cpu=all");
}

/* --explain records one CPU: without a list, the one this process is on. A CPU for the waker is refused later. */
static void settle_explained(struct options *options, const struct source_ops *ops)
{
	struct cpus allowed = { .count = 0 };
	int cpu = sched_getcpu();

	if (!options->explain || options->cpus.count || options->waker.cpu >= 0 || cpu < 0 ||
	    (ops && (ops->observes || ops->matched)))
		return;
	options->cpus = (struct cpus){ .count = 1, .number = { cpu } };
	cpus_parse("all", &allowed);
	if (allowed.count > 1 && !options->quiet && !options->check)
		warn("--explain watches one CPU: CPU %d, where it runs now; -a names another", cpu);
}

/* A ring has at least two processes and one CPU. No other source has processes. */
static void settle_ring(struct options *options, const struct source_ops *ops)
{
	bool sized = options->array_bytes != NO_ARRAY, ring = ops && ops->is_ring;

	if (!ring && (options->processes || sized))
		die(EXIT_NOT_MEASURED, "--%s: --source=%s is not a ring; use --source=ring, or leave it out",
		    options->processes ? "processes" : "array", options->source);
	if (!sized)
		options->array_bytes = 0;
	if (!ring)
		return;
	if (!options->processes)
		options->processes = 2;
	if (options->explain)
		die(EXIT_NOT_MEASURED, "--explain: --source=%s measures several processes, not one; "
		    "leave it out", options->source);
	if (options->cpus.count)
		return;
	cpus_parse("all", &options->cpus);
	options->cpus.count = 1;
}

/* A thread of another program has the CPUs that it has. */
static void check_observed(const struct options *options, const struct source_ops *ops)
{
	bool observes = ops && ops->observes;

	if (options->threads && !observes)
		die(EXIT_NOT_MEASURED, "--threads=%s: --source=%s measures no threads of another program; use "
		    "--source=task, or --cpu for one on each CPU", options->threads, options->source);
	if (!observes)
		return;
	if (options->threads && options_observes_command(options))
		die(EXIT_NOT_MEASURED, "--threads=%s: all threads of %s are measured; leave it out", options->threads,
		    options->load[0]);
	if (options->cpus.count)
		die(EXIT_NOT_MEASURED, "--cpu: --source=%s follows the thread to any CPU; leave --cpu out",
		    options->source);
}

void defaults_settle(struct options *options)
{
	const struct source_ops *ops = source_find(options->source);

	settle_rate(options, ops);
	settle_policy(options, ops);
	check_explain(options, ops);
	settle_ring(options, ops);
	settle_priority(options);
	settle_waker(options, ops);
	settle_aligned(options);
	settle_explained(options, ops);
	check_observed(options, ops);
	settle_dma_latency(options, ops);
}
