// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "cpu.h"
#include "loop.h"

#define RUNAWAY_SAMPLES 100	/* fewer may be a burst */

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* What is known before the wait. */
struct sight {
	int cpu;
	int64_t smis;
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
};

/* The first wake-up is discarded with what was pending; only the schedule goes on behind it. */
static enum end await_first(const struct loop *loop, struct position *at)
{
	struct source *source = loop->source;
	int64_t served;
	uint64_t now;

	while ((served = source->ops->wait(source, at->due_ns)) < 0) {
		if (served != -EINTR)
			return fail(loop->channel, -served);
		if (loop->channel->stop)
			return loop->channel->stop;
	}
	now = clock_stamp(loop->clock, loop->clock->ticks);
	at->due_ns += periods_served(served, now - at->due_ns, source->period_ns) *
		      source->period_ns;
	at->first_due_ns = at->due_ns;
	at->live->from_ns = at->live->to_ns = now;
	if (loop->explain->level)
		explain_note(loop->explain, now, now, 0);
	return END_NONE;
}

/*
 * Wake-ups that come twice as fast as they can are those of a wait that does
 * not wait, and a real-time process that does not sleep takes the machine
 * away. They all come before they are due, and so none is missed here.
 */
static bool is_runaway(const struct live *live, uint64_t period_ns)
{
	return live->samples >= RUNAWAY_SAMPLES &&
	       live->to_ns - live->from_ns < live->samples * period_ns / 2;
}

/*
 * Record a wake-up of any kind, and keep what is known of it if it is one of
 * the worst, as one too late for --break always is. Returns END_NONE, or why
 * the run does not go on.
 */
static enum end record(const struct loop *loop, struct live *live, const struct sight *before,
		       struct event *wakeup)
{
	uint64_t period_ns = loop->source->period_ns, due_ns = wakeup->stamp_ns - wakeup->late_ns;

	if (!live_count(live, wakeup->stamp_ns, wakeup->late_ns, wakeup->error_ns,
			wakeup->periods, period_ns))
		return END_FULL;
	if (loop->explain->level)
		explain_note(loop->explain, due_ns, wakeup->stamp_ns, wakeup->periods);
	if (wakeup->late_ns < 0 && is_runaway(live, period_ns))
		return END_RUNAWAY;
	if (wakeup->late_ns > events_ordinary(&live->events)) {
		wakeup->cpu_before = before->cpu;
		wakeup->cpu = cpu_now(cpu_place());
		wakeup->utc_ns = clock_ns(CLOCK_REALTIME);
		wakeup->smis = explain_smis_since(loop->explain, before->smis);
		explain_keep(loop->explain, live_keep(live, wakeup), due_ns, wakeup->stamp_ns);
	}
	live_set_ranges(live, period_ns);
	return loop->break_ns && wakeup->late_ns > loop->break_ns ? END_BREAK : END_NONE;
}

/* What else is known of the run so far goes with the buffer that is left. */
static void leave(const struct loop *loop, struct live *live)
{
	live->other_interrupts = loop->source->other_interrupts;
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
	const volatile int32_t *cpu = cpu_place();
	const struct clock clock = *loop->clock;
	const int64_t period = source->period_ns;
	struct live *live = at->live;
	uint64_t due = at->due_ns, previous = live->to_ns;
	struct sight before = { -1, EVENTS_UNKNOWN };
	enum end end = END_NONE;

	while (left) {
		if (unlikely(channel_wants(live))) {
			if ((end = loop->channel->stop))
				break;
			leave(loop, live);
			live = channel_flip(loop->channel);
		}
		before.cpu = cpu_now(cpu);
		if (explain)
			before.smis = explain_smis(loop->explain);
		int64_t served = wait(source, due);
		uint64_t now = clock_stamp(&clock, ticks);
		int64_t late = now - due;
		int64_t error = now - previous - period;

		if (likely((uint64_t)served <= 1 && range_holds(&live->fast[LATENESS].range, late) &&
			   range_holds(&live->fast[INTERVAL].range, error))) {
			live_count_fast(live, now, late, error);
			if (explain)
				explain_note(loop->explain, due, now, 1);
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
				explain_note(loop->explain, due, now, 0);
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
	return end;
}

static enum end measure_stretch(const struct loop *loop, struct position *at, uint64_t left)
{
	bool ticks = loop->clock->ticks;

	if (loop->explain->level)
		return measure(loop, at, ticks, true, left);
	if (ticks)
		return measure(loop, at, true, false, left);
	return measure(loop, at, false, false, left);
}

/* Stretches of about a second, and between two of them the clock is set right. */
enum end loop_run(const struct loop *loop, uint64_t samples)
{
	struct position at = {
		.live = &loop->channel->live[0],
		.due_ns = loop->source->anchor_ns + loop->source->period_ns,
	};
	uint64_t left = samples ? samples : UINT64_MAX;
	enum end end = await_first(loop, &at);

	while (!end && left) {
		uint64_t stretch = left < loop->source->hz ? left : loop->source->hz;

		end = live_has_room(at.live, stretch) ? measure_stretch(loop, &at, stretch) : END_FULL;
		clock_latch(loop->clock);
		left -= stretch;
	}
	leave(loop, at.live);
	return end ? end : END_SAMPLES;
}
