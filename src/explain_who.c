// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "explain_wait.h"
#include "explain_who.h"

#define CONTEXTS 16

/* An interrupt, or a softirq, which on PREEMPT_RT goes with its task. */
struct context {
	const struct trace_record *entry;
	int pid;			/* of the task that has the softirq */
	unsigned first;			/* its first segment */
};

/* Along the records. */
struct walk {
	struct blame *blame;
	int64_t at_ns;			/* since due: so far */
	struct trace_task task;		/* that has the CPU */
	unsigned stretch, stay;		/* the first segment since no record is missing; since the last switch */
	bool lost;			/* records are, before the next one */
	struct wait wait;
	unsigned open;
	struct context context[CONTEXTS];
};

static bool is_interrupt(const struct context *context)
{
	return context->entry->kind != TRACE_SOFTIRQ_ENTRY;
}

static bool is_visible(const struct walk *walk, const struct context *context)
{
	return is_interrupt(context) || context->pid == walk->task.pid;
}

/* The innermost; NULL: the task itself runs. */
static struct context *innermost(struct walk *walk)
{
	for (unsigned i = walk->open; i--;)
		if (is_visible(walk, &walk->context[i]))
			return &walk->context[i];
	return NULL;
}

static void label(struct segment *segment, const struct trace_record *record)
{
	bool softirq = record->kind == TRACE_SOFTIRQ_ENTRY || record->kind == TRACE_SOFTIRQ_EXIT;
	bool numbered = record->kind == TRACE_IRQ_ENTRY || record->kind == TRACE_IRQ_EXIT;

	segment->kind = softirq ? BLAME_SOFTIRQ : BLAME_INTERRUPT;
	segment->number = numbered ? record->number : -1;
	memcpy(segment->name, record->name, sizeof(segment->name));
	if (numbered && !*segment->name)	/* the end of a handler does not tell its name */
		snprintf(segment->name, sizeof(segment->name), "irq %d", record->number);
}

/* From the last record to this time. There is room for one more than there are records. */
static void go_on_to(struct walk *walk, uint64_t at_ns)
{
	const struct context *context = innermost(walk);
	struct segment *segment = &walk->blame->segment[walk->blame->count++];
	int64_t to_ns = (int64_t)at_ns - walk->blame->due_ns;

	*segment = (struct segment){
		.from_ns = walk->at_ns, .to_ns = to_ns > walk->at_ns ? to_ns : walk->at_ns,
		.phase = walk->wait.phase, .number = -1, .task = walk->task,
	};
	if (context)
		label(segment, context->entry);
	if (walk->at_ns == INT64_MIN)
		segment->kind = BLAME_RING_ENDS;
	else if (walk->lost)
		segment->kind = BLAME_LOST;
	wait_note_segment(&walk->wait, segment);
	walk->at_ns = segment->to_ns;
}

/* From here on no record is missing. */
static void begin_stretch(struct walk *walk)
{
	walk->stretch = walk->stay = walk->blame->count;
	walk->open = 0;
}

/* A record is missing since this segment: who seemed to have its time may not have had it. */
static void lose(struct walk *walk, unsigned from)
{
	for (unsigned i = from; i < walk->blame->count; i++)
		walk->blame->segment[i].kind = BLAME_LOST;
	begin_stretch(walk);
}

/* The first switch tells who had the CPU before. */
static void resolve(struct walk *walk, const struct trace_task *task)
{
	for (unsigned i = walk->stretch; i < walk->blame->count; i++)
		walk->blame->segment[i].task = *task;
	for (unsigned i = 0; i < walk->open; i++)
		if (walk->context[i].pid == BLAME_NOBODY)
			walk->context[i].pid = task->pid;
	walk->task = *task;
}

/* What was lent or given back in the middle counts for all of the stay. */
static void raise_priority(struct walk *walk, int prio)
{
	for (unsigned i = walk->stay; i < walk->blame->count; i++)
		if (walk->blame->segment[i].task.prio > prio)
			walk->blame->segment[i].task.prio = prio;
}

/* This task is said to have had the CPU until now. No task leaves it within an interrupt. */
static void confirm(struct walk *walk, const struct trace_task *task)
{
	const struct context *context;

	if (walk->task.pid == BLAME_NOBODY)
		resolve(walk, task);
	context = innermost(walk);
	if (walk->task.pid != task->pid)
		lose(walk, walk->stay);
	else if (context && is_interrupt(context))
		lose(walk, context->first);
	else
		raise_priority(walk, task->prio);
}

static void take_switch(struct walk *walk, const struct trace_record *record)
{
	confirm(walk, &record->prev);
	wait_note_switch(&walk->wait, record, walk->at_ns);
	walk->task = record->next;
	walk->stay = walk->blame->count;
}

static void take_waking(struct walk *walk, const struct trace_record *record)
{
	const struct context *context = innermost(walk);

	if (record->next.pid == walk->blame->meter.pid)
		wait_note_waking(&walk->wait, record, context && is_interrupt(context));
}

static void take_entry(struct walk *walk, const struct trace_record *record)
{
	if (walk->open == CONTEXTS)
		memmove(walk->context, walk->context + 1, --walk->open * sizeof(*walk->context));
	walk->context[walk->open++] = (struct context){ record, walk->task.pid, walk->blame->count };
	if (record->kind != TRACE_SOFTIRQ_ENTRY)
		wait_note_interrupt(&walk->wait, record, walk->at_ns);
}

static bool is_exit_of(const struct trace_record *exit, const struct trace_record *entry)
{
	return exit->kind == entry->kind + 1 && exit->number == entry->number &&
	       (exit->kind != TRACE_VECTOR_EXIT || !strcmp(exit->name, entry->name));
}

/* Could what ends here have gone on since the stretch began? Not if it has seen others begin or end. */
static bool was_open(const struct walk *walk, bool softirq)
{
	const struct blame *blame = walk->blame;

	for (unsigned i = walk->stretch; i < blame->count; i++) {
		bool theirs = blame->segment[i].task.pid == walk->task.pid;

		if (softirq ? theirs && blame->segment[i].kind == BLAME_SOFTIRQ
			    : !theirs || blame->segment[i].kind != BLAME_TASK)
			return false;
	}
	return true;
}

static void take_lone_exit(struct walk *walk, const struct trace_record *record)
{
	struct blame *blame = walk->blame;

	if (!was_open(walk, record->kind == TRACE_SOFTIRQ_EXIT)) {
		lose(walk, walk->stay);
		return;
	}
	for (unsigned i = walk->stretch; i < blame->count; i++)
		if (blame->segment[i].task.pid == walk->task.pid && blame->segment[i].kind == BLAME_TASK)
			label(&blame->segment[i], record);
}

static void take_exit(struct walk *walk, const struct trace_record *record)
{
	struct context *context = innermost(walk);

	if (!context) {
		take_lone_exit(walk, record);
	} else if (!is_exit_of(record, context->entry)) {
		lose(walk, context->first);
	} else {
		if (is_interrupt(context))
			wait_note_interrupt(&walk->wait, context->entry, walk->at_ns);
		walk->open--;
		memmove(context, context + 1, (&walk->context[walk->open] - context) * sizeof(*context));
	}
}

static void take_expiry(struct walk *walk, const struct trace_record *record)
{
	wait_note_interrupt(&walk->wait, record, walk->at_ns);
	if (walk->at_ns < 0 || walk->blame->expiry.at_ns)
		return;
	walk->blame->expiry = *record;
	walk->blame->interrupted = walk->task;
}

/* Until the next record; and what was known does not hold any more. */
static void take_loss(struct walk *walk)
{
	wait_note_loss(&walk->wait);
	walk->task = (struct trace_task){ .pid = BLAME_NOBODY };
	begin_stretch(walk);
}

static void take(struct walk *walk, const struct trace_record *record)
{
	bool first = walk->lost;

	walk->lost |= record->kind == TRACE_LOST;
	go_on_to(walk, record->at_ns);
	walk->lost = record->kind == TRACE_LOST;
	if (first && !walk->lost)
		begin_stretch(walk);
	switch (record->kind) {
	case TRACE_SWITCH:
		take_switch(walk, record);
		break;
	case TRACE_WAKING:
		take_waking(walk, record);
		break;
	case TRACE_EXPIRE:
		take_expiry(walk, record);
		break;
	case TRACE_LOST:
		take_loss(walk);
		break;
	case TRACE_IRQ_ENTRY:
	case TRACE_SOFTIRQ_ENTRY:
	case TRACE_VECTOR_ENTRY:
		take_entry(walk, record);
		break;
	default:
		take_exit(walk, record);
	}
}

/* In the end it is the meter that has the CPU. */
void who_had_cpu(struct blame *blame, const struct trace_record *records, unsigned count)
{
	uint64_t stamp_ns = blame->due_ns + blame->late_ns;
	struct walk walk = {
		.blame = blame, .at_ns = INT64_MIN, .task.pid = BLAME_NOBODY, .stretch = 1, .stay = 1,
		.wait = { .blame = blame, .phase = blame->asked ? PHASE_WAKING : PHASE_TIMER },
	};

	for (unsigned i = 0; i < count && records[i].at_ns <= stamp_ns; i++)
		take(&walk, &records[i]);
	go_on_to(&walk, stamp_ns);
	confirm(&walk, &blame->meter);
	wait_end(&walk.wait);
}
