/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one task or interrupt that had the CPU longest while a wake-up was late:
 * a sum over the kernel's records, which does not say why; and the task that
 * woke it late. Pure.
 */
#ifndef EXPLAIN_OCCUPANT_H
#define EXPLAIN_OCCUPANT_H

#include "trace/record.h"

struct occupant {
	int64_t ns;			/* how long it had the CPU, from due to stamp; 0: who did is unknown */
	enum trace_kind kind;		/* IRQ_ENTRY, SOFTIRQ_ENTRY or VECTOR_ENTRY; SWITCH: a task */
	struct trace_task task;
	char name[32];			/* of an interrupt or softirq, as in struct trace_record */
	int number;			/* of an IRQ or softirq */
};

/* A stretch of time, and the records of a wake-up in the order of time. */
struct stretch {
	const struct trace_record *records;
	unsigned count;
	uint64_t from_ns, to_ns;
	uint64_t stamp_ns;		/* of the wake-up, when the meter has the CPU: to_ns, or later */
	int meter;
};

/*
 * Find who had the CPU longest in the stretch. Tasks of one name and priority
 * count as one, but never with the meter. Between two records the innermost
 * interrupt or softirq that has not ended has the CPU; without one, the task that
 * the next switch takes it from. After the last switch the meter has it, if that
 * switch gave it the CPU. A stay is not counted if the switch before it names
 * another task, because a switch is missing then; nor is one that a TRACE_LOST
 * cuts. Before the first record nobody is known. Who had it for less than nobody is
 * known to have had it need not be the longest.
 */
void occupant_find_longest(struct occupant *occupant, const struct stretch *stretch);

/*
 * Find the task for which a thread slept longest in the stretch, until that woke it;
 * ns 0: none is seen. A thread that serves timers is none, nor is an interrupt.
 */
void occupant_find_waker(struct occupant *waker, const struct stretch *stretch);

/* Returns whether it is an interrupt, a softirq, or a task of at least this priority (the kernel's number). */
bool occupant_goes_before(const struct occupant *occupant, int prio);

/*
 * "'hog' (rt 97)", or what is known of that ("'hog'", "task 123"), "the idle task",
 * "interrupt 'eth0' (irq 9)", "softirq NET_RX", "timer interrupt". Returns text.
 */
const char *occupant_name(const struct occupant *occupant, char *text, size_t size);

#endif
