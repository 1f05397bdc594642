// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "report/verdict.h"

#define TOLERATED 1000			/* a disturbance may take one part in this many of the run */

/* For some bin from first on, do at least half of the wake-ups in it or above lie in slices so disturbed? */
static bool is_at_latest(const struct totals *totals, enum seen seen, unsigned first)
{
	uint64_t all = 0, within = 0;
	const struct slice *slice;

	for (unsigned bin = HIST_COARSE_BINS; bin-- > first && !(within && 2 * within >= all); ) {
		for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
			all += slice->bins[bin];
			if (slice->seen & 1U << seen)
				within += slice->bins[bin];
		}
	}
	return within && 2 * within >= all;
}

unsigned disturbed_at_latest(const struct totals *totals, int64_t ns)
{
	unsigned first = hist_coarse_bin(greater(ns, 0)), at_latest = 0;

	for (enum seen seen = 0; seen < SEEN_KINDS; seen++)
		if (totals_seen_ms(totals, seen) && is_at_latest(totals, seen, first))
			at_latest |= 1U << seen;
	return at_latest;
}

/* Returns the grade of a run in which a disturbance of that kind lasted for ms. */
static enum grade weigh(const struct evidence *evidence, enum seen seen, int64_t ms)
{
	int64_t run_ms = (evidence->sums->to_ns - evidence->sums->from_ns) / 1000000;

	return evidence->at_latest & 1U << seen || ms > run_ms / TOLERATED ? SUSPECT : VALID;
}

/* While it was stopped or frozen, the meter waited for others, not for the kernel. */
static void judge_holds(struct finding *finding, const struct evidence *evidence)
{
	const struct channel *channel = evidence->channel;
	uint32_t stopped_ms = channel->stopped_ms, child_ms = channel->children.stopped_ms;
	uint32_t throttled_ms = evidence->seen_ms[SEEN_THROTTLED];

	if (stopped_ms)
		finding_add(finding, weigh(evidence, SEEN_STOPPED, stopped_ms),
			    "stopped: a signal stopped the measuring process for %.3f s", stopped_ms / 1e3);
	if (child_ms)
		finding_add(finding, weigh(evidence, SEEN_CHILD_STOPPED, child_ms),
			    "stopped: a signal stopped %s for %.3f s", evidence->source->ops->child, child_ms / 1e3);
	if (channel->frozen)
		finding_add(finding, weigh(evidence, SEEN_FROZEN, greater(evidence->seen_ms[SEEN_FROZEN], 1)),
			    "frozen: the control group of the measuring process was frozen");
	if (throttled_ms)
		finding_add(finding, weigh(evidence, SEEN_THROTTLED, throttled_ms),
			    "throttled: the control group of the measuring process was out of CPU quota for %.3f s",
			    throttled_ms / 1e3);
}

static bool is_changed(const struct sched_state *now, const struct sched_state *began)
{
	return now->cpus && sched_state_differs(now, began);
}

/* Does it last to the end of the run, where another reason names it? */
static bool is_lasting(const struct evidence *evidence, enum seen seen)
{
	const struct channel *channel = evidence->channel;

	switch (seen) {
	case SEEN_SCHED: return is_changed(evidence->sched_state, &channel->began);
	case SEEN_CHILD_SCHED: return is_changed(evidence->children_state, &channel->children.began);
	case SEEN_IDLE_LATENCY: return channel_idle_latency_changed(channel);
	default: return false;
	}
}

/* Judge what the looks once a second found. */
static void judge_looks(struct finding *finding, const struct evidence *evidence)
{
	static const struct {
		enum seen seen;
		const char *text;
	} looks[] = {
		{ SEEN_SCHED, "the measuring process had another policy, priority or CPU" },
		{ SEEN_CHILD_SCHED, "a process of the source had another policy, priority or CPU" },
		{ SEEN_TRACED, "another process traced the measuring process" },
		{ SEEN_IDLE_LATENCY, "idle_latency_us had another value" },
		{ SEEN_THREAD_STOPPED, "the thread was stopped" },
		{ SEEN_THREAD_SCHED, "the thread had another policy, priority or CPUs" },
	};

	for (unsigned i = 0; i < sizeof(looks) / sizeof(*looks); i++) {
		uint32_t ms = evidence->seen_ms[looks[i].seen];

		if (ms && !is_lasting(evidence, looks[i].seen))
			finding_add(finding, weigh(evidence, looks[i].seen, ms), "%s for about %.1f s", looks[i].text,
				    ms / 1e3);
	}
}

/* MONITOR_UNKNOWN is less than any figure, and raises no doubt. Setting the clock takes no time, so counts 1 ms. */
static void judge_disturbances(struct finding *finding, const struct evidence *evidence)
{
	const struct disturbances *disturbances = evidence->disturbances;
	int64_t steal_ms = evidence->steal_ms;

	if (disturbances->suspended_ns > 0)
		finding_add(finding, weigh(evidence, SEEN_SUSPENDED, disturbances->suspended_ns / 1000000),
			    "the machine was suspended for %.3f s", disturbances->suspended_ns / 1e9);
	if (disturbances->clock_step_ns > 0)
		finding_add(finding, weigh(evidence, SEEN_CLOCK_SET, 1), "the wall clock was set by %.6f s",
			    disturbances->clock_step_ns / 1e9);
	else if (disturbances->clock_sets)
		finding_add(finding, weigh(evidence, SEEN_CLOCK_SET, 1), "the wall clock was set, and soon set back");
	if (disturbances->rtc_gap_s != MONITOR_UNKNOWN && disturbances->rtc_gap_s)
		finding_add(finding, SUSPECT, "the hardware clock moved %+" PRId64 " s against the kernel's: "
			    "the virtual machine was paused, or the hardware clock was set", disturbances->rtc_gap_s);
	if (steal_ms > 0)
		finding_add(finding, weigh(evidence, SEEN_STEAL, steal_ms), "the hypervisor took %" PRId64
			    " ms of CPU time", steal_ms);
}

void disturbed_judge(struct finding *finding, const struct evidence *evidence)
{
	judge_holds(finding, evidence);
	judge_looks(finding, evidence);
	judge_disturbances(finding, evidence);
}
