// SPDX-License-Identifier: GPL-2.0-or-later
/* The sentence, for each cause that a wake-up may be late for. */
#include <string.h>

#include "explain_words.h"
#include "tap.h"
#include "traced.h"

static struct words_facts facts = { .smis = -1, .hypervisor = true };

static void is_said(double stamp_us, const char *expected, const char *name)
{
	char text[WORDS_SIZE];

	words_explain(text, blame_of(stamp_us), &facts);
	is_text(text, expected, name);
	nothing_traced();
}

static void is_said_first(double stamp_us, const char *expected, const char *name)
{
	char text[WORDS_SIZE];

	words_explain(text, blame_of(stamp_us), &facts);
	*strchr(text, ';') = '\0';
	is_text(text, expected, name);
	nothing_traced();
}

static void test_tasks(void)
{
	preempted(-9000, 10, 20);
	wake_up(2, 20, 11000);
	is_said(11012,
		"11.012 ms late: 'hog' (rt 97) ran 11.003 ms; timer interrupt 0.005 ms; realfeel itself ran 0.004 ms",
		"one of higher priority");

	sleep_and_wake_up(2, 10, 334);
	is_said(345,
		"345.0 us late: 'dd' (nice 0) could not be preempted for 335.0 us; timer interrupt 5.0 us; "
		"realfeel itself ran 3.0 us; 'dd' (nice 0) ran 2.0 us",
		"one of lower priority");

	sleep_and_wake_up(60000, 11, 0);
	is_said(60010,
		"60.010 ms late: interrupts were off, or the CPU was taken away, for 60.000 ms while 'sh' (nice 0) ran; "
		"timer interrupt 0.005 ms; realfeel itself ran 0.004 ms; 'sh' (nice 0) ran 0.001 ms",
		"one that keeps interrupts off");

	sleep_and_wake_up(2, 10, 0);
	preempted(10, METER, 20);
	preempted(3010, 20, METER);
	is_said(3015,
		"3.015 ms late: 'hog' (rt 97) took the CPU away for 3.000 ms; realfeel itself ran 0.007 ms; "
		"timer interrupt 0.005 ms; 'dd' (nice 0) ran 0.003 ms",
		"one that takes the CPU away");

	sleep_and_wake_up(2, 10, 0);
	preempted(10, METER, 10);
	preempted(4000, 10, 0);
	preempted(50000, 0, METER);
	is_said(50005,
		"50.005 ms late: the idle task ran 46.000 ms although realfeel was ready (throttled?); "
		"'dd' (nice 0) ran 3.990 ms although realfeel was ready (throttled?); realfeel itself ran 0.007 ms; "
		"timer interrupt 0.005 ms; 1 other 0.003 ms",
		"the guard of real-time processes");
}

static void test_interrupts(void)
{
	went_to_sleep(-500, METER, 14);
	entry(-100, TRACE_SOFTIRQ_ENTRY, 3, "NET_RX");
	timer_interrupt(2, 5);
	waking(5);
	entry(8, TRACE_IRQ_ENTRY, 9, "eth0");
	entry(408, TRACE_IRQ_EXIT, 9, "");
	entry(3008, TRACE_SOFTIRQ_EXIT, 3, "NET_RX");
	entry(3008, TRACE_SOFTIRQ_ENTRY, 1, "TIMER");
	entry(3108, TRACE_SOFTIRQ_EXIT, 1, "TIMER");
	preempted(3109, 14, METER);
	is_said(3110,
		"3.110 ms late: softirq NET_RX in 'ksoftirqd/0' (nice 0) 2.605 ms; interrupt 'eth0' (irq 9) 0.400 ms; "
		"softirq TIMER in 'ksoftirqd/0' (nice 0) 0.100 ms; timer interrupt 0.003 ms; 2 others 0.002 ms",
		"a storm of softirqs");

	went_to_sleep(-500, METER, 10);
	timer_interrupt(2, 5);
	preempted(6, 10, 15);
	waking(50);
	preempted(51, 15, METER);
	went_to_sleep(60, METER, 15);
	waking(130);
	preempted(131, 15, METER);
	is_said(140,
		"140.0 us late: 'ktimers/0' (rt 1) ran 70.0 us while realfeel was blocked again; 'ktimers/0' (rt 1) ran 46.0 us; "
		"realfeel itself ran 18.0 us; 'dd' (nice 0) ran 3.0 us; 1 other 3.0 us",
		"a thread of timers");

	preempted(-9000, 10, 20);
	timer_interrupt(431, 433);
	went_to_sleep(18000, 20, 15);
	went_to_sleep(18010, 15, 10);
	traced[traced_count - 1].next.prio = 98;
	preempted(18460, 10, 15);
	waking(18500);
	preempted(18501, 15, METER);
	is_said(18510,
		"18.510 ms late: 'hog' (rt 97) ran 17.998 ms; 'dd' (rt 1, lent) ran 0.450 ms; 'ktimers/0' (rt 1) ran 0.051 ms; "
		"realfeel itself ran 0.009 ms; 1 other 0.002 ms",
		"a thread of timers that is kept from them: no interrupt was to come, and who has its lock has its priority");

	sleep_and_wake_up(219, 0, 0);
	is_said(230,
		"230.0 us late: woke from idle, 220.0 us; timer interrupt 5.0 us; realfeel itself ran 5.0 us",
		"a CPU that was idle");

	went_to_sleep(-500, METER, 10);
	entry(1000, TRACE_VECTOR_ENTRY, 253, "reschedule IPI");
	entry(1010, TRACE_VECTOR_EXIT, 253, "reschedule IPI");
	wake_up(5000, 10, 0);
	is_said(5012,
		"5.012 ms late: the timer was 4.990 ms late while 'dd' (nice 0) ran; reschedule IPI 0.010 ms; "
		"realfeel itself ran 0.006 ms; timer interrupt 0.005 ms; 1 other 0.001 ms",
		"a timer that is late by itself");
}

static void test_unknown(void)
{
	static const struct {
		int64_t smis;
		bool hypervisor;
		const char *expected;
	} cases[] = {
		{ -1, true, "20.015 ms late: 20.000 ms without any record (hypervisor or SMI?)" },
		{ -1, false, "20.015 ms late: 20.000 ms without any record (SMI?)" },
		{ 0, true, "20.015 ms late: 20.000 ms without any record (hypervisor?)" },
		{ 0, false, "20.015 ms late: 20.000 ms without any record (and no SMI)" },
		{ 1, false, "20.015 ms late: 20.000 ms without any record (1 SMI)" },
		{ 7, true, "20.015 ms late: 20.000 ms without any record (7 SMIs)" },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		facts.smis = cases[i].smis;
		facts.hypervisor = cases[i].hypervisor;
		sleep_and_wake_up(20000, 0, 0);
		is_said_first(20015, cases[i].expected, "an idle CPU that takes no interrupt");
	}
	facts.smis = 0;
	facts.hypervisor = false;
	sleep_and_wake_up(60000, 11, 0);
	is_said_first(60010, "60.010 ms late: interrupts were off for 60.000 ms while 'sh' (nice 0) ran",
		"no doubt where nothing else can take the CPU");

	wake_up(3000, 10, 0);
	lost(3007);
	is_said(3010,
		"3.010 ms late: the records begin 3.000 ms after due; timer interrupt 0.005 ms; "
		"0.004 ms unknown: records were lost; 'dd' (nice 0) ran 0.001 ms",
		"what is not known");
	went_to_sleep(-500, METER, 10);
	timer_interrupt(1, 2);
	is_said(2000, "2.000 ms late: no records were kept", "nothing is known");
}

static unsigned put_frames(struct stack *stack, const char *const *names)
{
	for (stack->frames = 0; *names; names++)
		stack->frame[stack->frames++].name = *names;
	return stack->frames;
}

static void test_stacks(void)
{
	static const char *const expiry[] = {
		"__hrtimer_run_queues", "hrtimer_interrupt", "__sysvec_apic_timer_interrupt", "sysvec_apic_timer_interrupt",
		"asm_sysvec_apic_timer_interrupt", "vprintk_store", "vprintk_emit", "_printk", "sysrq_handle_showstate", NULL
	};
	static const char *const arrival[] = {
		"__schedule", "schedule", "exit_to_user_mode_prepare", "syscall_exit_to_user_mode", "do_syscall_64",
		"entry_SYSCALL_64_after_hwframe", NULL
	};
	static const char *const program[] = { "hrtimer_interrupt", "asm_sysvec_apic_timer_interrupt", NULL };

	put_frames(&facts.expiry, expiry);
	ok(!stack_is_of_program(&facts.expiry), "the kernel was interrupted");
	put_frames(&facts.arrival, arrival);
	sleep_and_wake_up(2, 11, 62000);
	is_said(62012,
		"62.012 ms late: 'sh' (nice 0) could not be preempted for 62.001 ms, in vprintk_store < vprintk_emit < _printk, "
		"until exit_to_user_mode_prepare; timer interrupt 0.005 ms; "
		"realfeel itself ran 0.004 ms; 'sh' (nice 0) ran 0.002 ms",
		"with stacks it says where in the kernel");

	went_to_sleep(-500, METER, 11);
	preempted(1, 11, 10);
	wake_up(300, 10, 0);
	put_frames(&facts.arrival, arrival + 4);
	is_said(310,
		"310.0 us late: interrupts were off for 299.0 us while 'dd' (nice 0) ran, in vprintk_store < vprintk_emit < _printk; "
		"timer interrupt 5.0 us; realfeel itself ran 4.0 us; 'sh' (nice 0) ran 1.0 us; 1 other 1.0 us",
		"of the task that was interrupted");

	put_frames(&facts.expiry, program);
	ok(stack_is_of_program(&facts.expiry), "a program was interrupted");
	facts.expiry.frames = facts.arrival.frames = 0;
	ok(!stack_is_of_program(&facts.expiry), "nothing is known of no stack");
}

/* Of a request it is told since when it waited; no interrupt is to come for it. */
static void test_asked(void)
{
	traced_asked = true;
	went_to_sleep(-500, METER, WAKER);
	waking(2);
	went_to_sleep(514, WAKER, METER);
	is_said(517,
		"517.0 us after the request: 'realfeel-waker' (rt 96) ran 514.0 us; realfeel itself ran 3.0 us",
		"a waker that does not go back to sleep");

	went_to_sleep(-500, METER, WAKER);
	waking(2);
	went_to_sleep(10, WAKER, 20);
	went_to_sleep(900, 20, METER);
	is_said_first(904, "904.0 us after the request: 'hog' (rt 97) ran 890.0 us", "another that goes first");

	waking(800);
	preempted(900, 20, METER);
	is_said_first(1000, "1.000 ms after the request: the records begin 0.800 ms after the request",
		      "records that begin late");
	traced_asked = false;
}

int main(void)
{
	test_tasks();
	test_interrupts();
	test_unknown();
	test_stacks();
	test_asked();
	return done();
}
