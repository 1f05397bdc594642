// SPDX-License-Identifier: GPL-2.0-or-later
/* A single meter, while it runs and when it ends, as the keeper or its successor sees it. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "host/sysinfo.h"
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

static void note_seen(const struct worker *worker, enum seen seen, bool found, uint64_t ms)
{
	if (found)
		totals_see(worker->totals, seen, totals_seen_ms(worker->totals, seen) + ms);
}

/* A meter that has ended gives up its rights, so its scheduling no longer counts. */
static void look_at_meter(struct worker *worker, uint64_t ms)
{
	const struct channel *channel = worker->channel;
	struct sched_state meter, children;
	bool traced = sysfile_count(sysfile_path("/proc/%d/status", worker->pid), "TracerPid");

	sched_state_look(worker->pid, &meter);
	children_look(&channel->children, &children);
	if (channel->end)
		return;
	note_seen(worker, SEEN_SCHED, sched_state_differs(&meter, &channel->began), ms);
	note_seen(worker, SEEN_CHILD_SCHED,
		  children.cpus && sched_state_differs(&children, &channel->children.began), ms);
	note_seen(worker, SEEN_TRACED, traced, ms);
	note_seen(worker, SEEN_FROZEN, worker->freezer.frozen, ms);
	if (channel->began.policy != SCHED_OTHER)	/* the kernel throttles only ordinary processes */
		return;
	worker->throttled_us += cgroup_throttled_look(&worker->throttled, worker->pid);
	totals_see(worker->totals, SEEN_THROTTLED, worker->throttled_us / 1000);
}

static void look_at_thread(struct worker *worker, uint64_t ms)
{
	const struct thread *thread = &worker->channel->thread;
	int stat = process_open(thread->id);
	char state = process_state(stat);
	struct sched_state now;

	close(stat);
	sched_state_look(thread->id, &now);
	if (worker->channel->end || !state || state == 'Z')
		return;
	note_seen(worker, SEEN_THREAD_STOPPED, state == 'T' || state == 't', ms);
	note_seen(worker, SEEN_THREAD_SCHED,
		  thread->state.cpus && sched_state_differs(&now, &thread->state), ms);
}

/*
 * Note in the totals what disturbs the meter, its children or the thread that it measures: when
 * it begins to measure, then once a second, and before the last buffer is added.
 */
static void look_for_disturbances(struct worker *worker)
{
	const struct channel *channel = worker->channel;
	uint64_t since_ns = worker->seen_ns, now_ns = monotonic_ns();
	/* What a look finds is assumed to have lasted since the previous look. */
	uint64_t ms = greater((now_ns - since_ns) / 1000000, 1);

	if (worker->monitor) {
		const struct disturbances *seen = &worker->monitor->seen;

		totals_see(worker->totals, SEEN_STEAL, seen->steal.ms[1 + worker->cpu]);
		totals_see(worker->totals, SEEN_SUSPENDED, seen->suspended_ns / 1000000);
		totals_see(worker->totals, SEEN_CLOCK_SET, seen->clock_sets + (seen->clock_step_ns + 999999) / 1000000);
	}
	totals_see(worker->totals, SEEN_STOPPED, channel->stopped_ms);
	totals_see(worker->totals, SEEN_CHILD_STOPPED, channel->children.stopped_ms);
	totals_see(worker->totals, SEEN_FROZEN, channel->frozen);
	if (!worker_is_alive(worker) || !worker->measures || channel->end)
		return;
	worker->seen_ns = now_ns;
	if (!since_ns)
		cgroup_throttled_look(&worker->throttled, worker->pid);
	else if (worker->source.threads)
		look_at_thread(worker, ms);
	else
		look_at_meter(worker, ms);
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
		look_for_disturbances(worker);
		errno = EMFILE;
		if (trace == LIFELINE_NO_ROOM ||
		    (trace >= 0 && tap_reader_open(&worker->reader, trace, &channel->tap_state->layout,
						   channel->tap_state->parts_size, channel->wakelog,
						   worker->source.hz,
						   !measures_schedule(channel->live[0].measures)) < 0))
			warn("--explain: read what the kernel records: %m; the parts of all wake-ups%s will be "
			     "unknown; raise the limit of open files (ulimit -n), or free some memory",
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
	look_for_disturbances(worker);
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
	look_for_disturbances(worker);
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
