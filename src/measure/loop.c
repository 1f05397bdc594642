// SPDX-License-Identifier: GPL-2.0-or-later
/* The measuring loops: the fast one on a schedule, and the one that serves requests. */
#include <errno.h>
#include <sched.h>

#include "measure/loop.h"

#define REST_SPAN_NS UINT64_C(2000000000)
#define LAST_READINGS 3		/* at the end: one that is interrupted, one complete, one for what came meanwhile */

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Without explain it is compiled for each value of ticks, and tests neither. Returns END_NONE after left samples. */
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
			if ((end = loop_answer(loop, at)))
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
				wakelog_add(loop->log, due, now, 1);
			due += period;
		} else {
			at->due_ns = due;
			if ((end = loop_count(loop, at, served, now)))
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

	if (loop->log)
		return measure(loop, at, ticks, true, left);
	if (ticks)
		return measure(loop, at, true, false, left);
	return measure(loop, at, false, false, left);
}

/* The first wake-up serves all that was pending; the first period measured is the one after that. */
static enum end await_first(const struct loop *loop, struct position *at)
{
	int64_t served, period_ns = loop->source->period_ns;
	uint64_t now;

	while ((served = loop->source->ops->wait(loop->source, at->due_ns)) < 0) {
		if (served != -EINTR)
			return loop_fail(loop->channel, -served);
		if (loop->channel->stop)
			return loop->channel->stop;
	}
	now = clock_stamp(loop->clock, loop->clock->ticks);
	at->due_ns += loop_periods_served(served, now - at->due_ns, period_ns) * period_ns;
	at->first_due_ns = at->due_ns;
	loop_begin(loop, at, now, served);
	return END_NONE;
}

/* How much CPU time this process had used at some instant. */
struct rest {
	uint64_t at_ns, used_ns;
};

/* Has this process kept its CPU from all others for 98 % of the time? Throttling, where it is on, is rest enough. */
static bool rest_is_lacking(struct rest *since)
{
	const struct rest now = { monotonic_ns(), clock_ns(CLOCK_THREAD_CPUTIME_ID) };
	uint64_t span_ns = now.at_ns - since->at_ns, used_ns = now.used_ns - since->used_ns;

	if (span_ns < REST_SPAN_NS)
		return false;
	*since = now;
	return used_ns > span_ns - span_ns / 50;
}

/* After the samples of a second, check that there is room and that others get the CPU; latch the counter again. */
static enum end measure_scheduled(const struct loop *loop, struct position *at)
{
	bool realtime = loop->channel->began.policy != SCHED_OTHER;
	enum end end = await_first(loop, at);
	struct rest rest = { monotonic_ns(), clock_ns(CLOCK_THREAD_CPUTIME_ID) };

	while (!end && at->left) {
		uint64_t some = at->left < loop->source->hz ? at->left : loop->source->hz;

		end = counters_has_room(at->live, some) ? measure_some(loop, at, some) : END_FULL;
		if (!end && realtime && rest_is_lacking(&rest))
			end = END_SLEEPLESS;
		clock_latch(loop->clock);
		at->cpu = sched_getcpu();
		at->left -= some;
	}
	return end ? end : END_SAMPLES;
}

/* Count a later wake-up of one of several threads. Returns END_NONE, or why the run ends for all of them. */
static enum end take_wakeup(struct loop *loop, const struct wakeup *wakeup, int64_t requests)
{
	struct position *at = &loop->at;
	enum end end;

	if (loop->channel->end)
		return END_NONE;
	if (!at->begun) {
		at->begun = true;
		loop_begin(loop, at, wakeup->served_ns, requests);
		return END_NONE;
	}
	end = loop_count_asked(loop, wakeup, requests);
	if (!end && !--at->left)
		end = END_SAMPLES;
	loop->channel->end = end;
	return end;
}

/*
 * Hand over the buffers that the keeper wants, and end the loops whose threads are gone. Returns END_NONE,
 * or why the run ends for all: END_GONE if every loop has ended.
 */
static enum end answer_all(struct loop *loops, unsigned count)
{
	enum end end = END_GONE;

	for (struct loop *loop = loops; loop < loops + count; loop++) {
		if (loop->source->gone && !loop->channel->end)
			loop->channel->end = END_GONE;
		if (!loop->channel->end)
			end = END_NONE;
		if (channel_wants(loop->at.live))
			loop_answer(loop, &loop->at);
	}
	return loops->channel->stop ? loops->channel->stop : end;
}

/* The records are read now and then, and those up to the end are still served. Threads may have ended meanwhile. */
static void serve_rest(struct loop *loops, unsigned count)
{
	struct wakeup wakeup = { .cpu = -1 };
	unsigned readings = 0;
	int64_t served;

	while (readings < LAST_READINGS && (served = loops->source->ops->serve(loops->source, &wakeup)) != -ESRCH) {
		if (served > 0)
			take_wakeup(&loops[wakeup.which], &wakeup, served);
		else
			readings++;
	}
	answer_all(loops, count);
}

/* Without a schedule each request has a stamp of its own, and the source stamps the wake-up. */
static enum end measure_asked(struct loop *loops, unsigned count)
{
	struct source *source = loops->source;
	enum end end = END_NONE;

	while (!end && !(end = loops->channel->stop)) {
		struct wakeup wakeup = { .cpu = -1 };
		int64_t served;

		if (loops->log)
			loops->at.smis = smis_count(loops->smis);
		served = source->ops->serve(source, &wakeup);
		if (served > 0)
			end = take_wakeup(&loops[wakeup.which], &wakeup, served);
		else if (served != -EINTR && served != -ESRCH)
			end = loop_fail(loops->channel, -served);
		if (!end && (served < 0 || channel_wants(loops[wakeup.which].at.live)))
			end = answer_all(loops, count);
		if (!end && served == -ESRCH)
			end = END_GONE;
	}
	if (source->threads && (end == END_DURATION || end == END_ASKED || end == END_LOAD))
		serve_rest(loops, count);
	return end;
}

void loop_run(struct loop *loops, unsigned count, uint64_t samples)
{
	enum end end;

	for (unsigned i = 0; i < count; i++)
		loops[i].at = (struct position){
			.live = &loops[i].channel->live[0], .left = samples ? samples : UINT64_MAX,
			.smis = EVENTS_UNKNOWN, .smis_counted = EVENTS_UNKNOWN,
			.due_ns = loops[i].source->anchor_ns + loops[i].source->period_ns,
		};
	end = measures_schedule(loops->source->ops->measures) ? measure_scheduled(loops, &loops->at)
							      : measure_asked(loops, count);
	for (unsigned i = 0; i < count; i++) {
		loop_leave(&loops[i], &loops[i].at);
		if (!loops[i].channel->end)
			loops[i].channel->end = end == END_BREAK && count > 1 ? END_BREAK_ELSEWHERE : end;
	}
}
