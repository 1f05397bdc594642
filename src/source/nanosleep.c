// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clock_nanosleep until the next period is due. Every Linux has it, and its
 * timer expires in interrupt context, on PREEMPT_RT too.
 */
#include "base/instant.h"
#include "source/registry.h"

static int64_t nanosleep_wait(struct source *source, uint64_t due_ns)
{
	static struct timespec until;	/* on the stack it would cost the instructions of the stack protector */

	(void)source;
	until = timespec_from(due_ns);
	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

const struct source_ops source_nanosleep = {
	.name = "nanosleep",
	.handler = "hrtimer_wakeup",
	.max_hz = SOURCE_TIMER_MAX_HZ,
	.usual_hz = SOURCE_USUAL_HZ,
	.start = source_start_timer,
	.wait = nanosleep_wait,
};
