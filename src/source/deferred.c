// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work that the kernel defers: the time from when it is queued until it is executed. Both times are from the kernel's
 * own records. At each instant of a grid the meter reads the records, then requests some work, whether or not earlier
 * requests were served. So it learns up to a period late that a request was executed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "host/process.h"
#include "source/deferred.h"
#include "source/registry.h"
#include "trace/perf_ring.h"
#include "trace/symbols.h"

#define RING_SIZE (32 * 1024)		/* bytes: what all work of the same function records in a period */

struct deferred {
	const struct trigger_ops *ops;
	uint64_t subject[2];		/* what our records name: a thread, or the functions */
	uint64_t ended;			/* requests that have ended */
	struct perf_rings queued;	/* the records of requests that this process made */
	struct perf_rings here, *executed;	/* of any process, on its CPU; common if work is executed anywhere */
	struct pairs pairs;
	struct pair pair;		/* what was served last */
	uint64_t returned;		/* how many requests of this pair asked() has returned */
};

static uint64_t function[2];		/* addresses of the trigger's functions, found by the keeper; 0: it has none */
static struct perf_rings common;	/* for work executed anywhere: opened by the keeper, read by all meters */

/* Where the kernel has only one of two functions, both addresses are that one's. */
static int find_functions(const struct source *source)
{
	const struct trigger_ops *trigger = source->ops->trigger;
	struct refusal refusal;

	if (!trigger->function[0])
		return EXIT_MEASURED;
	if (trigger->loads)
		close(open(trigger->loads, O_RDONLY | O_CLOEXEC));
	if (symbols_look_up(KALLSYMS, trigger->function, function, trigger->function[1] ? 2 : 1) < 0) {
		trace_refuse_names(&refusal, errno);
		return source_refuse(source, &refusal);
	}
	for (int i = 0; i < 2; i++)
		function[i] = function[i] ? function[i] : function[1 - i];
	if (function[0])
		return EXIT_MEASURED;
	return fail(EXIT_NO_DEVICE, "--source=%s: the kernel has no %s; %s", source->ops->name, trigger->function[0],
		    trigger->absent);
}

static const char *record_end(struct perf_ring *ring, const struct deferred *deferred, const struct trigger_end *end,
			      pid_t by)
{
	const struct trace_filter filter = {
		.field = end->field, .by = by, .count = end->number ? 1 : 2,
		.value = { end->number ? end->number : deferred->subject[0], deferred->subject[1] },
	};

	return perf_ring_record(ring, end->tracepoint, &filter, TRACE_FIELDS, false) < 0 ? end->tracepoint : NULL;
}

static const char *record_queued(struct perf_ring *ring, const void *context)
{
	const struct deferred *deferred = context;

	return record_end(ring, deferred, &deferred->ops->queued, getpid());
}

/*
 * Some kernels do not trace all switches, but report an event of the thread's own for each
 * switch to it, up to a few microseconds later: whichever comes first counts.
 */
static const char *record_executed(struct perf_ring *ring, const void *context)
{
	const struct deferred *deferred = context;
	const struct trigger_ops *ops = deferred->ops;
	const char *refused = record_end(ring, deferred, &ops->executed, 0);

	if (refused && errno == ENOENT && ops->fallback.tracepoint)
		refused = record_end(ring, deferred, &ops->fallback, 0);
	if (!refused && ops->thread && perf_ring_add_switches(ring, deferred->subject[0], false) < 0)
		refused = ops->executed.tracepoint;
	return refused;
}

/* The first process that calls this opens the common rings, and those that it forks later share them. */
static int open_records(const struct source *source)
{
	const struct trigger_ops *ops = source->ops->trigger;
	struct deferred *deferred = source->private;
	enum perf_ring_kind kind = ops->anywhere ? PERF_RING_COMMON : PERF_RING_DRAINED;
	struct sched_state state;
	struct refusal refusal;
	int cpu;

	sched_state_read(0, &state);
	cpu = state.cpus == 1 ? state.first_cpu : -1;
	deferred->executed = ops->anywhere ? &common : &deferred->here;
	if (perf_rings_open(&deferred->queued, cpu, RING_SIZE, PERF_RING_DRAINED, record_queued, deferred,
			    &refusal) < 0)
		return source_refuse(source, &refusal);
	if (!deferred->executed->count &&
	    perf_rings_open(deferred->executed, ops->anywhere ? -1 : cpu, RING_SIZE, kind, record_executed, deferred,
			    &refusal) < 0)
		return source_refuse(source, &refusal);
	for (unsigned i = 0; i < common.count; i++)
		if (common.cpu[i].ring.events && perf_ring_map(&common.cpu[i].ring) < 0) {
			trace_refuse_tracepoint(&refusal, ops->executed.tracepoint, errno);
			return source_refuse(source, &refusal);
		}
	return trace_refuse_namespace(&refusal) ? source_refuse(source, &refusal) : EXIT_MEASURED;
}

/* For this process. Returns what to exit with; call deferred_finish() in either case, or exit. */
static int prepare_requests(struct source *source)
{
	const struct trigger_ops *ops = source->ops->trigger;
	struct deferred *deferred = source->private = calloc(1, sizeof(*deferred));
	const char *refused;

	if (!deferred)
		return source_refuse_memory(source);
	*deferred = (struct deferred){
		.ops = ops, .subject = { function[0], function[1] }, .pairs = {
			.limit = ops->limit, .merged = ops->merged, .anchor_ns = source->anchor_ns,
			.period_ns = source->period_ns,
		},
	};
	refused = ops->open();
	if (!refused && ops->thread)
		deferred->subject[0] = deferred->subject[1] = ops->thread();
	if (!refused)
		return open_records(source);
	if (source_is_absent(errno))
		return fail(EXIT_NO_DEVICE, "--source=%s: %s: %m; %s", source->ops->name, refused, ops->absent);
	return fail(EXIT_NOT_MEASURED, "--source=%s: %s: %m; %s", source->ops->name, refused, ops->denied);
}

static void deferred_finish(struct source *source)
{
	struct deferred *deferred = source->private;

	if (!deferred)
		return;
	perf_rings_close(&deferred->queued);
	perf_rings_close(&deferred->here);
	for (unsigned i = 0; i < common.count; i++)
		perf_ring_leave(&common.cpu[i].ring);
	deferred->ops->close();
	free(deferred);
	source->private = NULL;
}

static void deferred_stop(struct source *source)
{
	(void)source;
	perf_rings_close(&common);
}

/* The keeper only checks that all is available, and opens what the meters share. */
static int deferred_open(struct source *source)
{
	int status = find_functions(source);

	if (!status)
		status = prepare_requests(source);
	deferred_finish(source);
	if (status)
		deferred_stop(source);
	return status;
}

static int deferred_start(struct source *source)
{
	source_start_timer(source);
	return prepare_requests(source);
}

static void match_record(void *context, const struct trace_record *record)
{
	struct pairs *pairs = context;

	if (record->kind == TRACE_LOST)
		pairs_lost(pairs);
	else if (record->kind == TRACE_QUEUED || record->kind == TRACE_WAKING)
		pairs_queued(pairs, record->work, record->at_ns);
	else if (record->kind != TRACE_SWITCH_OUT)
		pairs_executed(pairs, record->work, record->at_ns);
}

static void read_end(struct perf_rings *rings, struct pairs *pairs)
{
	for (unsigned i = 0; i < rings->count; i++)
		if (rings->cpu[i].ring.memory)
			perf_ring_drain(&rings->cpu[i].ring, match_record, pairs);
}

/*
 * Ends are counted before the records are read, so that each end counted has a record among them. Each queueing is
 * reported before its execution: this process queued the work before it came here.
 */
static void read_both_ends(struct source *source)
{
	struct deferred *deferred = source->private;
	uint64_t now_ns = monotonic_ns();

	if (source->looked_ns)
		source->figures.away_ns = greater(source->figures.away_ns, now_ns - source->looked_ns);
	source->looked_ns = now_ns;
	if (deferred->ops->collect)
		deferred->ended += deferred->ops->collect();
	read_end(&deferred->queued, &deferred->pairs);
	read_end(deferred->executed, &deferred->pairs);
	pairs_complete(&deferred->pairs, deferred->ended);
	source->figures.pending_ns = greater(source->figures.pending_ns, pairs_waited(&deferred->pairs, now_ns));
}

/* Requests work for the last instant that has passed, if a request may be made. Returns 0 or an errno. */
static int request_work(struct deferred *deferred)
{
	struct pairs *pairs = &deferred->pairs;
	uint64_t now_ns = monotonic_ns(), due_ns = pairs_next_due(pairs, now_ns) - pairs->period_ns;
	int error;

	if (!pairs_may_ask(pairs, due_ns))
		return 0;
	error = deferred->ops->ask();
	if (error && error != EALREADY)
		return error == EAGAIN ? 0 : error;
	pairs_ask(pairs, due_ns, now_ns);
	if (error)
		pairs_queued(pairs, 0, now_ns);
	return 0;
}

static int64_t deferred_serve(struct source *source, struct wakeup *wakeup)
{
	struct deferred *deferred = source->private;
	struct pairs *pairs = &deferred->pairs;
	bool taken;
	int error = 0;

	while (!(taken = pairs_take(pairs, &deferred->pair)) && !error) {
		const struct timespec due = timespec_from(pairs_next_due(pairs, monotonic_ns()));

		error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
		read_both_ends(source);
		if (!error)
			error = request_work(deferred);
	}
	source->figures.unmatched = pairs->unmatched;
	source->figures.unasked = pairs_unasked(pairs, taken ? 0 : monotonic_ns());
	if (!taken)
		return -error;
	wakeup->served_ns = deferred->pair.executed_ns;
	deferred->returned = 0;
	return 1 + deferred->pair.missed;
}

static uint64_t deferred_asked(struct source *source)
{
	struct deferred *deferred = source->private;

	return pair_asked(&deferred->pair, &deferred->pairs, deferred->returned++);
}

#define DEFERRED(requests) \
	.measures = SINCE_ASKED, .matched = true, .trigger = &requests, .max_hz = 1000, .usual_hz = 100, \
	.open = deferred_open, .start = deferred_start, .serve = deferred_serve, .asked = deferred_asked, \
	.finish = deferred_finish, .stop = deferred_stop

const struct source_ops source_workqueue_global = { .name = "workqueue:global", DEFERRED(trigger_global) };
const struct source_ops source_workqueue_unbound = { .name = "workqueue:unbound", DEFERRED(trigger_unbound) };
const struct source_ops source_workqueue_private = { .name = "workqueue:private", DEFERRED(trigger_private) };
const struct source_ops source_kthread = { .name = "kthread", DEFERRED(trigger_kthread) };
const struct source_ops source_tasklet = {
	.name = "tasklet", DEFERRED(trigger_tasklet),
	.exclusive = true,				/* all meters would share the one tasklet */
	.needs = UINT64_C(1) << CAP_SYS_TTY_CONFIG,	/* to set the keyboard's lights */
};
