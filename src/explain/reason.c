// SPDX-License-Identifier: GPL-2.0-or-later
/* What had the CPU while a wake-up was late, and what the terminal says about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/tap.h"

#define NAME_SIZE 64
#define TIME_SIZE 32
#define DEPTH 16			/* of interrupts and softirqs in each other */
#define NOBODY -1

/* A task or interrupt that had the CPU. */
struct occupant {
	int64_t ns;			/* for how long; 0: unknown */
	const struct trace_record *entry;	/* of an interrupt or softirq; NULL: a task */
	struct trace_task task;
};

/*
 * A walk along the records. Between two of them the innermost interrupt or softirq that has not ended has the CPU;
 * without one, the task that the next switch takes it from. Before the first record it is unknown; after the last
 * switch the meter has it, if that switch gave it the CPU.
 */
struct walk {
	struct occupant *occupants;
	unsigned count;
	uint64_t from_ns, to_ns;	/* the time in between is not accounted for yet */
	int meter;
	struct trace_task task;		/* has the CPU since the last switch; pid NOBODY: unknown */
	uint64_t asleep_ns;		/* since then the meter has slept; 0: it does not */
	bool arrived;			/* the last switch came after the wake-up was due */
	struct occupant waker;		/* from the longest sleep that a task ended */
	int64_t stay_ns;		/* how long the task has had it, without interrupts */
	unsigned depth;
	const struct trace_record *open[DEPTH];	/* entries of interrupts that have not ended, the outermost first */
};

/* Tasks of one name and priority count as one, but neither the idle task nor the meter with others. */
static bool are_one(const struct occupant *a, const struct occupant *b, int meter)
{
	const struct trace_task *one = &a->task, *other = &b->task;
	bool apart = !one->pid || !other->pid || one->pid == meter || other->pid == meter;

	if (a->entry && b->entry)
		return a->entry->kind == b->entry->kind && a->entry->number == b->entry->number &&
		       !strcmp(a->entry->name, b->entry->name);
	if (a->entry || b->entry)
		return false;
	return one->pid == other->pid || (!apart && one->prio == other->prio && !strcmp(one->comm, other->comm));
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

/* Until to_ns the innermost interrupt had the CPU or, without one, the task. */
static void advance(struct walk *walk, uint64_t at_ns)
{
	uint64_t to_ns = lesser(at_ns, walk->to_ns);
	int64_t ns = to_ns > walk->from_ns ? to_ns - walk->from_ns : 0;

	if (walk->depth)
		attribute(walk, &(struct occupant){ .entry = walk->open[walk->depth - 1] }, ns);
	else
		walk->stay_ns += ns;
	walk->from_ns += ns;
}

/* If the last switch gave the CPU to another task, one is missing. A priority lent or given up counts for all of it. */
static void end_stay(struct walk *walk, const struct trace_task *task)
{
	struct occupant had = { .task = *task };

	if (walk->task.pid == task->pid)
		had.task.prio = lesser(task->prio, walk->task.prio);
	if (walk->task.pid == NOBODY || walk->task.pid == task->pid)
		attribute(walk, &had, walk->stay_ns);
	walk->stay_ns = 0;
}

/* The task that has the CPU ends a sleep of the meter. Neither a thread that serves timers nor an interrupt is one. */
static void end_sleep(struct walk *walk)
{
	const struct trace_task *task = &walk->task;
	bool serves_timers = !strncmp(task->comm, "ktimers/", 8) || !strncmp(task->comm, "ksoftirqd/", 10);
	int64_t ns = walk->from_ns - walk->asleep_ns;

	if (walk->asleep_ns && !walk->depth && task->pid > 0 && !serves_timers && ns > walk->waker.ns)
		walk->waker = (struct occupant){ .task = *task, .ns = ns };
	walk->asleep_ns = 0;
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

/* No task leaves the CPU within an interrupt, so a switch ends all. A preempted softirq counts as its task. */
static void take(struct walk *walk, const struct trace_record *record)
{
	if (record->kind == TRACE_LOST)
		skip(walk, record->at_ns);
	else
		advance(walk, record->at_ns);
	switch (record->kind) {
	case TRACE_SWITCH:
		end_stay(walk, &record->prev);
		walk->task = record->next;
		walk->depth = 0;
		walk->arrived = record->at_ns >= walk->from_ns;
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

/* The meter is asleep before the first record, if it is woken before it is seen; and it has the CPU at the stamp. */
static void walk_along(struct walk *walk, const struct lateness *lateness)
{
	const struct trace_record *record = lateness->records, *end = record + lateness->count;
	uint64_t stamp_ns = lateness->event->stamp_ns;

	skip(walk, record->at_ns);
	walk->asleep_ns = walk->from_ns;
	for (; record < end && record->at_ns <= stamp_ns; record++)
		take(walk, record);
	advance(walk, stamp_ns);
	/* A thread that is not woken at work is stamped when it is switched to: the time since is not its work. */
	if (walk->task.pid == walk->meter && (!lateness->observed || walk->depth || !walk->arrived))
		end_stay(walk, &walk->task);
}

/*
 * Between these times since the wake-up was due, find what had the CPU longest, and the task that ended the meter's
 * longest sleep. The longest stay is unknown if more time than that is not accounted for.
 */
static void find_occupants(const struct lateness *lateness, int64_t from_ns, int64_t to_ns, struct occupant *longest,
			   struct occupant *waker)
{
	uint64_t due_ns = lateness->event->stamp_ns - lateness->event->late_ns;
	struct walk walk = {
		.from_ns = due_ns + from_ns, .to_ns = due_ns + to_ns, .meter = lateness->task.pid,
		.occupants = calloc(2 * lateness->count + 1, sizeof(*walk.occupants)),
	};
	int64_t unknown_ns = to_ns - from_ns;

	*longest = (struct occupant){ .ns = 0 };
	if (walk.occupants && lateness->count)
		walk_along(&walk, lateness);
	for (unsigned i = 0; i < walk.count; i++) {
		unknown_ns -= walk.occupants[i].ns;
		if (walk.occupants[i].ns > longest->ns)
			*longest = walk.occupants[i];
	}
	if (longest->ns < unknown_ns)
		longest->ns = 0;
	*waker = walk.waker;
	free(walk.occupants);
}

/* Is it an interrupt, a softirq, or a task of at least this priority (the kernel's number)? */
static bool goes_before(const struct occupant *occupant, int prio)
{
	return occupant->ns && (occupant->entry || (occupant->task.pid && occupant->task.prio <= prio));
}

/* "'hog' (rt 97)", "the idle task", "interrupt 'eth0' (irq 9)", "softirq NET_RX", "timer interrupt". Returns text. */
static const char *occupant_name(const struct occupant *occupant, char text[NAME_SIZE])
{
	const struct trace_record *entry = occupant->entry;
	char priority[TRACE_PRIORITY], *colon;

	if (entry && entry->kind == TRACE_IRQ_ENTRY) {
		snprintf(text, NAME_SIZE, "interrupt '%s' (irq %d)", entry->name, entry->number);
	} else if (entry) {
		snprintf(text, NAME_SIZE, "%s%s", entry->kind == TRACE_SOFTIRQ_ENTRY ? "softirq " : "", entry->name);
	} else if (!occupant->task.pid) {
		snprintf(text, NAME_SIZE, "the idle task");
	} else {
		trace_priority(&occupant->task, priority);
		colon = strchr(priority, ':');
		if (colon)
			*colon = ' ';
		snprintf(text, NAME_SIZE, "'%s' (%s)", occupant->task.comm, priority);
	}
	return text;
}

/* How late its timer was, in ns; 0 where that is not known. */
static int64_t expiry_of(const struct event *event)
{
	return event->parts.stamp_ns == event->stamp_ns ? event->parts.ns[PART_EXPIRY] : 0;
}

/* All times in one unit, so that they compare. */
static const char *time_in(const struct lateness *lateness, int64_t ns, char text[TIME_SIZE])
{
	bool long_enough = lateness->event->late_ns >= 1000000;

	snprintf(text, TIME_SIZE, long_enough ? "%.3f ms" : "%.1f us", ns / (long_enough ? 1e6 : 1e3));
	return text;
}

/* Did it explain the greater part of the lateness? */
static bool is_most(const struct lateness *lateness, int64_t ns)
{
	return ns > lateness->event->late_ns / 2;
}

/* A thread's own work is a reason; ours is one only after a long stall, which is counted period by period. */
const char *reason_of(const struct lateness *lateness, char text[REASON_SIZE])
{
	const struct event *event = lateness->event;
	int64_t expiry_ns = expiry_of(event);
	bool timer_late = is_most(lateness, expiry_ns), by_task, of_own;
	char name[NAME_SIZE], lapse[TIME_SIZE];
	struct occupant longest, waker;

	*text = '\0';
	if (!lateness->count)
		return text;
	find_occupants(lateness, 0, timer_late ? expiry_ns : event->late_ns, &longest, &waker);
	by_task = longest.ns && !longest.entry;
	of_own = by_task && longest.task.pid == lateness->task.pid;
	if (lateness->observed && is_most(lateness, waker.ns))
		snprintf(text, REASON_SIZE, "'%s' waited %s to be woken by %s", lateness->task.comm,
			 time_in(lateness, waker.ns, lapse), occupant_name(&waker, name));
	else if (of_own && lateness->observed)
		snprintf(text, REASON_SIZE, "'%s' itself ran for %s: its own work overran the period",
			 lateness->task.comm, time_in(lateness, longest.ns, lapse));
	else if (of_own && is_most(lateness, event->counting_ns))
		snprintf(text, REASON_SIZE, "realfeel itself was still at work for %s",
			 time_in(lateness, event->counting_ns, lapse));
	else if (of_own)
		;			/* it takes no time */
	else if (timer_late && !longest.ns)
		snprintf(text, REASON_SIZE, "its timer came %s late", time_in(lateness, expiry_ns, lapse));
	else if (timer_late && by_task && !longest.task.pid)
		snprintf(text, REASON_SIZE, "its timer came %s late, while the CPU was idle",
			 time_in(lateness, expiry_ns, lapse));
	else if (timer_late)
		snprintf(text, REASON_SIZE, "its timer came %s late, while %s ran", time_in(lateness, expiry_ns, lapse),
			 occupant_name(&longest, name));
	else if (longest.ns)
		snprintf(text, REASON_SIZE, "%s had the CPU for %s", occupant_name(&longest, name),
			 time_in(lateness, longest.ns, lapse));
	return text;
}

int64_t reason_not_throttled_ns(const struct lateness *lateness, int prio, bool in_thread)
{
	int64_t expiry_ns = in_thread ? 0 : expiry_of(lateness->event);
	struct occupant longest, waker;

	find_occupants(lateness, expiry_ns, lateness->event->late_ns, &longest, &waker);
	return expiry_ns + (goes_before(&longest, prio) ? longest.ns : 0);
}
