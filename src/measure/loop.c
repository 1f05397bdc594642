// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <sched.h>

#include "host/process.h"
#include "measure/loop.h"
#include "measure/smis.h"

#define RUNAWAY_SAMPLES 100	/* fewer may be a burst */

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* What is known before the wait. The CPU is looked up once a second: a meter is bound to it, or hardly ever moves. */
struct sight {
	int cpu;
	int64_t smis;
	uint64_t ready_ns;	/* when the last wake-up was counted that took the slow path; 0: none, or nobody asks */
};

static enum end fail(struct channel *channel, int64_t error)
{
	channel->failure = error;
	return END_FAILED;
}

/* A source that cannot tell served the periods that were due at the stamp. */
static uint64_t periods_served(int64_t told, int64_t late, int64_t period_ns)
{
	if (told)
		return told;
	return late < period_ns ? 1 : 1 + late / period_ns;
}

/* Where the run stands between two stretches. */
struct position {
	struct live *live;	/* live->to_ns is the last stamp */
	uint64_t due_ns;	/* of the oldest period not yet served */
	uint64_t first_due_ns;	/* of the first period measured */
	uint64_t ready_ns;	/* see struct sight */
};

/* The first wake-up is discarded with what was pending. Returns END_NONE, or why the run does not go on. */
static enum end discard_first(const struct loop *loop, uint64_t due_ns, int64_t *served)
{
	struct source *source = loop->source;

	while ((*served = source->ops->wait(source, due_ns)) < 0) {
		if (*served != -EINTR)
			return fail(loop->channel, -*served);
		if (loop->channel->stop)
			return loop->channel->stop;
	}
	for (int64_t i = 0; source->ops->asked && i < *served; i++)
		loop->channel->live[0].asked_ns = source->ops->asked(source);
	source->pending_ns = 0;
	return END_NONE;
}

static void begin_at(const struct loop *loop, struct live *live, uint64_t now)
{
	live->from_ns = live->to_ns = now;
	if (loop->listener->log)
		wakelog_add(loop->listener->log, now, now, 0);
}

/* Only the schedule goes on behind it. */
static enum end await_first(const struct loop *loop, struct position *at)
{
	int64_t served, period_ns = loop->source->period_ns;
	enum end end = discard_first(loop, at->due_ns, &served);
	uint64_t now = clock_stamp(loop->clock, loop->clock->ticks);

	if (end)
		return end;
	at->due_ns += periods_served(served, now - at->due_ns, period_ns) * period_ns;
	at->first_due_ns = at->due_ns;
	begin_at(loop, at->live, now);
	return END_NONE;
}

/*
 * Wake-ups that come twice as fast as they can are those of a wait that does
 * not wait, and a real-time process that does not sleep takes the machine
 * away. They all come before they are due, and so none is missed here. One
 * that does not wait because it is always late is told by its rest.
 */
static bool is_runaway(const struct live *live, uint64_t period_ns)
{
	return live->samples >= RUNAWAY_SAMPLES &&
	       live->to_ns - live->from_ns < live->samples * period_ns / 2;
}

/* Count each of the requests that a wake-up served. Returns the time since the oldest was made. */
static int64_t count_requests(struct source *source, struct live *live, uint64_t now, uint64_t requests)
{
	uint64_t oldest_ns = 0;

	for (uint64_t i = 0; i < requests; i++) {
		uint64_t asked_ns = source->ops->asked(source);

		live_count_request(live, now, asked_ns, source->period_ns);
		if (i == 0)
			oldest_ns = asked_ns;
	}
	return now - oldest_ns;
}

/* That instant since 1970. */
static int64_t utc_of(uint64_t stamp_ns)
{
	return clock_ns(CLOCK_REALTIME) - (monotonic_ns() - stamp_ns);
}

/*
 * Keep what is known of a wake-up that is one of the worst, as one too late
 * for --break always is. Returns END_NONE, or why the run does not go on.
 */
static enum end keep(const struct loop *loop, struct live *live, struct sight *before,
		     struct event *wakeup)
{
	uint64_t due_ns = wakeup->stamp_ns - wakeup->late_ns;

	if (loop->listener->log)
		wakelog_add(loop->listener->log, due_ns, wakeup->stamp_ns, wakeup->periods);
	if (wakeup->late_ns > events_ordinary(&live->events)) {
		int slot;

		wakeup->cpu_before = before->cpu;
		wakeup->cpu = before->cpu = sched_getcpu();
		wakeup->utc_ns = utc_of(wakeup->stamp_ns);
		wakeup->counting_ns = before->ready_ns > due_ns ? before->ready_ns - due_ns : 0;
		wakeup->smis = smis_since(loop->listener->smis, before->smis);
		slot = live_keep(live, wakeup);
		if (loop->listener->log && slot >= 0)
			loop->listener->keep(loop->listener, live->recordings, slot, due_ns, wakeup->stamp_ns);
	}
	return loop->break_ns && wakeup->late_ns > loop->break_ns ? END_BREAK : END_NONE;
}

/* To count a stall of many periods, and to keep its records, may take longer than a period. */
static void note_ready(const struct loop *loop, struct sight *before)
{
	if (loop->listener->log)
		before->ready_ns = monotonic_ns();
}

/* Record a wake-up of any kind. Returns as keep(). */
static enum end record(const struct loop *loop, struct live *live, struct sight *before,
		       struct event *wakeup)
{
	struct source *source = loop->source;
	enum end end;

	if (!live_count(live, wakeup->stamp_ns, wakeup->late_ns, wakeup->error_ns,
			wakeup->periods, source->period_ns))
		return END_FULL;
	if (live->stamped)
		wakeup->stamped_ns = count_requests(source, live, wakeup->stamp_ns, wakeup->periods);
	if (wakeup->late_ns < 0 && is_runaway(live, source->period_ns))
		return END_RUNAWAY;
	end = keep(loop, live, before, wakeup);
	live_set_ranges(live, source->period_ns);
	note_ready(loop, before);
	return end;
}

/* The same without a schedule. */
static enum end record_asked(const struct loop *loop, struct live *live, struct sight *before,
			     uint64_t number, uint64_t requests)
{
	struct source *source = loop->source;
	struct event wakeup = {
		.stamp_ns = source->served_ns, .period = number, .periods = requests, .error_ns = EVENTS_UNKNOWN,
	};
	enum end end;

	if (!live_count_asked(live, wakeup.stamp_ns, requests))
		return END_FULL;
	wakeup.late_ns = count_requests(source, live, wakeup.stamp_ns, requests);
	end = keep(loop, live, before, &wakeup);
	note_ready(loop, before);
	return end;
}

/* What else is known of the run so far goes with the buffer that is left. */
static void leave(const struct loop *loop, struct live *live)
{
	live->other_interrupts = loop->source->other_interrupts;
	live->unmatched = loop->source->unmatched;
	live->unasked = loop->source->unasked;
	live->away_ns = loop->source->away_ns;
	live->pending_ns = loop->source->pending_ns;
	live->clock_error_ns = loop->clock->error_ns;
	live->clock_drift_ppm = clock_drift_ppm(loop->clock);
}

/*
 * The loop: wait, stamp, record. Compiled once for each choice of ticks and
 * explain, for these are not to be looked up in it. Returns END_NONE when the
 * stretch of so many samples is over.
 */
static inline __attribute__((always_inline))
enum end measure(const struct loop *loop, struct position *at, bool ticks, bool explain,
		 uint64_t left)
{
	struct source *source = loop->source;
	int64_t (*const wait)(struct source *, uint64_t) = source->ops->wait;
	const struct clock clock = *loop->clock;
	const int64_t period = source->period_ns;
	struct live *live = at->live;
	uint64_t due = at->due_ns, previous = live->to_ns;
	struct sight before = { sched_getcpu(), EVENTS_UNKNOWN, at->ready_ns };
	enum end end = END_NONE;

	while (left) {
		if (unlikely(channel_wants(live))) {
			if ((end = loop->channel->stop))
				break;
			leave(loop, live);
			live = channel_flip(loop->channel);
		}
		if (explain)
			before.smis = smis_count(loop->listener->smis);
		int64_t served = wait(source, due);
		uint64_t now = clock_stamp(&clock, ticks);
		int64_t late = now - due;
		int64_t error = now - previous - period;

		if (likely((uint64_t)served <= 1 && range_holds(&live->fast[LATENCY].range, late) &&
			   range_holds(&live->fast[INTERVAL].range, error))) {
			live_count_fast(live, now, late, error);
			if (explain)
				wakelog_add(loop->listener->log, due, now, 1);
			due += period;
		} else if (likely(served >= 0)) {
			struct event wakeup = {
				.stamp_ns = now, .period = (due - at->first_due_ns) / period + 1,
				.periods = periods_served(served, late, period),
				.late_ns = late, .error_ns = error,
			};

			if ((end = record(loop, live, &before, &wakeup)))
				break;
			due += wakeup.periods * period;
		} else if (served == -EINTR) {
			if (explain)
				wakelog_add(loop->listener->log, due, now, 0);
			continue;
		} else {
			end = fail(loop->channel, -served);
			break;
		}
		previous = now;
		left--;
	}
	at->live = live;
	at->due_ns = due;
	at->ready_ns = before.ready_ns;
	return end;
}

static enum end measure_stretch(const struct loop *loop, struct position *at, uint64_t left)
{
	bool ticks = loop->clock->ticks;

	if (loop->listener->log)
		return measure(loop, at, ticks, true, left);
	if (ticks)
		return measure(loop, at, true, false, left);
	return measure(loop, at, false, false, left);
}

/* Without a schedule each request was made at an instant of its own, and the source stamps the wake-up. */
static enum end measure_asked(const struct loop *loop, uint64_t left)
{
	struct source *source = loop->source;
	struct live *live = &loop->channel->live[0];
	struct sight before = { sched_getcpu(), EVENTS_UNKNOWN, 0 };
	uint64_t number = 1;
	int64_t served;
	enum end end = discard_first(loop, 0, &served);

	begin_at(loop, live, source->served_ns);
	while (!end && left) {
		if (channel_wants(live)) {
			if ((end = loop->channel->stop))
				break;
			leave(loop, live);
			live = channel_flip(loop->channel);
			before.cpu = sched_getcpu();
		}
		if (loop->listener->log)
			before.smis = smis_count(loop->listener->smis);
		served = source->ops->wait(source, 0);
		if (served == -EINTR)
			continue;
		if (served <= 0) {
			end = fail(loop->channel, -served);
			break;
		}
		end = record_asked(loop, live, &before, number, served);
		number += served;
		left--;
	}
	leave(loop, live);
	return end ? end : END_SAMPLES;
}

/* Stretches of about a second, and between two of them the clock is set right. */
static enum end measure_scheduled(const struct loop *loop, uint64_t left)
{
	struct position at = {
		.live = &loop->channel->live[0],
		.due_ns = loop->source->anchor_ns + loop->source->period_ns,
	};
	bool realtime = loop->channel->began.policy != SCHED_OTHER;
	enum end end = await_first(loop, &at);
	struct rest rest = rest_begin();

	while (!end && left) {
		uint64_t stretch = left < loop->source->hz ? left : loop->source->hz;

		end = live_has_room(at.live, stretch) ? measure_stretch(loop, &at, stretch) : END_FULL;
		if (!end && realtime && rest_is_lacking(&rest))
			end = END_SLEEPLESS;
		clock_latch(loop->clock);
		left -= stretch;
	}
	leave(loop, at.live);
	return end ? end : END_SAMPLES;
}

enum end loop_run(const struct loop *loop, uint64_t samples)
{
	uint64_t left = samples ? samples : UINT64_MAX;

	if (measures_schedule(loop->source->ops->measures))
		return measure_scheduled(loop, left);
	return measure_asked(loop, left);
}
