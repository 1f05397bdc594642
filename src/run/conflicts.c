// SPDX-License-Identifier: GPL-2.0-or-later
/* Options that do not go together, and what the user left open. */
#include <sched.h>
#include <string.h>

#include "base/diag.h"
#include "run/command_line.h"
#include "source/registry.h"

#define USUAL_PRIORITY 95
#define NO_RING "--source=%s is not a ring; use --source=ring, or leave it out"

#define refuse(wrong, ...) \
	do { \
		if (wrong) \
			die(EXIT_NOT_MEASURED, __VA_ARGS__); \
	} while (0)

/* auto, and an unknown name, are treated as a source that has a rate and nothing else. */
static void refuse_conflicts(const struct options *options, const struct source_ops *of)
{
	const char *source = options->source, *threads = options->threads;
	int waker = options->waker.cpu;

	/* A source decides which rates it takes when it is opened. */
	refuse(options->frequency_hz != UNSET_RATE && !of->usual_hz,
	       "--frequency=%u: --source=%s has no rate; leave it out", options->frequency_hz, source);
	refuse(options->aligned && !of->usual_hz, "--aligned: --source=%s has no schedule; leave it out", source);
	refuse(options->explain && of->matched, "--explain: --source=%s measures the kernel's work, not a wake-up; "
	       "leave it out", source);
	refuse(options->processes && !of->is_ring, "--processes: " NO_RING, source);
	refuse(options->array_bytes != UNSET_ARRAY && !of->is_ring, "--array: " NO_RING, source);
	refuse(options->explain && of->is_ring, "--explain: --source=%s measures several processes, not one; "
	       "leave it out", source);
	refuse(options->priority && !strcmp(options->policy, "other"),
	       "--priority=%d: --policy=other has none; leave it out", options->priority);
	refuse(options->priority == 99 && of->has_waker, "--priority=99: the waker needs a higher one, and there is "
	       "none; use 98 or less");
	refuse(waker >= 0 && !of->has_waker, "--waker=%d: --source=%s has no waker; use --source=thread, or leave "
	       "--waker out", waker, source);
	/* A script may build a list of a single CPU, so --aligned takes it. No list at all is a mistake. */
	refuse(options->aligned && !options->cpus.count, "--aligned: no CPUs are given; give --cpu, as in --cpu=all");
	refuse(threads && !of->takes_target, "--threads=%s: --source=%s does not measure threads of another program; "
	       "use --source=task, or --cpu for each CPU", threads, source);
	/* The CPUs of a thread of another program are left as they are. */
	refuse(options->cpus.count && of->takes_target,
	       "--cpu: --source=%s follows the thread to any CPU; leave --cpu out", source);
}

/* --explain records one CPU: without a list, the one this process is on. --waker is refused later. */
static void choose_cpu(struct options *options, const struct source_ops *ops)
{
	int cpu = sched_getcpu();

	if (!options->explain || options->cpus.count || options->waker.cpu >= 0 || ops->takes_target || cpu < 0)
		return;
	cpus_parse("all", &options->cpus);
	if (options->cpus.count > 1 && !options->quiet && !options->check)
		warn("--explain watches one CPU: CPU %d, where realfeel is running now; use -a to name another", cpu);
	options->cpus = (struct cpus){ .count = 1, .number = { cpu } };
}

void command_line_complete(struct options *options)
{
	static const struct source_ops any = { .usual_hz = SOURCE_USUAL_HZ };
	const struct source_ops *found = source_find(options->source), *ops = found ? found : &any;

	/* A source that needs no real-time policy runs without one, unless the user asks for it. */
	if (!options->policy)
		options->policy = ops->ordinary ? "other" : "fifo";
	refuse_conflicts(options, ops);
	options->ordinary = ops->ordinary && !strcmp(options->policy, "other");
	if (options->frequency_hz == UNSET_RATE)
		options->frequency_hz = ops->usual_hz;
	if (options->array_bytes == UNSET_ARRAY)
		options->array_bytes = 0;
	if (ops->is_ring && !options->processes)
		options->processes = 2;
	if (ops->is_ring && !options->cpus.count) {
		cpus_parse("all", &options->cpus);
		options->cpus.count = 1;
	}
	/* The waker's priority is one above the meter's or, if that has none, above the usual one. */
	if (!options->priority && strcmp(options->policy, "other"))
		options->priority = USUAL_PRIORITY;
	if (ops->has_waker)
		options->waker.priority = (options->priority ? options->priority : USUAL_PRIORITY) + 1;
	choose_cpu(options, ops);
	/* Another program is measured as it is. */
	if (options->dma_latency_us == UNSET_LATENCY)
		options->dma_latency_us = ops->takes_target ? -1 : 0;
}
