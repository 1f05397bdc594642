// SPDX-License-Identifier: GPL-2.0-or-later
/* Who had the CPU, and what the meter was waiting for: records of each cause that a wake-up may be late for. */
#include <stdio.h>

#include "tap.h"
#include "traced.h"

static const char *const phases[] = {
	[PHASE_UNKNOWN] = "?", [PHASE_TIMER] = "timer", [PHASE_TIMER_LATE] = "late", [PHASE_WAKING] = "waking",
	[PHASE_READY] = "ready", [PHASE_TAKEN] = "taken", [PHASE_PASSED_OVER] = "passed",
	[PHASE_BLOCKED] = "blocked", [PHASE_RUNNING] = "running",
};

static const char *told(const struct blame *blame)
{
	static char text[4096];
	FILE *file = fmemopen(text, sizeof(text), "w");

	*text = '\0';
	for (unsigned i = 0; i < blame->count; i++) {
		const struct segment *segment = &blame->segment[i];

		fprintf(file, "%g %g %s %s %s\n", segment->from_ns / 1e3, segment->to_ns / 1e3, blame_kind(segment),
			blame_name(segment), phases[segment->phase]);
	}
	fclose(file);
	return text;
}

static void is_told(double stamp_us, const char *expected, const char *name)
{
	is_text(told(blame_of(stamp_us)), expected, name);
	nothing_traced();
}

/* What is told once the stack has shown that a program was interrupted. */
static void is_told_of_program(double stamp_us, const char *expected, const char *name)
{
	struct blame *blame = blame_of(stamp_us);

	blame_interrupted_program(blame);
	is_text(told(blame), expected, name);
	nothing_traced();
}

static void test_tasks(void)
{
	sleep_and_wake_up(2, 10, 0);
	is_told(12,
		"0 2 task dd timer\n2 5 interrupt timer interrupt waking\n"
		"5 7 interrupt timer interrupt ready\n7 8 task dd ready\n8 12 self realfeel running\n",
		"a wake-up that nothing delays");

	preempted(-9000, 10, 20);
	wake_up(2, 20, 11000);
	is_told(11012,
		"0 2 task hog timer\n2 5 interrupt timer interrupt waking\n"
		"5 7 interrupt timer interrupt ready\n7 11008 task hog ready\n11008 11012 self realfeel running\n",
		"one of higher priority");

	sleep_and_wake_up(60000, 11, 2000);
	is_told(62012,
		"0 60000 task sh timer\n60000 60003 interrupt timer interrupt waking\n"
		"60003 60005 interrupt timer interrupt ready\n60005 62006 task sh ready\n"
		"62006 62012 self realfeel running\n",
		"one that keeps interrupts off, and is not preempted then");

	sleep_and_wake_up(2, 10, 0);
	preempted(10, METER, 20);
	preempted(3010, 20, METER);
	is_told(3015,
		"0 2 task dd timer\n2 5 interrupt timer interrupt waking\n"
		"5 7 interrupt timer interrupt ready\n7 8 task dd ready\n8 10 self realfeel running\n"
		"10 3010 task hog taken\n3010 3015 self realfeel running\n",
		"one that takes the CPU away");

	sleep_and_wake_up(2, 10, 0);
	preempted(10, METER, 10);
	preempted(4000, 10, 11);
	went_to_sleep(9000, 11, 0);
	preempted(50000, 0, METER);
	is_told(50005,
		"0 2 task dd timer\n2 5 interrupt timer interrupt waking\n"
		"5 7 interrupt timer interrupt ready\n7 8 task dd ready\n8 10 self realfeel running\n"
		"10 4000 task dd passed\n4000 9000 task sh passed\n9000 50000 idle idle passed\n"
		"50000 50005 self realfeel running\n",
		"those that go before us when we are throttled, and idle then");
}

static void test_waking(void)
{
	went_to_sleep(-500, METER, 10);
	timer_interrupt(2, 5);
	preempted(6, 10, 21);
	preempted(900, 21, 15);
	waking(950);
	preempted(951, 15, METER);
	went_to_sleep(960, METER, 15);
	waking(1000);
	preempted(1001, 15, METER);
	is_told(1010,
		"0 2 task dd waking\n2 5 interrupt timer interrupt waking\n5 6 task dd waking\n"
		"6 900 task low waking\n900 950 task ktimers/0 waking\n950 951 task ktimers/0 ready\n"
		"951 960 self realfeel running\n960 1000 task ktimers/0 blocked\n"
		"1000 1001 task ktimers/0 ready\n1001 1010 self realfeel running\n",
		"a thread that wakes us, and has a lock that we need");

	preempted(-9000, 20, 21);
	timer_interrupt(3000, 3005);
	preempted(7000, 21, METER);
	is_told(7008,
		"0 3000 task low ?\n3000 3005 interrupt timer interrupt ?\n3005 7000 task low ?\n"
		"7000 7008 self realfeel running\n",
		"without a waking it is not known what we waited for");

	went_to_sleep(-500, METER, 10);
	entry(1000, TRACE_IRQ_ENTRY, 9, "eth0");
	entry(1010, TRACE_IRQ_EXIT, 9, "");
	wake_up(5000, 10, 0);
	is_told(5012,
		"0 1000 task dd late\n1000 1010 interrupt eth0 late\n1010 5000 task dd late\n"
		"5000 5003 interrupt timer interrupt waking\n5003 5005 interrupt timer interrupt ready\n"
		"5005 5006 task dd ready\n5006 5012 self realfeel running\n",
		"a timer that is late though other interrupts come");
}

static void test_softirqs(void)
{
	went_to_sleep(-500, METER, 10);
	entry(-20, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	entry(1, TRACE_VECTOR_EXIT, 236, "timer interrupt");
	entry(2, TRACE_SOFTIRQ_ENTRY, 3, "NET_RX");
	timer_interrupt(4, 6);
	waking(7);
	entry(8, TRACE_IRQ_ENTRY, 9, "eth0");
	entry(9, TRACE_IRQ_EXIT, 9, "");
	entry(700, TRACE_SOFTIRQ_EXIT, 3, "NET_RX");
	preempted(701, 10, METER);
	is_told(705,
		"0 1 interrupt timer interrupt waking\n1 2 task dd waking\n2 4 softirq NET_RX waking\n"
		"4 6 interrupt timer interrupt waking\n6 7 softirq NET_RX waking\n7 8 softirq NET_RX ready\n"
		"8 9 interrupt eth0 ready\n9 700 softirq NET_RX ready\n700 701 task dd ready\n"
		"701 705 self realfeel running\n",
		"interrupts within a softirq, and one that began before due");

	went_to_sleep(-500, METER, 14);
	entry(-100, TRACE_SOFTIRQ_ENTRY, 3, "NET_RX");
	wake_up(2, 14, 3000);
	traced[traced_count - 1].at_ns += 1000;
	entry(3008, TRACE_SOFTIRQ_EXIT, 3, "NET_RX");
	traced[traced_count] = traced[traced_count - 2];
	traced[traced_count - 2] = traced[traced_count - 1];
	traced[traced_count - 1] = traced[traced_count];
	is_told(3012,
		"0 2 softirq NET_RX timer\n2 5 interrupt timer interrupt waking\n"
		"5 7 interrupt timer interrupt ready\n7 3008 softirq NET_RX ready\n"
		"3008 3009 task ksoftirqd/0 ready\n3009 3012 self realfeel running\n",
		"a storm in the thread of softirqs");

	preempted(-500, 20, 15);
	wake_up(2, 15, 0);
	preempted(20, METER, 15);
	entry(30, TRACE_SOFTIRQ_EXIT, 1, "TIMER");
	preempted(40, 15, METER);
	is_told(42,
		"0 2 softirq TIMER timer\n2 5 interrupt timer interrupt waking\n"
		"5 7 interrupt timer interrupt ready\n7 8 softirq TIMER ready\n8 20 self realfeel running\n"
		"20 30 softirq TIMER passed\n30 40 task ktimers/0 passed\n40 42 self realfeel running\n",
		"on PREEMPT_RT a softirq is preempted with its thread, and may have begun before all records");
}

static void test_no_record(void)
{
	sleep_and_wake_up(219, 0, 0);
	is_told(230,
		"0 219 idle idle timer\n219 222 interrupt timer interrupt waking\n"
		"222 224 interrupt timer interrupt ready\n224 225 idle idle ready\n225 230 self realfeel running\n",
		"an idle CPU needs some time to wake");

	sleep_and_wake_up(20000, 0, 0);
	is_told(20300,
		"0 20000 unknown no-record timer\n20000 20003 interrupt timer interrupt waking\n"
		"20003 20005 interrupt timer interrupt ready\n20005 20006 idle idle ready\n"
		"20006 20300 unknown no-record running\n",
		"but not so much, nor do we to the stamp");

	sleep_and_wake_up(5000, 10, 0);
	is_told(5010,
		"0 5000 task dd timer\n5000 5003 interrupt timer interrupt waking\n"
		"5003 5005 interrupt timer interrupt ready\n5005 5006 task dd ready\n5006 5010 self realfeel running\n",
		"the kernel may keep interrupts off");
}

static void test_program(void)
{
	sleep_and_wake_up(5000, 10, 0);
	is_told_of_program(5010,
		"0 5000 unknown no-record timer\n5000 5003 interrupt timer interrupt waking\n"
		"5003 5005 interrupt timer interrupt ready\n5005 5006 task dd ready\n5006 5010 self realfeel running\n",
		"a program that is interrupted has not kept interrupts off");

	sleep_and_wake_up(20, 10, 0);
	is_told_of_program(30,
		"0 20 task dd timer\n20 23 interrupt timer interrupt waking\n"
		"23 25 interrupt timer interrupt ready\n25 26 task dd ready\n26 30 self realfeel running\n",
		"that is no question if the timer is hardly late");
}

static void test_lost(void)
{
	is_told(7, "0 7 unknown ring-ends ?\n", "no record at all");

	wake_up(3000, 10, 0);
	is_told(3010,
		"0 3000 unknown ring-ends ?\n3000 3003 interrupt timer interrupt waking\n"
		"3003 3005 interrupt timer interrupt ready\n3005 3006 task dd ready\n3006 3010 self realfeel running\n",
		"the records begin after due, and the first switch tells who was there before");

	went_to_sleep(-500, METER, 10);
	timer_interrupt(100, 110);
	lost(200);
	entry(300, TRACE_IRQ_EXIT, 9, "");
	entry(400, TRACE_SOFTIRQ_EXIT, 3, "NET_RX");
	waking(450);
	preempted(500, 11, METER);
	is_told(510,
		"0 100 task dd ?\n100 110 interrupt timer interrupt ?\n110 300 unknown lost ?\n"
		"300 400 softirq NET_RX ?\n400 450 task sh ?\n450 500 task sh ready\n"
		"500 510 self realfeel running\n",
		"records are lost in the middle, and what ends behind had begun there");

	went_to_sleep(-500, METER, 10);
	timer_interrupt(100, 110);
	preempted(500, 11, METER);
	is_told(510, "0 500 unknown lost ?\n500 510 self realfeel running\n",
		"a switch that is missing shows in the next");

	went_to_sleep(-500, METER, 10);
	entry(100, TRACE_IRQ_ENTRY, 9, "eth0");
	preempted(500, 10, METER);
	is_told(510, "0 100 task dd ?\n100 500 unknown lost ?\n500 510 self realfeel running\n",
		"so does an exit");

	went_to_sleep(-500, METER, 10);
	timer_interrupt(100, 110);
	waking(120);
	is_told(510, "0 510 unknown lost ?\n", "the meter had the CPU in the end");
	is_told(-5, "", "one that is early has none to blame");
}

int main(void)
{
	test_tasks();
	test_waking();
	test_softirqs();
	test_no_record();
	test_program();
	test_lost();
	return done();
}
