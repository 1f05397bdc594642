// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "loop.h"

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

static enum end fail(struct share *share, int64_t error)
{
	share->failure = error;
	return END_FAILED;
}

/* A source that cannot tell served the periods that were due at the stamp. */
static uint64_t periods_served(int64_t told, int64_t late, int64_t period_ns)
{
	if (told)
		return told;
	return late < period_ns ? 1 : 1 + late / period_ns;
}

/* The first wake-up is discarded with what was pending; only the schedule goes on behind it. */
static enum end await_first(struct share *share, struct source *source, const struct clock *clock,
			    uint64_t *due_ns)
{
	struct live *live = &share->live[0];
	int64_t served;
	uint64_t now;

	while ((served = source->ops->wait(source, *due_ns)) < 0) {
		if (served != -EINTR)
			return fail(share, -served);
		if (share->stop)
			return share->stop;
	}
	now = clock_stamp(clock, clock->ticks);
	*due_ns += periods_served(served, now - *due_ns, source->period_ns) * source->period_ns;
	live->from_ns = live->to_ns = now;
	return END_NONE;
}

/* Compiled once for each kind of clock, for that choice is not to be made in the loop. */
static inline __attribute__((always_inline))
enum end measure(struct share *share, struct source *source, struct clock *clock, bool ticks,
		 uint64_t due, uint64_t left)
{
	int64_t (*const wait)(struct source *, uint64_t) = source->ops->wait;
	const int64_t period = source->period_ns;
	struct live *live = &share->live[0];
	uint64_t previous = live->to_ns;

	while (left) {
		if (unlikely(share_wants(live))) {
			if (share->stop)
				return share->stop;
			clock_latch(clock);
			live = share_flip(share);
		}
		int64_t served = wait(source, due);
		uint64_t now = clock_stamp(clock, ticks);
		int64_t late = now - due;
		int64_t error = now - previous - period;

		if (likely((uint64_t)served <= 1 && range_holds(&live->late_range, late) &&
			   range_holds(&live->error_range, error))) {
			live_count_fast(live, now, late, error);
			due += period;
		} else if (likely(served >= 0)) {
			uint64_t periods = periods_served(served, late, period);

			if (!live_count(live, now, late, error, periods, period))
				return END_FULL;
			due += periods * period;
		} else if (served == -EINTR) {
			continue;
		} else {
			return fail(share, -served);
		}
		previous = now;
		left--;
	}
	return END_SAMPLES;
}

enum end loop_run(struct share *share, struct source *source, struct clock *clock,
		  uint64_t samples)
{
	uint64_t due = source->anchor_ns + source->period_ns;
	uint64_t left = samples ? samples : UINT64_MAX;
	enum end end = await_first(share, source, clock, &due);

	if (end)
		return end;
	if (clock->ticks)
		return measure(share, source, clock, true, due, left);
	return measure(share, source, clock, false, due, left);
}
