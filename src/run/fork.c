// SPDX-License-Identifier: GPL-2.0-or-later
/* How the meters are prepared and forked. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/worker.h"

/* What each worker has of its own: the memory that it shares with the meter, and the lifeline. Returns 0, or -1. */
static int open_worker(struct workers *workers, struct worker *worker, const struct options *options,
		       const struct source *source)
{
	unsigned i = worker - workers->first;
	enum explain_level level = options->explain;
	struct channel *channel = channel_create(source->ops->measures, level);
	int ends[2];

	*worker = (struct worker){
		.cpu = options->cpus.count ? options->cpus.number[i] : -1, .channel = channel,
		.refused = shared_create(sizeof(*worker->refused)),
		.totals = totals_create(totals_share(workers->count), level >= EXPLAIN_BLAME), .source = *source,
		.pid = -1, .stat = -1, .freezer.events = -1,
		.group = !source->threads ? 1 : i ? 0 : source->thread_count,
	};
	if (!channel || !worker->refused || !worker->totals)
		return -1;
	channel->tap_state = worker->group ? shared_create(sizeof(*channel->tap_state)) :
			     workers->first->channel->tap_state;
	if (!channel->tap_state || lifeline_open(ends) < 0)
		return -1;
	worker->lifeline = ends[0];
	worker->end = ends[1];
	if (source->threads) {
		channel->thread = source->threads[i];
		worker->source.thread = &channel->thread;
		snprintf(worker->name, sizeof(worker->name), "%d %s", channel->thread.id, channel->thread.name);
	} else {
		snprintf(worker->name, sizeof(worker->name), "%d", worker->cpu);
	}
	return level && measures_either(source->ops->measures) ?
	       tap_reader_open(&worker->reader, -1, NULL, 0, channel->wakelog, 0, false) : 0;
}

int workers_open(struct workers *workers, const struct options *options, const struct source *source,
		 struct monitor *monitor)
{
	unsigned count = source->threads ? source->thread_count : options_meters(options), opened = 0;
	uint64_t origin_ns = monotonic_ns();

	*workers = (struct workers){ count, calloc(count, sizeof(*workers->first)) };
	for (struct worker *worker = workers->first; worker && opened < count; worker++, opened++) {
		if (open_worker(workers, worker, options, source) < 0)
			break;
		worker->monitor = monitor;
		worker->source.waker = options->waker;
		worker->source.processes = options->processes;
		worker->source.array_bytes = options->array_bytes;
		if (count == 1 || !source->period_ns)
			continue;
		worker->source.origin_ns = origin_ns;
		worker->source.phase_ns = options->aligned ? 0 : opened * source->period_ns / count;
	}
	if (opened == count)
		return 0;
	warn("prepare to measure %u %s%s: %m; free some memory, or raise the limit on open files (ulimit -n)", count,
	     source->threads ? "thread" : "CPU", count == 1 ? "" : "s");
	return -1;
}

/*
 * In a meter: unmap the memory of the others, or it would be locked with its own; close their lifelines, or an open end
 * would hide their death. Returns the meter's own worker: if there are others, a copy, and the array is freed.
 */
static struct worker *forget_others(struct workers *workers, struct worker *own)
{
	static struct worker self;

	for_each_worker(worker, workers) {
		totals_forget(worker->totals);
		if (worker >= own && worker < own + own->group) {
			close(worker->lifeline);
			continue;
		}
		munmap(worker->refused, sizeof(*worker->refused));
		munmap(worker->channel->tap_state, sizeof(*worker->channel->tap_state));
		munmap(worker->channel, worker->channel->size);
		worker_close(worker);
	}
	if (own->group == workers->count)
		return own;
	self = *own;
	free(workers->first);
	return &self;
}

/* A meter serves all workers of its group; only the first looks after it. */
pid_t workers_fork(struct workers *workers, struct worker **self)
{
	pid_t meter = 0;

	for_each_worker(worker, workers) {
		if (worker->group)
			meter = fork();
		if (meter == 0)
			*self = forget_others(workers, worker);
		if (meter <= 0)
			break;
		worker->pid = meter;
		worker->channel->meter = meter;
		worker->ready = !worker->group;
		close(worker->end);
		worker->end = -1;
		if (!worker->group)
			continue;
		worker->stat = process_open(meter);
		worker->freezer.pid = meter;
		freezer_look(&worker->freezer);
	}
	return meter;
}
