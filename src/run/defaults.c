// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "run/command_line.h"
#include "source/registry.h"

#define USUAL_PRIORITY 95
#define NO_ARRAY UINT32_MAX	/* no --array was given */
#define NO_LATENCY UINT64_MAX	/* no --dma-latency was given */
#define NO_RING "--source=%s is not a ring; use --source=ring, or leave it out"

struct options defaults_begin(char **argv)
{
	return (struct options){
		.frequency_hz = OPTIONS_NO_RATE, .source = "auto", .clock = "auto",
		.checkpoint_ns = 60 * UINT64_C(1000000000), .dma_latency_ns = NO_LATENCY,
		.waker.cpu = -1, .array_bytes = NO_ARRAY, .argv = argv,
	};
}

#define refuse(wrong, ...) \
	do { \
		if (wrong) \
			die(EXIT_NOT_MEASURED, __VA_ARGS__); \
	} while (0)

/* auto, and an unknown name, are taken for a source that has a rate and nothing else. */
static void refuse_conflicts(const struct options *options, const struct source_ops *ops)
{
	static const struct source_ops any = { .usual_hz = SOURCE_USUAL_HZ };
	const struct source_ops *of = ops ? ops : &any;
	const char *source = options->source, *threads = options->threads;
	bool deadline = !strcmp(options->policy, "deadline"), unranked = deadline || !strcmp(options->policy, "other");
	bool observes_command = of->observes && options_observes_command(options);
	int waker = options->waker.cpu;

	/* Which rates a source takes, it decides when it is opened. */
	refuse(options->frequency_hz != OPTIONS_NO_RATE && !of->usual_hz,
	       "--frequency=%u: --source=%s has no rate; leave it out", options->frequency_hz, source);
	refuse(options->aligned && !of->usual_hz, "--aligned: --source=%s has no schedule; leave it out", source);
	refuse(deadline && of->matched, "--policy=deadline: --source=%s measures work of the kernel, not of this "
	       "process; use --policy=fifo", source);
	refuse(deadline && !of->usual_hz, "--policy=deadline: --source=%s has no rate, and so no period; "
	       "use --policy=fifo", source);
	refuse(options->explain && of->matched, "--explain: --source=%s measures the kernel's work, not a wake-up; "
	       "leave it out", source);
	refuse(options->processes && !of->is_ring, "--processes: " NO_RING, source);
	refuse(options->array_bytes != NO_ARRAY && !of->is_ring, "--array: " NO_RING, source);
	refuse(options->explain && of->is_ring, "--explain: --source=%s measures several processes, not one; "
	       "leave it out", source);
	refuse(options->priority && unranked, "--priority=%d: --policy=%s has none; leave it out", options->priority,
	       options->policy);
	refuse(options->priority == 99 && of->has_waker, "--priority=99: the waker needs a higher one, and there is "
	       "none; use 98 or less");
	refuse(waker >= 0 && !of->has_waker, "--waker=%d: --source=%s has no waker; use --source=thread, or leave it "
	       "out", waker, source);
	/* A script may build a list of a single CPU, so --aligned takes it. No list at all is a mistake. */
	refuse(options->aligned && !options->cpus.count, "--aligned: no CPUs are named; give --cpu, as in --cpu=all");
	refuse(threads && !of->observes, "--threads=%s: --source=%s measures no threads of another program; use "
	       "--source=task, or --cpu for one on each CPU", threads, source);
	refuse(threads && observes_command, "--threads=%s: all threads of %s are measured; leave it out", threads,
	       options->load[0]);
	/* A thread of another program has the CPUs that it has. */
	refuse(options->cpus.count && of->observes, "--cpu: --source=%s follows the thread to any CPU; leave --cpu out",
	       source);
}

/* SCHED_OTHER and SCHED_DEADLINE have no priority. The waker's is one above the meter's, or above the usual one. */
static void settle_priorities(struct options *options, const struct source_ops *ops)
{
	bool ranked = strcmp(options->policy, "other") && strcmp(options->policy, "deadline");

	if (!options->priority && ranked)
		options->priority = USUAL_PRIORITY;
	if (ops && ops->has_waker)
		options->waker.priority = (options->priority ? options->priority : USUAL_PRIORITY) + 1;
}

/* A ring has at least two processes and one CPU. No other source has processes. */
static void settle_ring(struct options *options)
{
	if (!options->processes)
		options->processes = 2;
	if (options->cpus.count)
		return;
	cpus_parse("all", &options->cpus);
	options->cpus.count = 1;
}

/* --explain records one CPU: without a list, the one this process is on. A CPU for the waker is refused later. */
static void settle_explained(struct options *options, const struct source_ops *ops)
{
	struct cpus allowed = { .count = 0 };
	int cpu = sched_getcpu();

	if (!options->explain || options->cpus.count || options->waker.cpu >= 0 || cpu < 0 || (ops && ops->observes))
		return;
	options->cpus = (struct cpus){ .count = 1, .number = { cpu } };
	cpus_parse("all", &allowed);
	if (allowed.count > 1 && !options->quiet && !options->check)
		warn("--explain watches one CPU: CPU %d, where it runs now; -a names another", cpu);
}

/* A source that needs no real-time policy runs without one, unless the user asks for it. */
void defaults_settle(struct options *options)
{
	const struct source_ops *ops = source_find(options->source);

	if (!options->policy)
		options->policy = ops && ops->ordinary ? "other" : "fifo";
	refuse_conflicts(options, ops);
	options->ordinary = ops && ops->ordinary && !strcmp(options->policy, "other");
	if (options->frequency_hz == OPTIONS_NO_RATE)
		options->frequency_hz = ops ? ops->usual_hz : SOURCE_USUAL_HZ;
	if (options->array_bytes == NO_ARRAY)
		options->array_bytes = 0;
	if (ops && ops->is_ring)
		settle_ring(options);
	settle_priorities(options, ops);
	settle_explained(options, ops);
	if (options->dma_latency_ns != NO_LATENCY)
		return;
	/* --idle-latency limits the measured CPUs alone, and another program is measured as it is. */
	options->hold_dma_latency = !options->limit_idle_latency && !(ops && ops->observes);
	options->dma_latency_ns = 0;
}
