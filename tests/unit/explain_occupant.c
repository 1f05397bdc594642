// SPDX-License-Identifier: GPL-2.0-or-later
/* Who had the CPU longest while a wake-up was late: a sum over the records. */
#include <stdio.h>
#include <string.h>

#include "explain/occupant.h"
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

/* Of the wake-up that was stamped then. */
static struct stretch stretch_to(int us, int stamp_us)
{
	return (struct stretch){ records, count, DUE_NS, DUE_NS + us * 1000, DUE_NS + stamp_us * 1000, METER };
}

/* Forgets the records. */
static void is_longest(int stamp_us, const char *expected, int expected_us, const char *name)
{
	const struct stretch stretch = stretch_to(stamp_us, stamp_us);
	struct occupant occupant;

	occupant_find_longest(&occupant, &stretch);
	is(occupant.ns, expected_us * 1000, "%s", name);
	if (expected) {
		char text[64];

		is_text(occupant_name(&occupant, text, sizeof(text)), expected, "that was it");
	}
	count = 0;
}

static void test_tasks(void)
{
	is_longest(100, NULL, 0, "without records nobody is known");
	switched(-400, meter, idle);
	timer_interrupt(1, 5);
	switched(7, idle, meter);
	is_longest(10, "timer interrupt", 4, "an interrupt is no time of whom it interrupts");
	switched(-400, meter, dd);
	switched(-10, dd, hog);
	timer_interrupt(1, 4);
	switched(500, hog, dd);
	switched(600, dd, hog);
	switched(1000, hog, meter);
	is_longest(1010, "'hog' (rt 97)", 897, "all its stretches together, from due on");
	switched(-10, dd, meter);
	is_longest(300, "'realfeel' (rt 95)", 300, "the meter has it up to the stamp");
	switched(40, hog, meter);
	switched(150, meter, dd);
	is_longest(151, "'realfeel' (rt 95)", 110, "before the first record nobody is known");
	switched(-20, meter, idle);
	switched(50, idle, meter);
	is_longest(60, "the idle task", 50, "an idle CPU is one, too");
	switched(-20, meter, task(7, -1, "late"));
	switched(55, task(7, -1, "late"), meter);
	is_longest(60, "'late' (deadline)", 55, "a deadline");
	switched(-20, dd, hog);
	switched(100, hog, meter);
	switched(900, meter, dd);
	is_longest(250, "'realfeel' (rt 95)", 150, "what comes after the stamp does not count");
}

static void test_names(void)
{
	switched(-20, meter, task(8, 2, "chrt"));
	switched(900, task(8, 2, "gx-burst"), meter);
	is_longest(910, "'gx-burst' (rt 97)", 900, "who becomes another program has the name that it had last");
	switched(-20, meter, task(8, 120, "same"));
	switched(50, task(8, 120, "same"), task(9, 120, "same"));
	switched(140, task(9, 120, "same"), meter);
	is_longest(145, "'same' (nice 0)", 140, "two of one name are one");
	switched(-20, meter, task(8, 120, "same"));
	switched(50, task(8, 120, "same"), task(9, 119, "same"));
	switched(140, task(9, 119, "same"), meter);
	is_longest(145, "'same' (nice -1)", 90, "but not of two priorities");
	switched(-20, meter, hog);
	switched(140, task(20, 120, "hog"), meter);
	is_longest(145, "'hog' (rt 97)", 140, "a priority that was lent or given up counts for all of the stay");
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
	is_longest(101, "interrupt 'ttyS0' (irq 4)", 80, "many short ones");
	switched(-20, idle, ktimers);
	record(1, TRACE_SOFTIRQ_ENTRY, 1, "TIMER");
	switched(10, ktimers, hog);
	switched(30, hog, ktimers);
	record(70, TRACE_SOFTIRQ_EXIT, 1, "TIMER");
	switched(75, ktimers, meter);
	is_longest(76, "'ktimers/0' (rt 1)", 46, "a softirq that was preempted goes on as its task");
	switched(-20, meter, dd);
	record(50, TRACE_IRQ_EXIT, 9, "");
	switched(60, dd, meter);
	is_longest(61, "'dd' (nice 0)", 60, "an end without a beginning");
	switched(-20, meter, dd);
	for (int i = 0; i < 40; i++)
		record(i, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	is_longest(100, "timer interrupt", 100, "more beginnings than there can be");
}

static void test_lost(void)
{
	switched(-20, meter, hog);
	record(50, TRACE_LOST, 0, "")->lost = 7;
	switched(600, dd, meter);
	is_longest(601, "'dd' (nice 0)", 550, "up to a loss nobody is known, and from it the next switch tells");
	switched(-20, meter, hog);
	timer_interrupt(100, 400);
	switched(500, dd, meter);
	is_longest(501, "timer interrupt", 300, "between two switches of which one is missing no task is known");
	switched(-20, meter, idle);
	timer_interrupt(100, 400);
	is_longest(501, "timer interrupt", 300, "nor is it when the one to the meter is missing");
	switched(-20, meter, idle);
	timer_interrupt(100, 150);
	is_longest(501, NULL, 0, "nobody is, where nobody is known for longer");
	switched(-20, meter, hog);
	record(500, TRACE_LOST, 0, "")->lost = 7;
	is_longest(600, NULL, 0, "unless none comes");
}

/* The first part of a wake-up: who had the CPU then is known by a switch that comes later. */
static void test_part(void)
{
	const struct stretch part = stretch_to(300, 1000);
	struct occupant occupant;

	switched(-20, meter, dd);
	switched(600, dd, hog);
	switched(990, hog, meter);
	occupant_find_longest(&occupant, &(struct stretch){ records, count, part.from_ns, part.to_ns, part.stamp_ns, METER });
	is_text(occupant.task.comm, "dd", "the longest until the timer expired");
	is(occupant.ns, 300000, "and no longer");
	count = 0;
}

static void is_waker(int stamp_us, const char *expected, int expected_us, const char *name)
{
	const struct stretch stretch = stretch_to(stamp_us, stamp_us);
	struct occupant waker;

	occupant_find_waker(&waker, &stretch);
	is(waker.ns, expected_us * 1000, "%s", name);
	is_text(waker.task.comm, expected, "the waker");
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
	is_waker(450, "dd", 400, "the task that has the CPU when the thread is woken, from due on");
	sleeps(-50, dd);
	timer_interrupt(399, 403);
	woken(405);
	switched(411, dd, meter);
	is_waker(450, "dd", 405, "after an interrupt, too");
	sleeps(-50, dd);
	record(399, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	woken(400);
	is_waker(450, "", 0, "an interrupt is none");
	sleeps(-50, ktimers);
	woken(400);
	switched(401, ktimers, meter);
	is_waker(450, "", 0, "nor is the thread that serves timers");
	switched(-50, hog, dd);
	woken(400);
	is_waker(450, "dd", 400, "a sleep that began before the records do is one");
	switched(-50, hog, dd);
	record(300, TRACE_LOST, 0, "");
	switched(310, dd, hog);
	woken(400);
	is_waker(450, "", 0, "but not if some are missing");
	switched(-50, meter, dd);
	woken(400);
	is_waker(450, "", 0, "nor does anything end a sleep where there is none");
}

static void test_order(void)
{
	struct occupant interrupt = { .ns = 1, .kind = TRACE_IRQ_ENTRY }, of = { .ns = 1, .kind = TRACE_SWITCH };

	ok(occupant_goes_before(&interrupt, 4), "an interrupt goes before everybody");
	of.task = hog;
	ok(occupant_goes_before(&of, 4), "so does a higher priority");
	of.task = meter;
	ok(occupant_goes_before(&of, 4), "and an equal one");
	of.task = ktimers;
	ok(!occupant_goes_before(&of, 4), "a lower one does not");
	of.task = idle;
	ok(!occupant_goes_before(&of, 120), "nor the idle task, before anybody");
	of = (struct occupant){ .ns = 0, .kind = TRACE_IRQ_ENTRY };
	ok(!occupant_goes_before(&of, 4), "nor who is not known");
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
