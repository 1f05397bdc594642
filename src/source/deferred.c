// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work that the kernel defers: the time from when it is queued until it is
 * executed. Both times are from the kernel's own records. The meter does not do
 * the work. At each instant of a grid it reads the records, then requests some
 * work, whether or not earlier requests were served. So it learns up to a period
 * late that a request was executed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "host/process.h"
#include "source/deferred.h"
#include "source/deferred_records.h"
#include "source/registry.h"
#include "trace/refusal.h"
#include "trace/symbols.h"

struct deferred {
	struct trigger trigger;
	struct deferred_records records;
	struct pairs pairs;
	struct pair pair;		/* what was served last */
	uint64_t returned;		/* how many requests of this pair asked() has returned */
	max_align_t own[];		/* the trigger's */
};

static uint64_t function[2];		/* addresses of the trigger's functions, found by the keeper; 0: it has none */

static int refuse_names(const struct source *source)
{
	bool absent = errno == ENOENT;
	struct refusal refusal;
	char line[REFUSAL_LINE];

	trace_refuse_names(&refusal, errno);
	warn("--source=%s: %s", source->ops->name, refusal_line(&refusal, line));
	return absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

/* Where the kernel has only one of two functions, both addresses are of that one. */
static int find_functions(const struct source *source)
{
	const struct trigger_ops *trigger = source->ops->trigger;

	if (!trigger->function[0])
		return EXIT_MEASURED;
	if (trigger->loads)
		close(open(trigger->loads, O_RDONLY | O_CLOEXEC));
	if (symbols_look_up(KALLSYMS, trigger->function, function, trigger->function[1] ? 2 : 1) < 0)
		return refuse_names(source);
	for (int i = 0; i < 2; i++)
		function[i] = function[i] ? function[i] : function[1 - i];
	if (function[0])
		return EXIT_MEASURED;
	warn("--source=%s: the kernel has no %s; %s", source->ops->name, trigger->function[0], trigger->absent);
	return EXIT_NO_DEVICE;
}

/* The CPU that this process is bound to; -1: it may run on several. */
static int own_cpu(void)
{
	struct sched_state state;

	sched_state_read(0, &state);
	return state.cpus == 1 ? state.first_cpu : -1;
}

static int open_trigger(struct trigger *trigger)
{
	const char *refused = trigger->ops->open(trigger);
	bool absent = source_is_absent(errno);

	if (!refused)
		return EXIT_MEASURED;
	warn("--source=%s: %s: %m; %s", trigger->name, refused, absent ? trigger->ops->absent : trigger->ops->denied);
	return absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

/* For this process. Returns what to exit with; call deferred_finish() in either case. */
static int prepare(struct source *source)
{
	const struct trigger_ops *ops = source->ops->trigger;
	struct deferred *deferred = source->own = calloc(1, sizeof(*deferred) + ops->own_size);
	int status;

	if (!deferred) {
		warn("--source=%s: allocate memory: %m; free some", source->ops->name);
		return EXIT_NOT_MEASURED;
	}
	deferred->trigger = (struct trigger){
		.name = source->ops->name, .ops = ops, .cpu = own_cpu(), .own = deferred->own,
		.subject = { function[0], function[1] },
	};
	status = open_trigger(&deferred->trigger);
	return status ? status : records_open(&deferred->records, &deferred->trigger);
}

void deferred_finish(struct source *source)
{
	struct deferred *deferred = source->own;

	if (!deferred)
		return;
	records_close(&deferred->records);
	deferred->trigger.ops->close(&deferred->trigger);
	free(deferred);
	source->own = NULL;
}

void deferred_stop(struct source *source)
{
	(void)source;
	records_close_common();
}

/* The keeper only checks that all is available, and opens what the meters share. */
int deferred_open(struct source *source, const char *device)
{
	int status = source_open_no_device(source, device);

	if (!status)
		status = find_functions(source);
	if (!status)
		status = prepare(source);
	deferred_finish(source);
	if (status)
		deferred_stop(source);
	return status;
}

int deferred_start(struct source *source)
{
	const struct trigger_ops *ops = source->ops->trigger;
	struct deferred *deferred;

	if (prepare(source))
		return -1;
	source_start_timer(source);
	deferred = source->own;
	pairs_init(&deferred->pairs, ops->limit, ops->merged, source->anchor_ns, source->period_ns);
	return 0;
}

static void raise_to(uint64_t *longest_ns, uint64_t ns)
{
	if (ns > *longest_ns)
		*longest_ns = ns;
}

/* Ends are counted before the records are read, so that each end that is counted has a record among these. */
static void look(struct source *source)
{
	struct deferred *deferred = source->own;
	const struct pairs *pairs = &deferred->pairs;
	uint64_t now_ns = monotonic_ns();

	if (source->looked_ns)
		raise_to(&source->figures.away_ns, now_ns - source->looked_ns);
	source->looked_ns = now_ns;
	if (deferred->trigger.ops->collect)
		deferred->trigger.ops->collect(&deferred->trigger);
	records_read(&deferred->records, &deferred->pairs);
	pairs_settle(&deferred->pairs, deferred->trigger.ended);
	raise_to(&source->figures.pending_ns, pairs_waited(pairs, now_ns));
}

/* Requests work for the last instant that has passed, if it may. Returns 0 or an errno. */
static int ask(struct deferred *deferred)
{
	struct trigger *trigger = &deferred->trigger;
	struct pairs *pairs = &deferred->pairs;
	uint64_t now_ns = monotonic_ns(), due_ns = pairs_next_due(pairs, now_ns) - pairs->period_ns;
	int error;

	if (!pairs_may_ask(pairs, due_ns))
		return 0;
	error = trigger->ops->ask(trigger);
	if (error)
		return error == EAGAIN ? 0 : error;
	pairs_ask(pairs, due_ns, now_ns);
	if (trigger->unqueued)
		pairs_queued(pairs, 0, now_ns);
	return 0;
}

static int sleep_until_due(const struct pairs *pairs)
{
	const struct timespec due = timespec_from(pairs_next_due(pairs, monotonic_ns()));

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

int64_t deferred_serve(struct source *source, struct wakeup *wakeup)
{
	struct deferred *deferred = source->own;
	struct pairs *pairs = &deferred->pairs;
	bool taken;
	int error = 0;

	while (!(taken = pairs_take(pairs, &deferred->pair)) && !error) {
		error = sleep_until_due(pairs);
		look(source);
		if (!error)
			error = ask(deferred);
	}
	source->figures.unmatched = pairs->unmatched;
	source->figures.unasked = pairs_unasked(pairs, taken ? 0 : monotonic_ns());
	if (!taken)
		return -error;
	wakeup->served_ns = deferred->pair.executed_ns;
	deferred->returned = 0;
	return 1 + deferred->pair.missed;
}

uint64_t deferred_asked(struct source *source)
{
	struct deferred *deferred = source->own;

	return pair_asked(&deferred->pair, &deferred->pairs, deferred->returned++);
}
