// SPDX-License-Identifier: GPL-2.0-or-later
/* The meters, one and all, while they run and when they end, as the keeper or its successor sees them. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/worker.h"

#define SILENT_TICKS 5
#define ASKED_TICKS 600
#define HELD_TICKS 5
#define REAP_US 1000
#define REAP_TRIES 2000
#define PATIENCE_MS 10000	/* with a meter that is to end */

void worker_close(struct worker *worker)
{
	int *const files[] = { &worker->lifeline, &worker->end, &worker->stat, &worker->freezer.events };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (*files[i] >= 0)
			close(files[i][0]);
		*files[i] = -1;
	}
}

static void look_at_freezer(struct worker *worker)
{
	freezer_look(&worker->freezer);
	worker->channel->frozen = worker->freezer.was_frozen;
}

/* For messages: " on CPU 3", or "" on any. */
static const char *on_cpu(const struct worker *worker)
{
	static char text[24];

	*text = '\0';
	if (worker->cpu >= 0)
		snprintf(text, sizeof(text), " on CPU %d", worker->cpu);
	return text;
}

void worker_receive(struct worker *worker)
{
	struct channel *channel = worker->channel;
	int trace;

	if (lifeline_receive(worker->lifeline, &trace)) {
		worker->ready = true;
		worker->measures = channel->measuring;
		if (!worker->measures)
			return;
		worker_look_for_disturbances(worker);
		errno = EMFILE;
		if (trace == LIFELINE_NO_ROOM ||
		    (trace >= 0 && tap_reader_open(&worker->reader, trace, &channel->tap_state->layout,
						   channel->tap_state->parts_size, channel->wakelog,
						   worker->source.hz,
						   !measures_schedule(channel->live[0].measures)) < 0))
			warn("--explain: read what the kernel records: %m; the parts of all wake-ups%s will be "
			     "unknown; raise the limit on open files (ulimit -n), or free some memory",
			     on_cpu(worker));
		return;
	}
	worker->over = true;
	if (worker->pid >= 0 && worker->group) {
		look_at_freezer(worker);
		/* The meter is about to end. A process that traces it may hide its end from us. */
		worker->status = SIGKILL;
		for (int i = 0; i < REAP_TRIES && waitpid(worker->pid, &worker->status, WNOHANG) == 0; i++)
			usleep(REAP_US);
	}
	worker_close(worker);
}

/* The number of buffers in the totals, for comparison with the number of flips. */
static uint32_t collected(const struct worker *worker)
{
	return totals_sums(worker->totals)->buffers;
}

bool worker_awaits_flip(const struct worker *worker)
{
	return worker->flips_asked != collected(worker);
}

void worker_ask_flip(struct worker *worker)
{
	if (!worker_is_alive(worker) || worker_awaits_flip(worker))
		return;
	channel_want_flip(worker->channel);
	worker->flips_asked++;
}

void worker_collect(struct worker *worker)
{
	struct counters *live = &worker->channel->live[collected(worker) % 2];
	bool left = collected(worker) < channel_flips(worker->channel);

	tap_reader_read(&worker->reader);
	if (!left)
		return;
	totals_add(worker->totals, live, worker->source.period_ns);
	tap_reader_add(&worker->reader, worker->totals);
	counters_clear(live);
	events_go_on_from(&live->events, &totals_sums(worker->totals)->events);
}

/* A keeper that was killed may already have added the last buffer. */
void worker_collect_last(struct worker *worker)
{
	const struct counters *live = &worker->channel->live[channel_flips(worker->channel) % 2];

	if (worker->monitor)
		monitor_look(worker->monitor);
	worker_look_for_disturbances(worker);
	worker_collect(worker);
	if (collected(worker) > channel_flips(worker->channel))
		return;
	if (counters_is_whole(live)) {
		totals_add(worker->totals, live, worker->source.period_ns);
		tap_reader_add(&worker->reader, worker->totals);
	} else {
		warn("the last %" PRIu64 " samples%s were dropped: the meter was killed while counting",
		     live->samples, on_cpu(worker));
	}
	tap_reader_close(&worker->reader);
}

/*
 * Asleep with a flip outstanding: a timer is dead when both ten periods and five seconds have passed. Without a
 * schedule a long wait is what is measured, but no load causes one of ten minutes.
 */
static void look_for_silence(struct worker *worker, char state)
{
	const struct source *source = &worker->source;
	int64_t ticks = measures_schedule(source->ops->measures) ?
			greater(10 * source->period_ns / 1000000000, SILENT_TICKS) : ASKED_TICKS;

	worker->silent_ticks++;
	if (channel_flips(worker->channel) == worker->flips_asked || state != 'S' || worker->freezer.frozen)
		worker->silent_ticks = 0;
	if (worker->silent_ticks > ticks)
		channel_stop(worker->channel, END_SILENT);
}

/* SIGCONT does not help if a debugger has stopped it, its group is frozen, or it is stopped again and again. */
static void end_held(struct worker *worker, char state, enum end overdue)
{
	bool frozen = worker->freezer.frozen;

	worker->held_ticks++;
	if ((state != 'T' && state != 't' && !frozen) || (!overdue && !worker->channel->stop))
		worker->held_ticks = 0;
	if (worker->held_ticks >= HELD_TICKS)
		channel_stop(worker->channel, overdue);
	if (worker->held_ticks == 2 * HELD_TICKS)
		warn("the measuring process%s is %s and does not end; killing it", on_cpu(worker),
		     frozen ? "frozen" : "stopped");
	if (worker->held_ticks >= 2 * HELD_TICKS)
		kill(worker->pid, SIGKILL);
}

/* The ticks are the keeper's own: time that passes while it is stopped or has no CPU says nothing about the meter. */
void worker_look(struct worker *worker, enum end overdue)
{
	char state;

	if (!worker_is_alive(worker))
		return;
	if (worker->group)
		look_at_freezer(worker);
	worker_look_for_disturbances(worker);
	if (!worker->group)
		return;
	state = process_state(worker->stat);
	look_for_silence(worker, state);
	end_held(worker, state, overdue);
	if (worker->channel->stop)
		worker_stop(worker);
}

/* A stopped meter must continue before it can end. */
void worker_stop(struct worker *worker)
{
	if (!worker_is_alive(worker) || !worker->group)
		return;
	kill(worker->pid, SIGTERM);
	if (process_state(worker->stat) == 'T')
		kill(worker->pid, SIGCONT);
}

/* Has the meter ended within PATIENCE_MS after its last byte? may_wait: or does it wait to see the machine restored? */
static bool ends_in_time(struct worker *worker, bool may_wait)
{
	while (!worker->over && !(may_wait && worker->channel->left)) {
		if (poll(&(struct pollfd){ worker->lifeline, POLLIN, 0 }, 1, PATIENCE_MS) != 1)
			return false;
		worker_receive(worker);
	}
	return true;
}

/*
 * A dead meter's pid may belong to another process. So the process is held first: if the
 * lifeline has not hung up after that, the held process is the meter. It may be killed here,
 * because this process has the source open, too: see rtc_stop().
 */
void worker_await(struct worker *worker, bool may_wait)
{
	pid_t meter = worker->channel->meter;
	int held = meter ? process_hold(meter) : -1, stat = meter ? process_open(meter) : -1;
	struct pollfd line = { worker->lifeline, POLLIN, 0 };
	bool alive = meter && !worker->over && !(poll(&line, 1, 0) == 1 && line.revents & POLLHUP);

	/* A stopped meter must continue before it can end. A running one would take SIGCONT for the end of a stop. */
	if (alive && (stat < 0 || process_state(stat) == 'T'))
		process_signal(held, meter, SIGCONT);
	close(stat);
	if (!ends_in_time(worker, may_wait) && alive) {
		process_signal(held, meter, SIGKILL);
		ends_in_time(worker, may_wait);
	}
	if (held >= 0)
		close(held);
}

/* The meters wait until the machine is restored: if this process is killed first, they must do that. */
void workers_inherit(struct workers *workers)
{
	for_each_worker(worker, workers)
		worker_await(worker, true);
	workers_restore_machine(workers);
	for_each_worker(worker, workers) {
		worker->channel->restored = true;
		worker_await(worker, false);
		totals_inherit(worker->totals);
		worker_collect_last(worker);
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
		if (worker->source.ops->stop)
			worker->source.ops->stop(&worker->source);
}
