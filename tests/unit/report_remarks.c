// SPDX-License-Identifier: GPL-2.0-or-later
/* What disturbs a run is a reason against it, or a remark. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "evidence.h"

static void remarks(const char *expected, const char *name)
{
	judge();
	ok(found.grade == VALID && !found.reason_count, "%s", name);
	ok(!strcmp(found.remarks, expected), "%s: it is a remark", name);
	ok(!strcmp(found.cause, expected) && found.remark_count == 1, "%s: it is shown, alone", name);
	be_well();
}

/* What disturbs the run counts if it was there at the latest wake-ups, or for more than a thousandth of the time. */
static void test_remarks(void)
{
	tap_state.level = EXPLAIN_PARTS;
	sums->matched = 949;
	remarks("51 of 1000 wake-ups are unexplained: their records are missing or ambiguous",
		"missing records are a remark");
	sums->to_ns = 10000000001;
	disturbances.steal.ms[0] = 10;
	report.evidence.at_worst = 1 << SEEN_SUSPENDED;
	remarks("the hypervisor took 10 ms of CPU time", "a thousandth of the time is a remark");
	sums->to_ns = 10000000001;
	disturbances.steal.ms[0] = 10;
	report.evidence.at_worst = 1 << SEEN_STEAL;
	says("suspect: the hypervisor took 10 ms of CPU time", "a disturbance at the latest wake-ups is a reason");
	sums->to_ns = 9000000000;
	disturbances.steal.ms[0] = 10;
	says("suspect: the hypervisor took 10 ms of CPU time", "more than a thousandth of the time is a reason");
	sums->to_ns = 10000000001;
	disturbances.suspended_ns = 10000000;
	remarks("the machine was suspended for 0.010 s", "a short suspend is a remark");
	sums->to_ns = 10000000001;
	disturbances.clock_step_ns = 1500000000;
	remarks("the wall clock was changed by 1.500000 s", "a clock that is set takes no time");
	sums->to_ns = 10000000001;
	disturbances.clock_sets = 2;
	remarks("the wall clock was set, and soon set back", "a clock that is set forth and back is a remark");
	sums->to_ns = 10000000001;
	channel.stopped_ms = 10;
	remarks("stopped: a signal stopped the measuring process for 0.010 s", "a short stop is a remark");
	sums->to_ns = 10000000001;
	channel.children.stopped_ms = 10;
	remarks("stopped: a signal stopped the fake's asker for 0.010 s", "a short stop of a child is a remark");
	sums->to_ns = 10000000001;
	channel.frozen = true;
	remarks("frozen: the control group of the measuring process was frozen", "a short freeze is a remark");
}

/* What is there in the middle of the run, and no longer at its end. */
static void test_looks(void)
{
	static const char *const texts[SEEN_KINDS] = {
		[SEEN_SCHED] = "the measuring process had another policy, priority or CPU for about 1.0 s",
		[SEEN_CHILD_SCHED] = "a process of the source had another policy, priority or CPU for about 1.0 s",
		[SEEN_TRACED] = "another process traced the measuring process for about 1.0 s",
		[SEEN_THROTTLED] = "throttled: the control group of the measuring process was out of CPU quota for 1.000 s",
		[SEEN_THREAD_STOPPED] = "the thread was stopped for about 1.0 s",
		[SEEN_THREAD_SCHED] = "the thread had another policy, priority or CPUs for about 1.0 s",
	};

	for (enum seen seen = 0; seen < SEEN_KINDS; seen++) {
		char reason[256];

		if (!texts[seen])
			continue;
		snprintf(reason, sizeof(reason), "suspect: %s", texts[seen]);
		be_disturbed(seen, 1000);
		says(reason, texts[seen]);
		be_disturbed(seen, 1000);
		sums->to_ns = 1000000000001;
		remarks(texts[seen], texts[seen]);
	}
	be_disturbed(SEEN_SCHED, 1000);
	channel.ended = (struct sched_state){ SCHED_OTHER, 0, 1, 3, 1 };
	says("suspect: policy changed: fifo 95 -> other 0", "what lasts until the end has its reason");
}

int main(void)
{
	be_well();
	test_remarks();
	test_looks();
	return done();
}
