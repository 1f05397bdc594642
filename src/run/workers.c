// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/idle_latency.h"
#include "measure/clock.h"
#include "run/lifeline.h"
#include "run/worker.h"

/* Threads of a command begin, and change their names, while it runs. */
static void name(struct worker *worker)
{
	const struct thread *thread = &worker->channel->thread;

	if (worker->source.threads)
		snprintf(worker->name, sizeof(worker->name), "%d %s", thread->id, thread->name);
	else
		snprintf(worker->name, sizeof(worker->name), "%d", worker->cpu);
}

static int open_worker(struct workers *workers, unsigned i, const struct options *options,
		       const struct source *source, uint64_t origin_ns)
{
	struct worker *worker = &workers->first[i];

	if (worker_open(worker, options->cpus.count ? options->cpus.number[i] : -1,
			totals_share(workers->count), source->ops->measures, options->explain) < 0)
		return -1;
	worker->source = *source;
	if (source->threads) {
		worker->channel->thread = source->threads[i];
		worker->source.thread = &worker->channel->thread;
		worker->group = i ? 0 : source->thread_count;
	}
	worker->source.waker = options->waker;
	worker->source.processes = options->processes;
	worker->source.array_bytes = options->array_bytes;
	if (workers->count > 1 && source->period_ns) {
		worker->source.origin_ns = origin_ns;
		worker->source.phase_ns = options->aligned ? 0 : i * source->period_ns / workers->count;
	}
	name(worker);
	return 0;
}

int workers_open(struct workers *workers, const struct options *options, const struct source *source,
		 struct monitor *monitor)
{
	unsigned count = source->threads ? source->thread_count : options_meters(options), opened = 0;
	uint64_t origin_ns = monotonic_ns();

	workers->count = count;
	workers->first = calloc(count, sizeof(*workers->first));
	while (workers->first && opened < count && open_worker(workers, opened, options, source, origin_ns) == 0)
		workers->first[opened++].monitor = monitor;
	if (opened == count)
		return 0;
	warn("prepare to measure %u %s%s: %m; free some memory, or raise the limit of open files (ulimit -n)", count,
	     source->threads ? "thread" : "CPU", count == 1 ? "" : "s");
	return -1;
}

/*
 * In a meter: unmap the memory of the others, or it would be locked with its own;
 * close their lifelines, or an open end would hide their death. Returns the meter's
 * own worker: if there are others, a copy, and the array is freed.
 */
static struct worker *forget_others(struct workers *workers, struct worker *own)
{
	static struct worker self;

	for_each_worker(worker, workers) {
		totals_forget(worker->totals);
		if (worker < own || worker >= own + own->group)
			worker_forget(worker);
		else
			close(worker->lifeline);
	}
	if (own->group == workers->count)
		return own;
	self = *own;
	free(workers->first);
	return &self;
}

pid_t workers_fork(struct workers *workers, struct worker **self)
{
	pid_t meter = 0;

	for_each_worker(worker, workers) {
		if (worker->group)
			meter = worker_fork(worker);
		if (meter == 0)
			*self = forget_others(workers, worker);
		if (meter <= 0)
			break;
	}
	return meter;
}

void workers_listen(struct workers *workers)
{
	for_each_worker(worker, workers) {
		close(worker->end);
		worker->end = -1;
	}
}

void workers_let_go(const struct workers *workers)
{
	for_each_worker(worker, workers) {
		munmap(worker->refused, sizeof(*worker->refused));
		if (worker_is_alive(worker) && worker->group)
			lifeline_tell(worker->lifeline, -1);
	}
}

/* The meters wait until the machine is restored: if this process is killed first, they must do that. */
void workers_inherit(struct workers *workers)
{
	for_each_worker(worker, workers)
		worker_await(worker, true);
	workers_restore_machine(workers);
	for_each_worker(worker, workers) {
		worker_inherit(worker);
		name(worker);
	}
}

void workers_listen_in(const struct workers *workers, struct pollfd *events)
{
	for_each_worker(worker, workers)
		events[worker - workers->first] = (struct pollfd){
			.fd = worker_is_alive(worker) ? worker->lifeline : -1, .events = POLLIN,
		};
}

void workers_hear(struct workers *workers, const struct pollfd *events)
{
	for_each_worker(worker, workers) {
		if (!events[worker - workers->first].revents || worker->over)
			continue;
		worker_hear(worker);
		if (worker->over)
			worker_collect_last(worker);
		if (worker->over && worker->channel->end == END_BREAK)
			workers_end(workers, END_BREAK_ELSEWHERE);
	}
}

void workers_collect(struct workers *workers)
{
	for_each_worker(worker, workers) {
		worker_collect(worker);
		name(worker);
	}
}

void workers_stop(struct workers *workers)
{
	for_each_worker(worker, workers)
		worker_stop(worker);
}

void workers_end(struct workers *workers, enum end why)
{
	for_each_worker(worker, workers)
		channel_stop(worker->channel, why);
	workers_stop(workers);
}

void workers_give_up(struct workers *workers)
{
	workers_stop(workers);
	for_each_worker(worker, workers)
		if (worker->pid > 0)
			worker_await(worker, true);
	workers_restore_machine(workers);
}

void workers_restore_machine(struct workers *workers)
{
	for_each_worker(worker, workers)
		worker->source.ops->stop(&worker->source);
	idle_latency_put_back();
}

struct report *workers_report(const struct workers *workers, const struct report *all)
{
	struct report *reports = calloc(workers->count, sizeof(*reports));

	for (unsigned i = 0; reports && i < workers->count; i++) {
		const struct worker *worker = &workers->first[i];
		struct report *report = &reports[i];

		*report = *all;
		report->cpu = worker->cpu;
		report->name = worker->name;
		report->source = &worker->source;
		report->channel = worker->channel;
		report->totals = worker->totals;
		report->over = &worker->over;
		report->number = i + 1;
		report->count = report->most = workers->count;
	}
	return reports;
}
