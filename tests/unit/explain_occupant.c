// SPDX-License-Identifier: GPL-2.0-or-later
/* What had the CPU longest while a wake-up was late: a sum over the records. */
#include <stdio.h>
#include <string.h>

#include "explain/reason.c"
#include "tap.h"

#define DUE_NS UINT64_C(5000000000)
#define METER 99

static struct trace_record records[256];
static unsigned count;

static struct trace_record *record(int us, enum trace_kind kind, int number, const char *name)
{
	struct trace_record *record = &records[count++];

	*record = (struct trace_record){ .kind = kind, .at_ns = DUE_NS + us * 1000, .number = number };
	snprintf(record->name, sizeof(record->name), "%s", name);
	return record;
}

static struct trace_task task(int pid, int prio, const char *comm)
{
	struct trace_task task = { .pid = pid, .prio = prio };

	snprintf(task.comm, sizeof(task.comm), "%s", comm);
	return task;
}

static const struct trace_task idle = { 0, 120, "swapper/0" }, meter = { METER, 4, "realfeel" };
static const struct trace_task hog = { 20, 2, "hog" }, dd = { 10, 120, "dd" }, ktimers = { 15, 98, "ktimers/0" };

static void switched(int us, struct trace_task prev, struct trace_task next)
{
	struct trace_record *added = record(us, TRACE_SWITCH, 0, "");

	added->prev = prev;
	added->next = next;
}

static void timer_interrupt(int from_us, int to_us)
{
	record(from_us, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	record(to_us, TRACE_VECTOR_EXIT, 236, "timer interrupt");
}

/* Until then, of the wake-up that was stamped later, or then, too. */
static void find_until(int us, int stamp_us, struct occupant *longest, struct occupant *waker)
{
	const struct event event = { .stamp_ns = DUE_NS + stamp_us * 1000, .late_ns = stamp_us * 1000 };
	const struct lateness lateness = { &event, records, count, meter, false };

	find_occupants(&lateness, 0, us * 1000, longest, waker);
}

/* Forgets the records. */
static void is_longest(int stamp_us, const char *expected, int expected_us, const char *name)
{
	struct occupant occupant, waker;

	find_until(stamp_us, stamp_us, &occupant, &waker);
	is(occupant.ns, expected_us * 1000, "%s", name);
	if (expected) {
		char text[NAME_SIZE];

		is_text(occupant_name(&occupant, text), expected, "the longest occupant is named");
	}
	count = 0;
}

static void test_tasks(void)
{
	is_longest(100, NULL, 0, "nobody is known without records");
	switched(-400, meter, idle);
	timer_interrupt(1, 5);
	switched(7, idle, meter);
	is_longest(10, "timer interrupt", 4, "an interrupt is not counted as time of the task below it");
	switched(-400, meter, dd);
	switched(-10, dd, hog);
	timer_interrupt(1, 4);
	switched(500, hog, dd);
	switched(600, dd, hog);
	switched(1000, hog, meter);
	is_longest(1010, "'hog' (rt 97)", 897, "all stretches of one task are added, from due on");
	switched(-10, dd, meter);
	is_longest(300, "'realfeel' (rt 95)", 300, "the meter has it up to the stamp");
	switched(40, hog, meter);
	switched(150, meter, dd);
	is_longest(151, "'realfeel' (rt 95)", 110, "nobody is known before the first record");
	switched(-20, meter, idle);
	switched(50, idle, meter);
	is_longest(60, "the idle task", 50, "an idle CPU counts as the idle task");
	switched(-20, meter, task(7, -1, "late"));
	switched(55, task(7, -1, "late"), meter);
	is_longest(60, "'late' (deadline)", 55, "a deadline task is named with its policy");
	switched(-20, dd, hog);
	switched(100, hog, meter);
	switched(900, meter, dd);
	is_longest(250, "'realfeel' (rt 95)", 150, "nothing counts after the stamp");
}

static void test_names(void)
{
	switched(-20, meter, task(8, 2, "chrt"));
	switched(900, task(8, 2, "gx-burst"), meter);
	is_longest(910, "'gx-burst' (rt 97)", 900, "a task that executes another program has its last name");
	switched(-20, meter, task(8, 120, "same"));
	switched(50, task(8, 120, "same"), task(9, 120, "same"));
	switched(140, task(9, 120, "same"), meter);
	is_longest(145, "'same' (nice 0)", 140, "two tasks of one name and priority count as one");
	switched(-20, meter, task(8, 120, "same"));
	switched(50, task(8, 120, "same"), task(9, 119, "same"));
	switched(140, task(9, 119, "same"), meter);
	is_longest(145, "'same' (nice -1)", 90, "two tasks of one name and two priorities count as two");
	switched(-20, meter, hog);
	switched(140, task(20, 120, "hog"), meter);
	is_longest(145, "'hog' (rt 97)", 140, "a priority that was lent or given up counts for the whole stay");
}

static void test_interrupts(void)
{
	switched(-20, meter, dd);
	record(10, TRACE_IRQ_ENTRY, 9, "eth0");
	record(50, TRACE_IRQ_EXIT, 9, "");
	record(51, TRACE_SOFTIRQ_ENTRY, 3, "NET_RX");
	timer_interrupt(100, 110);
	record(400, TRACE_SOFTIRQ_EXIT, 3, "NET_RX");
	switched(401, dd, meter);
	is_longest(402, "softirq NET_RX", 339, "a softirq, without what interrupts it");
	switched(-20, meter, dd);
	for (int us = 0; us < 100; us += 10) {
		record(us + 1, TRACE_IRQ_ENTRY, 4, "ttyS0");
		record(us + 9, TRACE_IRQ_EXIT, 4, "");
	}
	switched(100, dd, meter);
	is_longest(101, "interrupt 'ttyS0' (irq 4)", 80, "many short interrupts add up");
	switched(-20, idle, ktimers);
	record(1, TRACE_SOFTIRQ_ENTRY, 1, "TIMER");
	switched(10, ktimers, hog);
	switched(30, hog, ktimers);
	record(70, TRACE_SOFTIRQ_EXIT, 1, "TIMER");
	switched(75, ktimers, meter);
	is_longest(76, "'ktimers/0' (rt 1)", 46, "a preempted softirq continues as its task");
	switched(-20, meter, dd);
	record(50, TRACE_IRQ_EXIT, 9, "");
	switched(60, dd, meter);
	is_longest(61, "'dd' (nice 0)", 60, "an interrupt's end without a beginning is ignored");
	switched(-20, meter, dd);
	for (int i = 0; i < 40; i++)
		record(i, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	is_longest(100, "timer interrupt", 100, "more interrupts begin than can be nested");
}

static void test_lost(void)
{
	switched(-20, meter, hog);
	record(50, TRACE_LOST, 0, "")->lost = 7;
	switched(600, dd, meter);
	is_longest(601, "'dd' (nice 0)", 550, "after lost records, the next switch tells what had the CPU");
	switched(-20, meter, hog);
	timer_interrupt(100, 400);
	switched(500, dd, meter);
	is_longest(501, "timer interrupt", 300, "no task is known between two switches if one is missing");
	switched(-20, meter, idle);
	timer_interrupt(100, 400);
	is_longest(501, "timer interrupt", 300, "no task is known if the switch to the meter is missing");
	switched(-20, meter, idle);
	timer_interrupt(100, 150);
	is_longest(501, NULL, 0, "nobody is named if it is unknown for longer what had the CPU");
	switched(-20, meter, hog);
	record(500, TRACE_LOST, 0, "")->lost = 7;
	is_longest(600, NULL, 0, "nobody is named if no switch follows lost records");
}

/* The first part of a wake-up: what had the CPU then is known by a switch that comes later. */
static void test_part(void)
{
	struct occupant occupant, waker;

	switched(-20, meter, dd);
	switched(600, dd, hog);
	switched(990, hog, meter);
	find_until(300, 1000, &occupant, &waker);
	is_text(occupant.task.comm, "dd", "the longest occupant until the timer expired is found");
	is(occupant.ns, 300000, "the longest occupant counts until the timer expired");
	count = 0;
}

static void is_waker(int stamp_us, const char *expected, int expected_us, const char *name)
{
	struct occupant longest, waker;

	find_until(stamp_us, stamp_us, &longest, &waker);
	is(waker.ns, expected_us * 1000, "%s", name);
	is_text(waker.task.comm, expected, "the waker is named");
	count = 0;
}

static void woken(int us)
{
	record(us, TRACE_WAKING, 0, "")->next = meter;
}

static void sleeps(int us, struct trace_task next)
{
	switched(us, meter, next);
	records[count - 1].prev_state = 1;
}

static void test_waker(void)
{
	sleeps(-50, dd);
	switched(10, dd, hog);
	switched(390, hog, dd);
	woken(400);
	switched(401, dd, meter);
	is_waker(450, "dd", 400, "the waker is the task that has the CPU at the waking, from due on");
	sleeps(-50, dd);
	timer_interrupt(399, 403);
	woken(405);
	switched(411, dd, meter);
	is_waker(450, "dd", 405, "the waker is found after an interrupt");
	sleeps(-50, dd);
	record(399, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	woken(400);
	is_waker(450, "", 0, "an interrupt is no waker");
	sleeps(-50, ktimers);
	woken(400);
	switched(401, ktimers, meter);
	is_waker(450, "", 0, "the thread that serves timers is no waker");
	switched(-50, hog, dd);
	woken(400);
	is_waker(450, "dd", 400, "a sleep may begin before the records do");
	switched(-50, hog, dd);
	record(300, TRACE_LOST, 0, "");
	switched(310, dd, hog);
	woken(400);
	is_waker(450, "", 0, "no waker is found if records are missing");
	switched(-50, meter, dd);
	woken(400);
	is_waker(450, "", 0, "no waker is found without a sleep");
}

static void test_order(void)
{
	struct occupant interrupt = { .ns = 1, .entry = &records[0] }, of = { .ns = 1 };

	ok(goes_before(&interrupt, 4), "an interrupt goes before everybody");
	of.task = hog;
	ok(goes_before(&of, 4), "a higher priority goes before the meter");
	of.task = meter;
	ok(goes_before(&of, 4), "an equal priority goes before the meter");
	of.task = ktimers;
	ok(!goes_before(&of, 4), "a lower priority does not go before the meter");
	of.task = idle;
	ok(!goes_before(&of, 120), "the idle task goes before nobody");
	of = (struct occupant){ .entry = &records[0] };
	ok(!goes_before(&of, 4), "an unknown occupant goes before nobody");
}

int main(void)
{
	test_tasks();
	test_names();
	test_interrupts();
	test_lost();
	test_part();
	test_waker();
	test_order();
	return done();
}
