// SPDX-License-Identifier: GPL-2.0-or-later
/* Each reason that lets a run be doubted, alone and among others. */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "evidence.h"
#include "tap.h"

static const struct source_ops ordinary_ops = { .name = "ring", .ordinary = true };
static const struct source_ops matched_ops = { .name = "kthread", .measures = SINCE_ASKED, .matched = true };
static const struct source matched = { .ops = &matched_ops, .period_ns = 10000000, .hz = 100 };
static const struct source ordinary = { .ops = &ordinary_ops };

static void test_well(void)
{
	be_well();
	says("valid", "a run in which all was well is valid");
	disturbances.suspended_ns = disturbances.clock_step_ns = disturbances.rtc_gap_s = MONITOR_UNKNOWN;
	disturbances.steal.ms[0] = MONITOR_UNKNOWN;
	channel.began.migrations = channel.ended.migrations = -1;
	says("valid", "what is not known is no reason");
	ok(found.grade == VALID, "a run in which all was well has the best grade");
	options.policy = "rr";
	channel.began.policy = channel.ended.policy = SCHED_RR;
	says("valid", "policy rr was asked for");
	channel.began.cpus = channel.ended.cpus = 8;
	channel.ended.migrations = 90;
	says("valid", "a meter that is not bound may migrate");
}

static void test_ends(void)
{
	sums->samples = 0;
	says("invalid: nothing was measured", "a run without samples");
	ok(found.grade == INVALID, "a run without samples has the worst grade");
	channel.end = END_NONE;
	channel.ended = (struct sched_state){ 0 };
	says("suspect: the measuring process was killed", "the meter was killed");
	ok(found.grade == SUSPECT, "a run whose meter was killed has the middle grade");
	channel.end = END_NONE;
	channel.ended = (struct sched_state){ 0 };
	report.running = true;
	says("valid", "a checkpoint has no end yet");
	channel.end = END_NONE;
	channel.ended.migrations = 4;
	report.running = true;
	says("suspect: migrated 3 times while bound to CPU 3", "a checkpoint has the migrations so far");
	channel.end = END_FAILED;
	channel.failure = EINVAL;
	says("suspect: the wait failed: Invalid argument", "a wait that fails");
	channel.end = END_SLEEPLESS;
	report.source = &matched;
	says("suspect: the measuring process never slept: its CPU cannot serve 100 Hz", "a meter that is always late");
	channel.end = END_RUNAWAY;
	says("suspect: the wait returned without waiting", "a wait that does not wait");
	channel.end = END_SILENT;
	says("suspect: the source stopped waking the process", "a source that falls silent");
	channel.end = END_SILENT;
	report.source = &matched;
	says("suspect: the kernel did not begin what was requested", "a request that is held up");
	channel.end = END_CHILD;
	says("suspect: the fake's asker was killed", "a process of the source");
	channel.end = END_FULL;
	says("suspect: ended before its counters could overflow", "a full buffer");
}

static void test_holds(void)
{
	channel.stopped_ms = 2016;
	says("suspect: stopped: a signal stopped the measuring process for 2.016 s", "the meter was stopped");
	channel.frozen = true;
	says("suspect: frozen: the control group of the measuring process was frozen", "the meter was frozen");
}

/* An ordinary policy was asked for and granted, and no CPU. */
static void be_ordinary(void)
{
	options.policy = "other";
	options.priority = 0;
	channel.began = channel.ended = (struct sched_state){ SCHED_OTHER, 0, 8, 0, 0 };
}

static void test_policy(void)
{
	strcpy(channel.rights.refused, "take SCHED_FIFO 95: Operation not permitted");
	says("invalid: not real-time: take SCHED_FIFO 95: Operation not permitted",
	     "a right was refused, which is reported once");
	channel.began = channel.ended = (struct sched_state){ SCHED_OTHER, 0, 1, 3, 1 };
	says("invalid: the kernel granted other 0, not fifo 95", "the policy is not what was granted");
	channel.began.priority = channel.ended.priority = 50;
	says("suspect: the kernel granted fifo 50, not fifo 95", "the priority is not what was granted");
	be_ordinary();
	says("suspect: not real-time: the policy is other, as requested", "policy other was asked for");
	be_ordinary();
	report.source = &ordinary;
	says("valid", "an ordinary source may have an ordinary policy");
	channel.ended = (struct sched_state){ SCHED_OTHER, 0, 1, 3, 1 };
	says("suspect: policy changed: fifo 95 -> other 0", "the policy changed during the run");
}

static void test_standing(void)
{
	channel.ended.migrations = 3;
	says("suspect: migrated 2 times while bound to CPU 3", "a bound meter migrated");
	channel.ended.cpus = 7;
	channel.ended.first_cpu = 0;
	says("suspect: no longer bound to CPU 3", "the CPU was taken offline");
	channel.ended.first_cpu = 2;
	says("suspect: no longer bound to CPU 3", "the meter was bound to another CPU");
}

static void test_testimony(void)
{
	disturbances.suspended_ns = 5250000000;
	says("suspect: the machine was suspended for 5.250 s", "the machine was suspended");
	disturbances.clock_step_ns = 1500000;
	says("suspect: the wall clock was changed by 0.001500 s", "the clock was set");
	disturbances.rtc_gap_s = 12;
	says("suspect: the hardware clock moved +12 s against the kernel's: the virtual machine was paused, "
	     "or the hardware clock was set", "the virtual machine was paused");
	disturbances.rtc_gap_s = -3;
	says("suspect: the hardware clock moved -3 s against the kernel's: the virtual machine was paused, "
	     "or the hardware clock was set", "the hardware clock was set back");
	disturbances.steal.ms[0] = 120;
	says("suspect: the hypervisor took 120 ms of CPU time", "the hypervisor took time");
}

/* Two processes that the meter has forked. */
static void test_children(void)
{
	struct children *children = &channel.children;

	for (int i = 0; i < 6; i++) {
		children->count = 2;
		children->began = children->ended = (struct sched_state){ SCHED_FIFO, 96, 1, 2, -1 };
		switch (i) {
		case 0:
			says("valid", "two children are scheduled as they began");
			break;
		case 1:
			children->stopped_ms = 2016;
			says("suspect: stopped: a signal stopped the fake's asker for 2.016 s", "a child was stopped");
			break;
		case 2:
			children->ended = (struct sched_state){ SCHED_OTHER, 0, 1, 2, -1 };
			says("suspect: the fake's asker: policy changed: fifo 96 -> other 0",
			     "a child was made ordinary");
			break;
		case 3:
			children->ended.first_cpu = 3;
			says("suspect: the fake's asker: no longer bound to CPU 2", "a child was moved");
			break;
		case 4:
			children->ended.cpus = 8;
			says("suspect: the fake's asker: no longer bound to CPU 2", "a child's CPU was taken offline");
			break;
		default:
			children->ended.cpus = 0;
			says("valid", "the children's scheduling is unknown");
		}
	}
}

static const char guess[] = "suspect: a wake-up was 30.0 ms late: the kernel may have throttled real-time processes";

/* The guard takes up to 50 ms of each second. */
static void late_says(int64_t late_ns, const char *expected, const char *name)
{
	disturbances.guard_ns = 50000000;
	report.evidence.late_ns = late_ns;
	says(expected, name);
}

static void test_guard(void)
{
	late_says(24999999, "valid", "a wake-up not as late as the guard makes it");
	late_says(30000000, guess, "a wake-up as late as the guard makes it");
	late_says(100000001, "valid", "no guard throttles for so long");
	report.evidence.late_ns = 30000000;
	says("valid", "a wake-up is late, but there is no guard");
	be_ordinary();
	late_says(30000000, "suspect: not real-time: the policy is other, as requested",
		  "the guard holds up no ordinary process");
}

/* What accounts for how much of it? */
static void test_no_guard(void)
{
	report.evidence.explained_ns = 5000001;
	late_says(30000000, "valid", "a higher priority had the CPU for long enough");
	report.evidence.explained_ns = 5000000;
	late_says(30000000, guess, "a higher priority had the CPU, but not for long enough");
	channel.stopped_ms = 1;
	late_says(30000000, "suspect: stopped: a signal stopped the measuring process for 0.001 s",
		  "a stop accounts for the lateness");
	channel.children = (struct children){ .count = 1, .stopped_ms = 2000 };
	late_says(30000000, "suspect: stopped: a signal stopped the fake's asker for 2.000 s",
		  "a stop of a child accounts for the lateness");
	channel.frozen = true;
	late_says(30000000, "suspect: frozen: the control group of the measuring process was frozen",
		  "a freeze accounts for the lateness");
	disturbances.suspended_ns = 1000000000;
	late_says(30000000, "suspect: the machine was suspended for 1.000 s", "a suspend accounts for the lateness");
	disturbances.steal.ms[0] = 20;
	late_says(60000000, "suspect: the hypervisor took 20 ms of CPU time; a wake-up was 60.0 ms late: the kernel may have "
		  "throttled real-time processes", "the hypervisor had the CPU for too short a time");
	disturbances.steal.ms[0] = 30;
	late_says(60000000, "suspect: the hypervisor took 30 ms of CPU time",
		  "the hypervisor had the CPU for most of the time");
	disturbances.steal.ms[0] = MONITOR_UNKNOWN;
	late_says(30000000, guess, "an unknown time of the hypervisor accounts for nothing");
}

/* The kernel's threads are late for any load; the meter, which looks once a period, for the guard. */
static void test_guard_of_meter(void)
{
	report.source = &matched;
	disturbances.guard_ns = 50000000;
	sums->moments[LATENCY].max = 900000000;
	sums->figures.away_ns = 34999999;
	says("valid", "work of the kernel was late, but not the meter");
	report.source = &matched;
	disturbances.guard_ns = 50000000;
	sums->figures.away_ns = 35000000;
	says("suspect: the measuring process was 25.0 ms late: the kernel may have throttled real-time processes",
	     "the meter was");
}

/* What is executed later than it was seen to wait is measured. */
static void test_pending(void)
{
	sums->figures.pending_ns = 20000;
	says("valid", "a request waits at the end, no longer than others did");
	sums->figures.pending_ns = 3000000000;
	says("suspect: a request waited for 3000.0 ms or longer, but was not measured",
	     "a request waits at the end, longer than others did");
}

static void test_samples(void)
{
	strcpy(report.evidence.changes, "governor changed: powersave -> performance; boost changed: on -> off");
	says("suspect: governor changed: powersave -> performance; boost changed: on -> off",
	     "the machine's settings changed");
	strcpy(report.evidence.load, "the load failed");
	says("suspect: the load failed", "a load failed");
	strcpy(report.evidence.schedule, "contradicted");
	says("suspect: the schedule is contradicted: lateness is unreliable", "a schedule was contradicted");
	sums->missed = 12;
	says("suspect: 12 periods were missed, but no wake-up was a period late",
	     "missed periods without a late wake-up");
	sums->missed = 12;
	sums->moments[LATENCY].max = 500000;
	says("valid", "missed periods with a late wake-up");
	sums->figures.other_interrupts = 4;
	says("suspect: 4 wake-ups also counted an alarm or update interrupt", "other interrupts");
	sums->figures.unmatched = 10;
	says("valid", "few requests of which an end is missing");
	sums->figures.unasked = 10;
	says("valid", "few instants at which nothing was requested");
	sums->figures.unasked = 12;
	says("suspect: nothing was requested at 12 of 1012 instants: the measuring process was late, or the kernel accepted no requests",
	     "many instants at which nothing was requested");
	sums->figures.unmatched = 11;
	says("suspect: the kernel recorded both ends of 1000 requests, but not of 11 others",
	     "many requests of which an end is missing");
}

static void test_many(void)
{
	sums->samples = 0;
	disturbances.steal.ms[0] = 10;
	strcpy(report.evidence.load, "the load failed");
	says("invalid: nothing was measured; the hypervisor took 10 ms of CPU time; the load failed",
	     "the worst reason comes first");
	is(found.reason_count, 3, "three reasons are counted");
	is_text(found.cause, "nothing was measured", "the first reason is the cause");
	channel.end = END_RUNAWAY;
	channel.began = channel.ended = (struct sched_state){ SCHED_OTHER, 50, 1, 3, 1 };
	disturbances.steal.ms[0] = 10;
	judge();
	is_text(found.cause, "the kernel granted other 50, not fifo 95",
		"the cause is the first reason with the worst grade");
	be_well();
}

int main(void)
{
	test_well();
	test_ends();
	test_holds();
	test_policy();
	test_standing();
	test_testimony();
	test_children();
	test_guard();
	test_no_guard();
	test_guard_of_meter();
	test_pending();
	test_samples();
	test_many();
	return done();
}
