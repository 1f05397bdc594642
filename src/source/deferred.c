// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work that the kernel puts off: from when it is queued until it is executed,
 * both by the kernel's own records. The meter does not do the work. It asks for
 * some at each instant of a grid, whether what it asked for before was done or
 * not, and then looks what has come of it: so that is known up to a period later.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "measure/clock.h"
#include "source/deferred_records.h"
#include "source/registry.h"
#include "trace/symbols.h"

#define MAX_HZ 1000

struct deferred {
	struct trigger trigger;
	struct records records;
	struct pairs pairs;
	struct pair pair;		/* the last that was served, and */
	uint64_t told;			/* how many of its requests were told */
};

static uint64_t function[2];		/* the addresses of those that do the work; 0: none */
static struct record_rings common;	/* of what is executed anywhere: opened by the keeper, for all meters */

static int refuse_names(const struct trigger_ops *ops)
{
	bool hidden = errno == EPERM;

	warn("--source=%s: look %s up in /proc/kallsyms: %s; %s", ops->source, ops->function[0],
	     hidden ? "the addresses are hidden" : strerror(errno),
	     hidden ? "run as root with sysctl kernel.kptr_restrict=1" : "use a kernel that has CONFIG_KALLSYMS");
	return errno == ENOENT ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

static void load_module(const struct trigger_ops *ops)
{
	int file = ops->loads ? open(ops->loads, O_RDONLY | O_CLOEXEC) : -1;

	if (file >= 0)
		close(file);
}

static int find_function(struct source *source)
{
	const struct trigger_ops *ops = trigger_named(source->ops->name);
	struct symbols symbols;

	if (!ops->function[0])
		return EXIT_MEASURED;
	load_module(ops);
	if (symbols_load(&symbols, "/proc/kallsyms") < 0)
		return refuse_names(ops);
	for (int i = 0; i < 2 && ops->function[i]; i++)
		function[i] = symbols_address(&symbols, ops->function[i]);
	symbols_forget(&symbols);
	if (function[0] || function[1])
		return EXIT_MEASURED;
	warn("--source=%s: the kernel has no %s; %s", ops->source, ops->function[0], ops->absent);
	return EXIT_NO_DEVICE;
}

/* -1: any. */
static int own_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(set), &set) < 0 || CPU_COUNT(&set) != 1)
		return -1;
	while (!CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

/* Each process that asks has its own. Returns what to exit with. */
static int make(struct source *source)
{
	struct deferred *deferred = calloc(1, sizeof(*deferred));

	source->own = deferred;
	if (!deferred) {
		warn("--source=%s: allocate memory: %m; free some", source->ops->name);
		return EXIT_NOT_MEASURED;
	}
	deferred->trigger = (struct trigger){
		.ops = trigger_named(source->ops->name), .cpu = own_cpu(), .fd = -1, .peer = -1,
	};
	return EXIT_MEASURED;
}

static int set_going(struct source *source)
{
	struct deferred *deferred = source->own;
	struct trigger *trigger = &deferred->trigger;
	int status;

	memcpy(trigger->function, function, sizeof(trigger->function));
	status = trigger_open(trigger);
	if (!status && trigger->ops->anywhere && !common.count)
		status = records_open_common(&common, trigger);
	return status ? status : records_open(&deferred->records, trigger, &common, &deferred->pairs);
}

static void deferred_finish(struct source *source)
{
	struct deferred *deferred = source->own;

	records_close(&deferred->records);
	deferred->trigger.ops->close(&deferred->trigger);
	free(deferred);
	source->own = NULL;
}

static void deferred_stop(struct source *source)
{
	(void)source;
	records_close_common(&common);
}

/* Only whether it can be had, and what all have in common: each meter makes its own. */
static int deferred_open(struct source *source, const char *device)
{
	int status = source_open_no_device(source, device);

	if (!status)
		status = find_function(source);
	if (!status)
		status = make(source);
	if (status)
		return status;
	status = set_going(source);
	deferred_finish(source);
	if (status)
		deferred_stop(source);
	return status;
}

static int deferred_start(struct source *source)
{
	const struct trigger_ops *ops;
	struct deferred *deferred;

	if (make(source) || set_going(source))
		return -1;
	source_start_timer(source);
	deferred = source->own;
	ops = deferred->trigger.ops;
	pairs_init(&deferred->pairs, ops->limit, ops->merged, source->anchor_ns, source->period_ns);
	return 0;
}

static uint64_t longer(uint64_t one_ns, uint64_t other_ns)
{
	return one_ns > other_ns ? one_ns : other_ns;
}

/* Who waits for what has ended must have looked for that before it reads the records, which are older. */
static void look(struct source *source)
{
	struct deferred *deferred = source->own;
	const struct pairs *pairs = &deferred->pairs;
	uint64_t now_ns = monotonic_ns();

	if (source->looked_ns)
		source->away_ns = longer(source->away_ns, now_ns - source->looked_ns);
	source->looked_ns = now_ns;
	if (deferred->trigger.ops->collect)
		deferred->trigger.ops->collect(&deferred->trigger);
	records_read(&deferred->records);
	pairs_settle(&deferred->pairs, deferred->trigger.ended);
	if (pairs->pending)
		source->pending_ns = longer(source->pending_ns, now_ns - pairs->queue[0].queued_ns);
}

/* For the last instant that is behind us. Returns 0 or errno. */
static int ask(struct deferred *deferred)
{
	struct pairs *pairs = &deferred->pairs;
	uint64_t now_ns = monotonic_ns(), due_ns = pairs_next_due(pairs, now_ns) - pairs->period_ns;
	int error;

	if (!pairs_may_ask(pairs, due_ns))
		return 0;
	error = deferred->trigger.ops->ask(&deferred->trigger);
	if (error)
		return error == EAGAIN ? 0 : error;
	pairs_ask(pairs, due_ns, now_ns);
	if (deferred->trigger.awake)
		pairs_queued(pairs, 0, now_ns);
	return 0;
}

static int sleep_until_due(const struct pairs *pairs)
{
	struct timespec due = timespec_from(pairs_next_due(pairs, monotonic_ns()));

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

static int64_t deferred_wait(struct source *source, uint64_t due_ns)
{
	struct deferred *deferred = source->own;
	bool taken;
	int error = 0;

	(void)due_ns;
	while (!(taken = pairs_take(&deferred->pairs, &deferred->pair)) && !error) {
		error = sleep_until_due(&deferred->pairs);
		look(source);
		if (!error)
			error = ask(deferred);
	}
	source->unmatched = deferred->pairs.unmatched;
	source->unasked = taken ? deferred->pairs.unasked : pairs_unasked(&deferred->pairs, monotonic_ns());
	if (!taken)
		return -error;
	source->served_ns = deferred->pair.executed_ns;
	deferred->told = 0;
	return pair_requests(&deferred->pair);
}

static uint64_t deferred_asked(struct source *source)
{
	struct deferred *deferred = source->own;

	return pair_asked(&deferred->pair, &deferred->pairs, deferred->told++);
}

#define DEFERRED \
	.measures = SINCE_ASKED, .matched = true, .max_hz = MAX_HZ, .usual_hz = 100, \
	.open = deferred_open, .start = deferred_start, .wait = deferred_wait, .asked = deferred_asked, \
	.finish = deferred_finish, .stop = deferred_stop

const struct source_ops source_workqueue_global = { .name = "workqueue:global", DEFERRED };
const struct source_ops source_workqueue_unbound = { .name = "workqueue:unbound", DEFERRED };
const struct source_ops source_workqueue_private = { .name = "workqueue:private", DEFERRED };
const struct source_ops source_tasklet = {
	.name = "tasklet",
	.exclusive = true,	/* all would share the one that looks after the lights */
	.needs = UINT64_C(1) << CAP_SYS_TTY_CONFIG,
	DEFERRED,
};
const struct source_ops source_kthread = { .name = "kthread", DEFERRED };
