// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "fake.h"

uint64_t fake_now_ns, fake_utc_ns, fake_lag_ns;
unsigned fake_busy_percent;
static bool stamped;			/* the clock was looked at since the wake-up */
int64_t fake_break_ns;
uint64_t fake_other_interrupts;
struct wakelog *fake_log;
int fake_smis = -1;

/*
 * The program's own calls end here, for a program's function comes before a
 * library's of the same name.
 */
int clock_gettime(clockid_t id, struct timespec *time)
{
	if (id == CLOCK_THREAD_CPUTIME_ID) {
		*time = timespec_from(fake_now_ns / 100 * fake_busy_percent);
		return 0;
	}
	*time = timespec_from(fake_now_ns + (stamped ? fake_lag_ns : 0) + (id == CLOCK_REALTIME ? fake_utc_ns : 0));
	stamped = true;
	return 0;
}

static const struct fake_wakeup *next, *end;

static int64_t fake_wait(struct source *source, uint64_t due_ns)
{
	(void)source;
	(void)due_ns;
	if (next == end)
		return -ENODATA;
	if (!next->error)
		fake_now_ns = next->stamp_ns;
	next++;
	stamped = false;
	return next[-1].error ? -next[-1].error : (int64_t)next[-1].periods;
}

static void keep_nothing(const void *tap, struct recordings *recordings, unsigned slot,
			 const struct event *wakeup)
{
	(void)tap;
	(void)recordings;
	(void)slot;
	(void)wakeup;
}

enum end fake_loop(struct channel *channel, const struct source_ops *ops, uint64_t anchor_ns, uint64_t samples)
{
	struct source source = {
		.ops = ops, .hz = FAKE_HZ, .period_ns = FAKE_PERIOD, .anchor_ns = anchor_ns,
		.figures.other_interrupts = fake_other_interrupts,
	};
	struct clock clock = { .name = "fake" };
	struct loop loop = { channel, &source, &clock, fake_log, keep_nothing, NULL, fake_break_ns, fake_smis, .at = { NULL } };

	if (ops->start)
		ops->start(&source);
	channel->end = END_NONE;
	loop_run(&loop, 1, samples);
	return channel->end;
}

enum end fake_run(struct channel *channel, const struct fake_wakeup *wakeups, unsigned count,
		  uint64_t samples)
{
	return fake_run_from(channel, FAKE_ANCHOR, wakeups, count, samples);
}

enum end fake_run_from(struct channel *channel, uint64_t anchor_ns, const struct fake_wakeup *wakeups,
		       unsigned count, uint64_t samples)
{
	static const struct source_ops fake = { .name = "fake", .wait = fake_wait };

	next = wakeups;
	end = wakeups + count;
	return fake_loop(channel, &fake, anchor_ns, samples);
}
