// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/occupant.h"

#define DEPTH 16			/* of interrupts in a softirq in an interrupt ... */
#define NOBODY -1

/* Along the records. */
struct walk {
	struct occupant *occupants;
	unsigned count;
	uint64_t from_ns;		/* so far all is added up */
	struct trace_task task;		/* that has the CPU, by the last switch; its pid may be NOBODY: not known */
	int64_t stay_ns;		/* since then, but for interrupts */
	unsigned depth;
	const struct trace_record *open[DEPTH];
};

static bool are_one(const struct occupant *a, const struct occupant *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == TRACE_SWITCH ? a->task.pid == b->task.pid
				       : a->number == b->number && !strcmp(a->name, b->name);
}

static struct occupant *find(struct walk *walk, const struct occupant *as)
{
	unsigned i;

	for (i = 0; i < walk->count && !are_one(&walk->occupants[i], as); i++)
		;
	if (i == walk->count)
		walk->occupants[walk->count++] = *as;
	return &walk->occupants[i];
}

static void give_task(struct walk *walk, const struct trace_task *task, int64_t ns)
{
	struct occupant *occupant = find(walk, &(struct occupant){ .kind = TRACE_SWITCH, .task = *task });

	occupant->task = *task;
	occupant->ns += ns;
}

static void give_interrupt(struct walk *walk, const struct trace_record *entry, int64_t ns)
{
	struct occupant as = { .kind = entry->kind, .number = entry->number };

	memcpy(as.name, entry->name, sizeof(as.name));
	find(walk, &as)->ns += ns;
}

/* Up to then the CPU was with whom the records before left it. */
static void go_on_to(struct walk *walk, uint64_t to_ns)
{
	int64_t ns = to_ns > walk->from_ns ? to_ns - walk->from_ns : 0;

	if (walk->depth)
		give_interrupt(walk, walk->open[walk->depth - 1], ns);
	else
		walk->stay_ns += ns;
	walk->from_ns += ns;
}

/* This task is said to have had the CPU until now. If another had been given it, a switch is missing. */
static void end_stay(struct walk *walk, const struct trace_task *task)
{
	if (walk->task.pid == NOBODY || walk->task.pid == task->pid)
		give_task(walk, task, walk->stay_ns);
	walk->stay_ns = 0;
}

/* No task leaves the CPU within an interrupt; a softirq that is preempted is left to its task. */
static void take_switch(struct walk *walk, const struct trace_record *record)
{
	end_stay(walk, &record->prev);
	walk->task = record->next;
	walk->depth = 0;
}

static void take(struct walk *walk, const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_SWITCH:
		take_switch(walk, record);
		break;
	case TRACE_IRQ_ENTRY:
	case TRACE_SOFTIRQ_ENTRY:
	case TRACE_VECTOR_ENTRY:
		if (walk->depth < DEPTH)
			walk->open[walk->depth++] = record;
		break;
	case TRACE_IRQ_EXIT:
	case TRACE_SOFTIRQ_EXIT:
	case TRACE_VECTOR_EXIT:
		walk->depth -= walk->depth > 0;
		break;
	default:
		break;
	}
}

static void lose(struct walk *walk, uint64_t until_ns)
{
	if (until_ns > walk->from_ns)
		walk->from_ns = until_ns;
	walk->task.pid = NOBODY;
	walk->stay_ns = 0;
	walk->depth = 0;
}

/* In the end it is the meter that has the CPU. */
static void add_up(struct walk *walk, const struct trace_record *records, unsigned count, uint64_t stamp_ns, int meter)
{
	lose(walk, records->at_ns);
	for (unsigned i = 0; i < count && records[i].at_ns <= stamp_ns; i++) {
		if (records[i].kind == TRACE_LOST)
			lose(walk, records[i].at_ns);
		else
			go_on_to(walk, records[i].at_ns);
		take(walk, &records[i]);
	}
	go_on_to(walk, stamp_ns);
	if (walk->task.pid == meter)
		end_stay(walk, &walk->task);
}

void occupant_find_longest(struct occupant *occupant, const struct trace_record *records, unsigned count,
			   uint64_t due_ns, uint64_t stamp_ns, int meter)
{
	struct walk walk = { .from_ns = due_ns, .occupants = calloc(2 * count + 1, sizeof(*walk.occupants)) };

	if (walk.occupants && count)
		add_up(&walk, records, count, stamp_ns, meter);
	*occupant = (struct occupant){ .ns = 0 };
	for (unsigned i = 0; i < walk.count; i++)
		if (walk.occupants[i].ns > occupant->ns)
			*occupant = walk.occupants[i];
	free(walk.occupants);
}

bool occupant_goes_before(const struct occupant *occupant, int prio)
{
	return occupant->ns && (occupant->kind != TRACE_SWITCH || (occupant->task.pid && occupant->task.prio <= prio));
}

static void put_task(const struct trace_task *task, char *text, size_t size)
{
	char priority[TRACE_PRIORITY], *colon;

	trace_priority(task, priority);
	colon = strchr(priority, ':');
	if (colon)
		*colon = ' ';
	snprintf(text, size, "'%s' (%s)", task->comm, priority);
}

const char *occupant_name(const struct occupant *occupant, char *text, size_t size)
{
	if (occupant->kind == TRACE_SOFTIRQ_ENTRY)
		snprintf(text, size, "softirq %s", occupant->name);
	else if (occupant->kind == TRACE_IRQ_ENTRY)
		snprintf(text, size, "interrupt '%s' (irq %d)", occupant->name, occupant->number);
	else if (occupant->kind == TRACE_VECTOR_ENTRY)
		snprintf(text, size, "%s", occupant->name);
	else if (!occupant->task.pid)
		snprintf(text, size, "the idle task");
	else
		put_task(&occupant->task, text, size);
	return text;
}
