/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which one task or interrupt had the CPU longest while a wake-up was late: a
 * plain sum over the kernel's records, which says nothing of why. Pure.
 */
#ifndef EXPLAIN_OCCUPANT_H
#define EXPLAIN_OCCUPANT_H

#include "trace/record.h"

struct occupant {
	int64_t ns;			/* from due to stamp, in all; 0: nobody is known */
	enum trace_kind kind;		/* IRQ_ENTRY, SOFTIRQ_ENTRY or VECTOR_ENTRY; SWITCH: a task */
	struct trace_task task;
	char name[32];			/* of the others */
	int number;			/* of an irq */
};

/*
 * The records are in the order of time. From one to the next the CPU was with
 * the interrupt or softirq that began last and has not ended, else with the
 * task that the next switch takes it from, at the stamp with the meter, if that
 * is the one which the last switch gave it to: a switch may be missing. Before
 * the first record, and up to one that tells of a loss, nobody is known.
 */
void occupant_find_longest(struct occupant *occupant, const struct trace_record *records, unsigned count,
			   uint64_t due_ns, uint64_t stamp_ns, int meter);

/* Is it an interrupt, a softirq, or a task that goes before one of this priority (of the kernel's), or beside it? */
bool occupant_goes_before(const struct occupant *occupant, int prio);

/* "'hog' (rt 97)", "the idle task", "interrupt 'eth0' (irq 9)", "softirq NET_RX", "timer interrupt". */
const char *occupant_name(const struct occupant *occupant, char *text, size_t size);

#endif
