// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "traced.h"

struct trace_record traced[BLAME_SEGMENTS];
unsigned traced_count;
bool traced_asked;

struct trace_task task_of(int pid)
{
	static const struct trace_task tasks[] = {
		{ 0, 120, "swapper/0" }, { 10, 120, "dd" }, { 11, 120, "sh" }, { 20, 99 - 97, "hog" },
		{ 21, 99 - 50, "low" }, { 15, 99 - 1, "ktimers/0" }, { 14, 120, "ksoftirqd/0" },
		{ WAKER, 99 - 96, "realfeel-waker" }, { METER, 99 - 95, "realfeel" },
	};

	for (unsigned i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
		if (tasks[i].pid == pid)
			return tasks[i];
	return (struct trace_task){ pid, 120, "someone" };
}

void nothing_traced(void)
{
	memset(traced, 0, sizeof(traced));
	traced_count = 0;
}

struct trace_record *entry(double us, enum trace_kind kind, int number, const char *name)
{
	struct trace_record *record = &traced[traced_count++];

	*record = (struct trace_record){ .kind = kind, .at_ns = DUE_NS + llround(us * 1000), .number = number };
	if (kind != TRACE_IRQ_EXIT)
		snprintf(record->name, sizeof(record->name), "%s", name);
	return record;
}

void waking(double us)
{
	entry(us, TRACE_WAKING, 0, "")->next = task_of(METER);
}

void preempted(double us, int prev, int next)
{
	struct trace_record *record = entry(us, TRACE_SWITCH, 0, "");

	record->prev = task_of(prev);
	record->next = task_of(next);
}

void went_to_sleep(double us, int prev, int next)
{
	preempted(us, prev, next);
	traced[traced_count - 1].prev_state = 1;
}

void timer_interrupt(double from_us, double to_us)
{
	entry(from_us, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	entry(to_us, TRACE_VECTOR_EXIT, 236, "timer interrupt");
}

void lost(double us)
{
	entry(us, TRACE_LOST, 0, "")->lost = 3;
}

void wake_up(double us, int interrupted, double later_us)
{
	entry(us, TRACE_VECTOR_ENTRY, 236, "timer interrupt");
	entry(us + 1, TRACE_EXPIRE, 0, "");
	waking(us + 3);
	entry(us + 5, TRACE_VECTOR_EXIT, 236, "timer interrupt");
	preempted(us + 6 + later_us, interrupted, METER);
}

void sleep_and_wake_up(double us, int interrupted, double later_us)
{
	went_to_sleep(-500, METER, interrupted);
	wake_up(us, interrupted, later_us);
}

struct blame *blame_of(double stamp_us)
{
	const struct explain_context context = { .meter = METER, .asked = traced_asked };
	static struct blame blame;

	explain_blame(&blame, traced, traced_count, DUE_NS, DUE_NS + llround(stamp_us * 1000), &context);
	return &blame;
}
