// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "loop.h"

#define likely(condition) __builtin_expect(!!(condition), 1)

/* A source that cannot tell served the periods that were due at the stamp. */
static uint64_t periods_served(const struct wakeup *wakeup, int64_t late, int64_t period_ns)
{
	if (wakeup->periods)
		return wakeup->periods;
	return late < period_ns ? 1 : 1 + late / period_ns;
}

static enum end fail(struct share *share)
{
	share->failure = errno;
	return END_FAILED;
}

/*
 * The first wake-up is discarded with whatever was pending before; the periods
 * that it served are not.
 */
static enum end await_first(struct share *share, struct source *source, struct clock *clock,
			    struct wakeup *wakeup)
{
	struct live *live = &share->live[0];
	uint64_t now;

	while (source->ops->wait(source, wakeup) < 0) {
		if (errno != EINTR)
			return fail(share);
		if (share_asked(share) & SHARE_STOP)
			return share->stopped_by;
	}
	now = clock_now(clock);
	wakeup->due_ns += periods_served(wakeup, now - wakeup->due_ns, source->period_ns) *
			  source->period_ns;
	live->from_ns = live->to_ns = now;
	return END_NONE;
}

enum end loop_run(struct share *share, struct source *source, struct clock *clock,
		  uint64_t samples)
{
	int (*const wait)(struct source *, struct wakeup *) = source->ops->wait;
	const int64_t period_ns = source->period_ns;
	struct wakeup wakeup = { .due_ns = source->anchor_ns + source->period_ns };
	enum end end = await_first(share, source, clock, &wakeup);
	struct live *live = &share->live[0];
	uint64_t previous = live->to_ns;
	uint64_t left = samples ? samples : UINT64_MAX;
	uint32_t asked = 0;

	if (end)
		return end;
	while (left) {
		if (!likely(share_asked(share) == asked)) {
			asked = share_asked(share);
			if (asked & SHARE_STOP)
				return share->stopped_by;
			clock_latch(clock);
			live = share_flip(share);
		}
		if (!likely(wait(source, &wakeup) == 0)) {
			if (errno == EINTR)
				continue;
			return fail(share);
		}
		uint64_t now = clock_now(clock);
		int64_t late = now - wakeup.due_ns;
		int64_t error = now - previous - period_ns;

		if (likely(wakeup.periods <= 1 && range_holds(&live->late_range, late) &&
			   range_holds(&live->error_range, error))) {
			live_count_fast(live, now, late, error);
			wakeup.due_ns += period_ns;
		} else {
			uint64_t periods = periods_served(&wakeup, late, period_ns);

			if (!live_count(live, now, late, error, periods, period_ns))
				return END_FULL;
			wakeup.due_ns += periods * period_ns;
		}
		previous = now;
		left--;
	}
	return END_SAMPLES;
}
