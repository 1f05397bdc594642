// SPDX-License-Identifier: GPL-2.0-or-later
/* Each reason that lets a run be doubted, alone and among others. */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "tap.h"
#include "verdict.h"

#define UNKNOWN { WITNESS_UNKNOWN, WITNESS_UNKNOWN, WITNESS_UNKNOWN, WITNESS_UNKNOWN, WITNESS_UNKNOWN }

static struct share share;
static struct totals totals;
static struct testimony testimony;
static struct evidence evidence;
static enum grade grade;

/* A run in which all was well, bound to CPU 3. */
static void be_well(void)
{
	memset(&share, 0, sizeof(share));
	memset(&totals, 0, sizeof(totals));
	share.end = END_SAMPLES;
	share.began = (struct standing){ SCHED_FIFO, 95, 1, 3, 1 };
	share.ended = share.began;
	totals.samples = 1000;
	totals.late.max = 20000;
	testimony = (struct testimony){ 0 };
	evidence = (struct evidence){
		.share = &share, .totals = &totals, .period_ns = 488281, .policy = "fifo",
		.priority = 95, .standing = &share.ended, .schedule_kept = true, .testimony = &testimony,
		.changes = "", .load = "",
	};
}

static void says(const char *expected, const char *name)
{
	char text[512];

	grade = verdict(&evidence, text, sizeof(text));
	is_text(text, expected, name);
	be_well();
}

static void test_well(void)
{
	be_well();
	says("valid", "all was well");
	testimony = (struct testimony)UNKNOWN;
	share.began.migrations = share.ended.migrations = -1;
	says("valid", "what is not known is no reason");
	ok(grade == VALID, "the grade");
	evidence.policy = "rr";
	share.began.policy = share.ended.policy = SCHED_RR;
	says("valid", "rr, as asked for");
	share.began.cpus = share.ended.cpus = 8;
	share.ended.migrations = 90;
	says("valid", "it may migrate when it is not bound");
}

static void test_ends(void)
{
	totals.samples = 0;
	says("invalid: nothing was measured", "no samples");
	ok(grade == INVALID, "the grade");
	share.end = END_NONE;
	share.ended = (struct standing){ 0 };
	says("suspect: the measuring process was killed", "killed");
	ok(grade == SUSPECT, "the grade");
	share.end = END_NONE;
	share.ended = (struct standing){ 0 };
	evidence.running = true;
	says("valid", "a checkpoint has no end yet");
	share.end = END_NONE;
	share.ended.migrations = 4;
	evidence.running = true;
	says("suspect: migrated 3 times while bound to CPU 3", "but it tells the migrations so far");
	share.end = END_FAILED;
	share.failure = EIO;
	says("suspect: the wait failed: Input/output error", "a wait that fails");
	share.end = END_RUNAWAY;
	says("suspect: the wait returned without waiting", "one that does not wait");
	share.end = END_SILENT;
	says("suspect: the source stopped waking the process", "one that does not return");
	share.end = END_FULL;
	says("suspect: ended before its counters could overflow", "a full buffer");
}

static void test_holds(void)
{
	share.stopped_ms = 2016;
	says("suspect: stopped: a signal stopped the measuring process for 2.016 s", "stopped");
	share.freezer_hidden = true;
	says("valid", "what the freezer does cannot be seen");
	share.frozen = true;
	says("suspect: frozen: the control group of the measuring process was frozen", "frozen");
}

static void test_policy(void)
{
	strcpy(share.refused, "take SCHED_FIFO 95: Operation not permitted");
	share.began.policy = share.ended.policy = SCHED_OTHER;
	says("invalid: not real-time: take SCHED_FIFO 95: Operation not permitted", "refused, told once");
	share.began.policy = share.ended.policy = SCHED_OTHER;
	share.began.priority = share.ended.priority = 0;
	says("invalid: the kernel granted other 0, not fifo 95", "not what was granted");
	share.began.priority = share.ended.priority = 50;
	says("suspect: the kernel granted fifo 50, not fifo 95", "another priority");
	evidence.policy = "other";
	evidence.priority = 0;
	share.began = (struct standing){ SCHED_OTHER, 0, 8, 0, 0 };
	share.ended = share.began;
	says("suspect: not real-time: the policy is other, as requested", "other, as asked for");
	share.ended.policy = SCHED_OTHER;
	share.ended.priority = 0;
	says("suspect: policy changed: fifo 95 -> other 0", "changed during the run");
}

static void test_standing(void)
{
	share.ended.migrations = 3;
	says("suspect: migrated 2 times while bound to CPU 3", "migrations");
	share.ended.cpus = 7;
	share.ended.first_cpu = 0;
	says("suspect: no longer bound to CPU 3", "the CPU was taken offline");
	share.ended.first_cpu = 2;
	says("suspect: no longer bound to CPU 3", "it was bound to another");
}

static void test_testimony(void)
{
	testimony.rt_throttled = 1;
	says("suspect: real-time processes were throttled", "throttled");
	testimony.suspended_ns = 5250000000;
	says("suspect: the machine was suspended for 5.250 s", "suspended");
	testimony.clock_step_ns = 1500000;
	says("suspect: the wall clock was set by 0.001500 s", "the clock was set");
	testimony.rtc_gap_s = 12;
	says("suspect: the hardware clock moved +12 s against the kernel's: the virtual machine was paused, "
	     "or the hardware clock was set", "paused");
	testimony.rtc_gap_s = -3;
	says("suspect: the hardware clock moved -3 s against the kernel's: the virtual machine was paused, "
	     "or the hardware clock was set", "set back");
	testimony.steal_ms = 120;
	says("suspect: the hypervisor took 120 ms of CPU time", "stolen");
}

static void test_samples(void)
{
	evidence.changes = "governor changed: powersave -> performance; boost changed: on -> off";
	says("suspect: governor changed: powersave -> performance; boost changed: on -> off", "the machine");
	evidence.load = "the load failed";
	says("suspect: the load failed", "the load");
	evidence.schedule_kept = false;
	says("suspect: the schedule is contradicted: lateness is unreliable", "the schedule");
	totals.missed = 12;
	says("suspect: 12 periods were missed, but no wake-up was a period late", "missed, and not late");
	totals.missed = 12;
	totals.late.max = 500000;
	says("valid", "missed, and late");
	evidence.other_interrupts = 4;
	says("suspect: 4 wake-ups also counted an alarm or update interrupt", "other interrupts");
}

static void test_many(void)
{
	static char changes[8000], large[8000];
	char text[64];

	totals.samples = 0;
	testimony.steal_ms = 10;
	evidence.load = "the load failed";
	says("invalid: nothing was measured; the hypervisor took 10 ms of CPU time; the load failed", "the worst counts");
	evidence.load = "a load that failed for so long a reason that it does not fit";
	grade = verdict(&evidence, text, sizeof(text));
	is_text(text, "suspect: a load that failed for so long a reason that it doe...", "what is cut says so");
	memset(changes, 'x', sizeof(changes) - 1);
	evidence.changes = changes;
	evidence.load = "the load failed";
	verdict(&evidence, large, sizeof(large));
	is_text(large + strlen(large) - 4, "x...", "nor is the list cut in silence");
}

int main(void)
{
	test_well();
	test_ends();
	test_holds();
	test_policy();
	test_standing();
	test_testimony();
	test_samples();
	test_many();
	return done();
}
