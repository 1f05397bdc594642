// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/occupant.h"
#include "measure/hist.h"

#define DEPTH 16			/* of interrupts and softirqs in each other */
#define NOBODY -1

/* A walk along the records. */
struct walk {
	struct occupant *occupants;
	unsigned count;
	uint64_t from_ns, to_ns;	/* the time in between is not accounted for yet */
	int meter;
	struct trace_task task;		/* has the CPU since the last switch; pid NOBODY: unknown */
	uint64_t asleep_ns;		/* since then the meter has slept; 0: it does not */
	struct occupant waker;		/* from the longest sleep that a task ended */
	int64_t stay_ns;		/* how long the task has had it, without interrupts */
	unsigned depth;
	const struct trace_record *open[DEPTH];	/* entries of interrupts that have not ended, the outermost first */
};

/* Neither the idle task nor the meter counts as one with others. */
static bool are_one_task(const struct trace_task *a, const struct trace_task *b, int meter)
{
	bool apart = !a->pid || !b->pid || a->pid == meter || b->pid == meter;

	return a->pid == b->pid || (!apart && a->prio == b->prio && !strcmp(a->comm, b->comm));
}

static bool are_one(const struct occupant *a, const struct occupant *b, int meter)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == TRACE_SWITCH ? are_one_task(&a->task, &b->task, meter)
				       : a->number == b->number && !strcmp(a->name, b->name);
}

/* A task gets the name that it had last. */
static void attribute(struct walk *walk, const struct occupant *to, int64_t ns)
{
	unsigned i = 0;

	while (i < walk->count && !are_one(&walk->occupants[i], to, walk->meter))
		i++;
	if (i == walk->count)
		walk->occupants[walk->count++] = *to;
	walk->occupants[i].task = to->task;
	walk->occupants[i].ns += ns;
}

static void attribute_to_interrupt(struct walk *walk, const struct trace_record *entry, int64_t ns)
{
	struct occupant to = { .kind = entry->kind, .number = entry->number };

	memcpy(to.name, entry->name, sizeof(to.name));
	attribute(walk, &to, ns);
}

/* Until to_ns the innermost interrupt had the CPU or, without one, the task. */
static void advance(struct walk *walk, uint64_t at_ns)
{
	uint64_t to_ns = lesser(at_ns, walk->to_ns);
	int64_t ns = to_ns > walk->from_ns ? to_ns - walk->from_ns : 0;

	if (walk->depth)
		attribute_to_interrupt(walk, walk->open[walk->depth - 1], ns);
	else
		walk->stay_ns += ns;
	walk->from_ns += ns;
}

/*
 * The next switch says that this task had the CPU. If the last one gave it to another
 * task, a switch is missing. A priority that was lent or given up counts for all of it.
 */
static void end_stay(struct walk *walk, const struct trace_task *task)
{
	struct occupant had = { .kind = TRACE_SWITCH, .task = *task };

	if (walk->task.pid == task->pid)
		had.task.prio = lesser(task->prio, walk->task.prio);
	if (walk->task.pid == NOBODY || walk->task.pid == task->pid)
		attribute(walk, &had, walk->stay_ns);
	walk->stay_ns = 0;
}

static bool serves_timers(const struct trace_task *task)
{
	return !strncmp(task->comm, "ktimers/", 8) || !strncmp(task->comm, "ksoftirqd/", 10);
}

/* The task that has the CPU ends a sleep of the meter, of which the walk has seen so much. */
static void end_sleep(struct walk *walk)
{
	int64_t ns = walk->from_ns - walk->asleep_ns;

	if (walk->asleep_ns && !walk->depth && walk->task.pid > 0 && !serves_timers(&walk->task) && ns > walk->waker.ns)
		walk->waker = (struct occupant){ .kind = TRACE_SWITCH, .task = walk->task, .ns = ns };
	walk->asleep_ns = 0;
}

/* No task leaves the CPU within an interrupt, so a switch ends all. A preempted softirq counts as its task. */
static void take(struct walk *walk, const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_SWITCH:
		end_stay(walk, &record->prev);
		walk->task = record->next;
		walk->depth = 0;
		if (record->prev.pid == walk->meter)
			walk->asleep_ns = record->prev_state ? walk->from_ns : 0;
		break;
	case TRACE_WAKING:
		if (record->next.pid == walk->meter)
			end_sleep(walk);
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

/* Records before to_ns are missing. */
static void skip(struct walk *walk, uint64_t to_ns)
{
	if (to_ns > walk->from_ns)
		walk->from_ns = to_ns;
	walk->task.pid = NOBODY;
	walk->stay_ns = 0;
	walk->asleep_ns = 0;
	walk->depth = 0;
}

/* The meter has the CPU at the stamp, so its stay ends there. */
static void add_up(struct walk *walk, const struct stretch *stretch)
{
	const struct trace_record *records = stretch->records;

	skip(walk, records->at_ns);
	walk->asleep_ns = walk->from_ns;	/* if it is woken before it is seen */
	for (unsigned i = 0; i < stretch->count && records[i].at_ns <= stretch->stamp_ns; i++) {
		if (records[i].kind == TRACE_LOST)
			skip(walk, records[i].at_ns);
		else
			advance(walk, records[i].at_ns);
		take(walk, &records[i]);
	}
	advance(walk, stretch->stamp_ns);
	if (walk->task.pid == stretch->meter)
		end_stay(walk, &walk->task);
}

/* The caller frees the occupants. */
static struct walk walk_along(const struct stretch *stretch)
{
	struct walk walk = {
		.from_ns = stretch->from_ns, .to_ns = stretch->to_ns, .meter = stretch->meter,
		.occupants = calloc(2 * stretch->count + 1, sizeof(*walk.occupants)),
	};

	if (walk.occupants && stretch->count)
		add_up(&walk, stretch);
	return walk;
}

void occupant_find_longest(struct occupant *occupant, const struct stretch *stretch)
{
	struct walk walk = walk_along(stretch);
	int64_t unknown_ns = stretch->to_ns - stretch->from_ns;

	*occupant = (struct occupant){ .ns = 0 };
	for (unsigned i = 0; i < walk.count; i++) {
		unknown_ns -= walk.occupants[i].ns;
		if (walk.occupants[i].ns > occupant->ns)
			*occupant = walk.occupants[i];
	}
	if (occupant->ns < unknown_ns)
		occupant->ns = 0;
	free(walk.occupants);
}

void occupant_find_waker(struct occupant *waker, const struct stretch *stretch)
{
	struct walk walk = walk_along(stretch);

	*waker = walk.waker;
	free(walk.occupants);
}

bool occupant_goes_before(const struct occupant *occupant, int prio)
{
	return occupant->ns && (occupant->kind != TRACE_SWITCH || (occupant->task.pid && occupant->task.prio <= prio));
}

static void task_name(const struct trace_task *task, char *text, size_t size)
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
		task_name(&occupant->task, text, size);
	return text;
}
