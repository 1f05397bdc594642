// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "workers.h"

static int open_worker(struct workers *workers, unsigned i, const struct options *options,
		       const struct source *source, uint64_t origin_ns)
{
	struct worker *worker = &workers->first[i];

	if (worker_open(worker, options->cpus.count ? options->cpus.number[i] : -1,
			totals_share(workers->count), options->explain) < 0)
		return -1;
	worker->source = *source;
	if (workers->count > 1) {
		worker->source.origin_ns = origin_ns;
		worker->source.phase_ns = options->aligned ? 0 : i * source->period_ns / workers->count;
	}
	return 0;
}

int workers_open(struct workers *workers, const struct options *options, const struct source *source)
{
	unsigned count = options->cpus.count ? options->cpus.count : 1;
	uint64_t origin_ns = monotonic_ns();

	workers->first = calloc(count, sizeof(*workers->first));
	if (!workers->first)
		return -1;
	workers->count = count;
	for (unsigned i = 0; i < count; i++)
		if (open_worker(workers, i, options, source, origin_ns) < 0)
			return -1;
	return 0;
}

/*
 * In a meter: what belongs to others would be locked with its own memory, or
 * hide that they are dead. Returns its worker, which is all that is left.
 */
static struct worker *forget_others(struct workers *workers, const struct worker *own)
{
	static struct worker self;

	self = *own;
	for_each_worker(worker, workers) {
		totals_forget(worker->totals);
		if (worker->explanation)
			explanation_forget(worker->explanation);
		if (worker != own)
			worker_forget(worker);
	}
	close(self.lifeline);
	free(workers->first);
	return &self;
}

pid_t workers_fork(struct workers *workers, struct worker **self)
{
	pid_t meter = 0;

	for (unsigned i = 0; i < workers->count; i++) {
		meter = worker_fork(&workers->first[i]);
		if (meter == 0)
			*self = forget_others(workers, &workers->first[i]);
		if (meter <= 0)
			break;
		workers->meters[i] = meter;
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

int workers_inherit(struct workers *workers)
{
	for_each_worker(worker, workers)
		if (worker_inherit(worker) < 0)
			return -1;
	return 0;
}

bool workers_are_over(const struct workers *workers)
{
	for_each_worker(worker, workers)
		if (!worker->over)
			return false;
	return true;
}

bool workers_have_measured(const struct workers *workers)
{
	for_each_worker(worker, workers)
		if (worker->channel->measuring)
			return true;
	return false;
}

bool workers_have_dropped(const struct workers *workers)
{
	for_each_worker(worker, workers)
		if (!worker->over && !worker->heard)
			return false;
	return true;
}

bool workers_have_samples(const struct workers *workers)
{
	for_each_worker(worker, workers)
		if (totals_sums(worker->totals)->samples)
			return true;
	return false;
}

void workers_ask_flips(struct workers *workers)
{
	for_each_worker(worker, workers)
		worker_ask_flip(worker);
}

bool workers_await_flips(const struct workers *workers)
{
	for_each_worker(worker, workers)
		if (!worker->over && worker_awaits_flip(worker))
			return true;
	return false;
}

void workers_collect(struct workers *workers, uint64_t elapsed_ns)
{
	for_each_worker(worker, workers)
		worker_collect(worker, elapsed_ns);
}

uint64_t workers_collect_at(const struct workers *workers, uint64_t at_ns)
{
	uint64_t soon_ns = monotonic_ns() + EXPLAIN_READ_NS;

	return workers->first->explanation && soon_ns < at_ns ? soon_ns : at_ns;
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

void workers_stop_sources(struct workers *workers)
{
	for_each_worker(worker, workers)
		worker->source.ops->stop(&worker->source);
}
