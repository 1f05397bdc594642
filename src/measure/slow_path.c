// SPDX-License-Identifier: GPL-2.0-or-later
/* What the loop does with a wake-up that the fast path does not count, and between two buffers. */
#include <errno.h>
#include <sched.h>

#include "measure/loop.h"

#define RUNAWAY_SAMPLES 100	/* fewer may be a burst */

enum end loop_fail(struct channel *channel, int64_t error)
{
	channel->failure = error;
	return error == ESRCH ? END_GONE : END_FAILED;
}

uint64_t loop_periods_served(int64_t counted, int64_t late, int64_t period_ns)
{
	if (counted)
		return counted;
	return late < period_ns ? 1 : 1 + late / period_ns;
}

/* Count each of the requests that a wake-up served. Returns the time since the oldest was made, in ns. */
static int64_t count_requests(struct source *source, struct counters *live, uint64_t now, uint64_t requests)
{
	int64_t since_ns = 0;

	for (uint64_t i = 0; i < requests; i++) {
		uint64_t asked_ns = source->ops->asked(source);

		since_ns = i ? since_ns : (int64_t)(now - asked_ns);
		counters_count_request(live, now, asked_ns, source->period_ns);
	}
	return since_ns;
}

/* If the wake-up is one of the worst, keep it with all that is known about it. */
static void keep_event(const struct loop *loop, struct position *at, struct event *event, int cpu)
{
	uint64_t due_ns = event->stamp_ns - event->late_ns;
	int slot;

	event->cpu_before = at->cpu;
	event->cpu = at->cpu = cpu >= 0 ? cpu : sched_getcpu();
	event->utc_ns = clock_ns(CLOCK_REALTIME) - (monotonic_ns() - event->stamp_ns);
	event->counting_ns = at->ready_ns > due_ns ? at->ready_ns - due_ns : 0;
	event->smis = smis_since(loop->smis, at->smis);
	slot = counters_keep(at->live, event);
	if (loop->log && slot >= 0)
		loop->keep(loop->tap, at->live->recordings, slot, event);
}

/*
 * Wake-ups that were due before the previous one was served are one episode; none on the fast path is late by a period.
 * The first wake-up above --break is the worst so far, so it is always kept.
 */
static enum end finish_wakeup(const struct loop *loop, struct position *at, struct event *event,
			      const struct wakeup *wakeup)
{
	uint64_t due_ns = event->stamp_ns - event->late_ns;

	if (loop->log)
		wakelog_put(loop->log, &(struct wakelog_entry){
			due_ns, event->stamp_ns, event->periods, wakeup->expired_ns, wakeup->woken_ns,
		});
	at->episode += due_ns >= at->served_ns;
	at->served_ns = event->stamp_ns;
	event->episode = at->episode;
	if (event->late_ns > events_ordinary(&at->live->events))
		keep_event(loop, at, event, wakeup->cpu);
	if (event->error_ns != EVENTS_UNKNOWN)
		counters_set_ranges(at->live, loop->source->period_ns);
	if (loop->log && wakeup->cpu < 0)
		at->ready_ns = monotonic_ns();
	return loop->break_ns && event->late_ns > loop->break_ns ? END_BREAK : END_NONE;
}

enum end loop_count(const struct loop *loop, struct position *at, int64_t served, uint64_t now)
{
	struct source *source = loop->source;
	int64_t period_ns = source->period_ns, late = now - at->due_ns;
	struct event event = {
		.stamp_ns = now, .period = (at->due_ns - at->first_due_ns) / period_ns + 1,
		.late_ns = late, .error_ns = now - at->live->to_ns - period_ns,
		.periods = loop_periods_served(served, late, period_ns),
	};

	if (served == -EINTR) {
		if (loop->log)
			wakelog_add(loop->log, at->due_ns, now, 0);
		return END_NONE;
	}
	if (served < 0)
		return loop_fail(loop->channel, -served);
	if (!counters_count(at->live, now, late, event.error_ns, event.periods, period_ns))
		return END_FULL;
	at->due_ns += event.periods * period_ns;
	if (at->live->stamped)
		event.stamped_ns = count_requests(source, at->live, now, event.periods);
	/* More than twice the rate: the wait does not wait. rest_is_lacking() finds a wait that is always late. */
	if (late < 0 && at->live->samples >= RUNAWAY_SAMPLES &&
	    at->live->to_ns - at->live->from_ns < at->live->samples * period_ns / 2)
		return END_RUNAWAY;
	return finish_wakeup(loop, at, &event, &(struct wakeup){ .cpu = -1 });
}

enum end loop_count_asked(struct loop *loop, const struct wakeup *wakeup, uint64_t requests)
{
	struct position *at = &loop->at;
	struct event event = {
		.stamp_ns = wakeup->served_ns, .period = at->requests + 1, .periods = requests,
		.error_ns = EVENTS_UNKNOWN,
	};

	if (!counters_count_wakeup(at->live, event.stamp_ns, requests))
		return END_FULL;
	at->requests += requests;
	event.late_ns = count_requests(loop->source, at->live, event.stamp_ns, requests);
	if (measures_either(at->live->measures)) {
		event.stamped_ns = event.stamp_ns - wakeup->woken_ns;
		at->live->slack_ns += wakeup->due_ns ? wakeup->slack_ns : 0;
		counters_count_kind(at->live, wakeup->due_ns ? TIMED : STAMPED, event.late_ns);
	}
	return finish_wakeup(loop, at, &event, wakeup);
}

/* A buffer without samples is in no slice, and leaves its SMIs to the next. */
void loop_leave(const struct loop *loop, struct position *at)
{
	struct counters *live = at->live;

	live->figures = loop->source->figures;
	live->figures.clock_error_ns = loop->clock->error_ns;
	live->figures.clock_drift_ppm = loop->clock->drift_ppm;
	atomic_signal_fence(memory_order_seq_cst);
	live->left = true;
	if (!live->samples)
		return;
	live->smis = smis_since(loop->smis, at->smis_counted);
	if (live->smis != EVENTS_UNKNOWN)
		at->smis_counted += live->smis;
}

enum end loop_answer(const struct loop *loop, struct position *at)
{
	if (loop->channel->stop)
		return loop->channel->stop;
	loop_leave(loop, at);
	at->live = channel_flip(loop->channel);
	at->cpu = sched_getcpu();
	return END_NONE;
}

void loop_begin(const struct loop *loop, struct position *at, uint64_t now, int64_t requests)
{
	struct source *source = loop->source;

	for (int64_t i = 0; source->ops->asked && i < requests; i++)
		at->live->asked_ns = source->ops->asked(source);
	source->figures.pending_ns = 0;
	at->live->from_ns = at->live->to_ns = now;
	at->cpu = sched_getcpu();
	at->smis_counted = smis_count(loop->smis);
	if (loop->log)
		wakelog_add(loop->log, now, now, 0);
}
