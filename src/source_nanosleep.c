// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clock_nanosleep until the next period is due: every Linux has it, and its
 * timer expires in interrupt context on PREEMPT_RT too.
 */
#include <errno.h>

#include "source.h"

static int nanosleep_wait(struct source *source, struct wakeup *wakeup)
{
	struct timespec due = source_timespec(wakeup->due_ns);

	(void)source;
	wakeup->periods = 0;
	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	return errno ? -1 : 0;
}

static void nanosleep_stop(struct source *source)
{
	(void)source;
}

const struct source_ops source_nanosleep = {
	.name = "nanosleep",
	.open = source_open_timer,
	.start = source_start_timer,
	.wait = nanosleep_wait,
	.stop = nanosleep_stop,
};
