// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>

#include "host/process.h"
#include "measure/loop.h"
#include "measure/position.h"
#include "measure/smis.h"

#define RUNAWAY_SAMPLES 100	/* fewer may be a burst */

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

static enum end fail(struct channel *channel, int64_t error)
{
	channel->failure = error;
	return error == ESRCH ? END_GONE : END_FAILED;
}

static void log_wakeup(const struct loop *loop, uint64_t due_ns, uint64_t stamp_ns, uint64_t periods)
{
	if (loop->listener->log)
		wakelog_put(loop->listener->log, &(struct wakelog_entry){
			due_ns, stamp_ns, periods, loop->source->expired_ns, loop->source->woken_ns,
		});
}

/* A source that did not tell how many periods it served (0) has served all that were due at the stamp, or one. */
static uint64_t periods_served(int64_t told, int64_t late, int64_t period_ns)
{
	if (told)
		return told;
	return late < period_ns ? 1 : 1 + late / period_ns;
}

/*
 * Wake-ups at more than twice the rate come from a wait that does not wait, and
 * a real-time process that never sleeps keeps its CPU from all others. Such
 * wake-ups are early, so only early ones are checked. A wait that returns at
 * once because the meter is always late is found by rest_is_lacking().
 */
static bool is_runaway(const struct counters *live, uint64_t period_ns)
{
	return live->samples >= RUNAWAY_SAMPLES &&
	       live->to_ns - live->from_ns < live->samples * period_ns / 2;
}

/* Count each of the requests that a wake-up served. Returns the time since the oldest was made, in ns. */
static int64_t count_requests(struct source *source, struct counters *live, uint64_t now, uint64_t requests)
{
	uint64_t oldest_ns = 0;

	for (uint64_t i = 0; i < requests; i++) {
		uint64_t asked_ns = source->ops->asked(source);

		counters_count_request(live, now, asked_ns, source->period_ns);
		if (i == 0)
			oldest_ns = asked_ns;
	}
	return now - oldest_ns;
}

/* If the wake-up is one of the worst, keep it with all that is known of it. */
static void keep_event(const struct loop *loop, struct position *at, struct event *wakeup)
{
	uint64_t due_ns = wakeup->stamp_ns - wakeup->late_ns;
	int slot;

	wakeup->cpu_before = at->cpu;
	wakeup->cpu = at->cpu = sched_getcpu();
	wakeup->utc_ns = clock_ns(CLOCK_REALTIME) - (monotonic_ns() - wakeup->stamp_ns);
	wakeup->counting_ns = at->ready_ns > due_ns ? at->ready_ns - due_ns : 0;
	wakeup->smis = smis_since(loop->smis, at->smis);
	if (loop->source->ops->observes)
		wakeup->cpu = at->cpu = loop->source->served_cpu;
	slot = counters_keep(at->live, wakeup);
	if (loop->listener->log && slot >= 0)
		loop->listener->keep(loop->listener->tap, at->live->recordings, slot, wakeup);
}

/* The first wake-up above --break is the worst so far, so it is always kept. Returns END_NONE, or why the run ends. */
static enum end finish_wakeup(const struct loop *loop, struct position *at, struct event *wakeup)
{
	log_wakeup(loop, wakeup->stamp_ns - wakeup->late_ns, wakeup->stamp_ns, wakeup->periods);
	position_find_episode(at, wakeup);
	if (wakeup->late_ns > events_ordinary(&at->live->events))
		keep_event(loop, at, wakeup);
	if (wakeup->error_ns != EVENTS_UNKNOWN)
		counters_set_ranges(at->live, loop->source->period_ns);
	if (loop->listener->log && !loop->source->ops->observes)
		at->ready_ns = monotonic_ns();
	return loop->break_ns && wakeup->late_ns > loop->break_ns ? END_BREAK : END_NONE;
}

/* The slow path: any return of the wait, also a signal (-EINTR) or an error. Returns END_NONE, or why the run ends. */
static __attribute__((noinline))
enum end count_wakeup(const struct loop *loop, struct position *at, int64_t served, uint64_t now)
{
	struct source *source = loop->source;
	int64_t period_ns = source->period_ns, late = now - at->due_ns;
	struct event wakeup = {
		.stamp_ns = now, .period = (at->due_ns - at->first_due_ns) / period_ns + 1,
		.late_ns = late, .error_ns = now - at->live->to_ns - period_ns,
		.periods = periods_served(served, late, period_ns),
	};

	if (served == -EINTR) {
		log_wakeup(loop, at->due_ns, now, 0);
		return END_NONE;
	}
	if (served < 0)
		return fail(loop->channel, -served);
	if (!counters_count(at->live, now, late, wakeup.error_ns, wakeup.periods, period_ns))
		return END_FULL;
	at->due_ns += wakeup.periods * period_ns;
	if (at->live->stamped)
		wakeup.stamped_ns = count_requests(source, at->live, now, wakeup.periods);
	if (late < 0 && is_runaway(at->live, period_ns))
		return END_RUNAWAY;
	return finish_wakeup(loop, at, &wakeup);
}

/* Count a wake-up without a schedule. Returns END_NONE, or why the run ends. */
enum end position_count_asked(const struct loop *loop, struct position *at, uint64_t requests)
{
	struct source *source = loop->source;
	struct event wakeup = {
		.stamp_ns = source->served_ns, .period = at->requests + 1, .periods = requests,
		.error_ns = EVENTS_UNKNOWN,
	};

	if (!counters_count_asked(at->live, wakeup.stamp_ns, requests))
		return END_FULL;
	at->requests += requests;
	wakeup.late_ns = count_requests(source, at->live, wakeup.stamp_ns, requests);
	if (measures_either(at->live->measures)) {
		wakeup.stamped_ns = wakeup.stamp_ns - source->woken_ns;
		at->live->slack_ns += source->timed ? source->slack_ns : 0;
		counters_count_kind(at->live, source->timed ? TIMED : STAMPED, wakeup.late_ns);
	}
	return finish_wakeup(loop, at, &wakeup);
}

/* A buffer without samples is in no slice, and leaves its SMIs to the next. */
static void count_smis(const struct loop *loop, struct position *at)
{
	at->live->smis = smis_since(loop->smis, at->smis_counted);
	if (at->live->smis != EVENTS_UNKNOWN)
		at->smis_counted += at->live->smis;
}

/* Copy the figures of source and clock, which are of the whole run so far, into the buffer that the meter leaves. */
void position_leave(const struct loop *loop, struct position *at)
{
	struct counters *live = at->live;

	live->other_interrupts = loop->source->other_interrupts;
	live->unmatched = loop->source->unmatched;
	live->preempted = loop->source->preempted;
	live->preempted_ns = loop->source->preempted_ns;
	live->inferred_period_ns = loop->source->inferred_period_ns;
	live->inferred_missed = loop->source->inferred_missed;
	live->unasked = loop->source->unasked;
	live->away_ns = loop->source->away_ns;
	live->pending_ns = loop->source->pending_ns;
	live->clock_error_ns = loop->clock->error_ns;
	live->clock_drift_ppm = clock_drift_ppm(loop->clock);
	if (live->samples)
		count_smis(loop, at);
}

/* A flip or the end of the run is wanted. Returns END_NONE, or why the run ends. */
__attribute__((noinline))
enum end position_answer(const struct loop *loop, struct position *at)
{
	if (loop->channel->stop)
		return loop->channel->stop;
	position_leave(loop, at);
	at->live = channel_flip(loop->channel);
	at->cpu = sched_getcpu();
	return END_NONE;
}

/*
 * The loop: wait, stamp, count. Without explain it is compiled once for each value
 * of ticks, so that it tests neither. Returns END_NONE after left samples.
 */
static inline __attribute__((always_inline))
enum end measure(const struct loop *loop, struct position *at, bool ticks, bool explain, uint64_t left)
{
	struct source *source = loop->source;
	int64_t (*const wait)(struct source *, uint64_t) = source->ops->wait;
	const struct clock clock = *loop->clock;
	const int64_t period = source->period_ns;
	struct counters *live = at->live;
	uint64_t due = at->due_ns, previous = live->to_ns;
	enum end end = END_NONE;

	while (left) {
		if (unlikely(channel_wants(live))) {
			if ((end = position_answer(loop, at)))
				break;
			live = at->live;
		}
		if (explain)
			at->smis = smis_count(loop->smis);
		int64_t served = wait(source, due);
		uint64_t now = clock_stamp(&clock, ticks);
		int64_t late = now - due, error = now - previous - period;

		if (likely((uint64_t)served <= 1 && range_holds(&live->fast[LATENCY].range, late) &&
			   range_holds(&live->fast[INTERVAL].range, error))) {
			counters_count_fast(live, now, late, error);
			if (explain)
				wakelog_add(loop->listener->log, due, now, 1);
			due += period;
		} else {
			at->due_ns = due;
			if ((end = count_wakeup(loop, at, served, now)))
				break;
			due = at->due_ns;
			if (served < 0)
				continue;
		}
		previous = now;
		left--;
	}
	at->due_ns = due;
	return end;
}

/* Not inlined: in its caller's frame the loop would take six more instructions per sample. */
static __attribute__((noinline))
enum end measure_some(const struct loop *loop, struct position *at, uint64_t left)
{
	bool ticks = loop->clock->ticks;

	if (loop->listener->log)
		return measure(loop, at, ticks, true, left);
	if (ticks)
		return measure(loop, at, true, false, left);
	return measure(loop, at, false, false, left);
}

/* Discard the first wake-up, with all that was pending. Returns END_NONE, or why the run ends. */
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

void position_begin(const struct loop *loop, struct position *at, uint64_t now)
{
	at->live->from_ns = at->live->to_ns = now;
	at->cpu = sched_getcpu();
	at->smis_counted = smis_count(loop->smis);
	log_wakeup(loop, now, now, 0);
}

/* Without a schedule each request has a stamp of its own, and the source stamps the wake-up. */
static enum end measure_asked(const struct loop *loop, struct position *at, uint64_t left)
{
	struct source *source = loop->source;
	int64_t served;
	enum end end = discard_first(loop, 0, &served);

	position_begin(loop, at, source->served_ns);
	while (!end && left) {
		if (channel_wants(at->live) && (end = position_answer(loop, at)))
			break;
		if (loop->listener->log)
			at->smis = smis_count(loop->smis);
		served = source->ops->wait(source, 0);
		if (served == -EINTR)
			continue;
		end = served > 0 ? position_count_asked(loop, at, served) : fail(loop->channel, -served);
		left--;
	}
	return end;
}

/* The first period measured is the one after those that the first wake-up served. */
static enum end await_first(const struct loop *loop, struct position *at)
{
	int64_t served, period_ns = loop->source->period_ns;
	enum end end = discard_first(loop, at->due_ns, &served);
	uint64_t now = clock_stamp(loop->clock, loop->clock->ticks);

	if (end)
		return end;
	at->due_ns += periods_served(served, now - at->due_ns, period_ns) * period_ns;
	at->first_due_ns = at->due_ns;
	position_begin(loop, at, now);
	return END_NONE;
}

/* After the samples of a second the loop pauses: room and rest are checked, and the counter is latched again. */
static enum end measure_scheduled(const struct loop *loop, struct position *at, uint64_t left)
{
	bool realtime = loop->channel->began.policy != SCHED_OTHER;
	enum end end = await_first(loop, at);
	struct rest rest = rest_begin();

	while (!end && left) {
		uint64_t some = left < loop->source->hz ? left : loop->source->hz;

		end = counters_has_room(at->live, some) ? measure_some(loop, at, some) : END_FULL;
		if (!end && realtime && rest_is_lacking(&rest))
			end = END_SLEEPLESS;
		clock_latch(loop->clock);
		at->cpu = sched_getcpu();
		left -= some;
	}
	return end;
}

enum end loop_run(const struct loop *loop, uint64_t samples)
{
	uint64_t left = samples ? samples : UINT64_MAX;
	struct position at = {
		.live = &loop->channel->live[0], .smis = EVENTS_UNKNOWN, .smis_counted = EVENTS_UNKNOWN,
		.due_ns = loop->source->anchor_ns + loop->source->period_ns,
	};
	enum end end = measures_schedule(loop->source->ops->measures) ? measure_scheduled(loop, &at, left)
								      : measure_asked(loop, &at, left);

	position_leave(loop, &at);
	return end ? end : END_SAMPLES;
}
