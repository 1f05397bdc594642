// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "explain_event.h"
#include "explain_who.h"

#define IDLE_EXIT_NS 1000000		/* an idle CPU takes an interrupt sooner */

/* Who has no program of its own is idle, or us. */
static void name_task(struct segment *segment, const struct trace_task *meter)
{
	if (segment->kind != BLAME_TASK)
		return;
	if (segment->task.pid == BLAME_NOBODY)
		segment->kind = BLAME_LOST;
	else if (segment->task.pid == 0)
		segment->kind = BLAME_IDLE;
	else if (segment->task.pid == meter->pid)
		segment->kind = BLAME_SELF;
}

/*
 * Our own way to the stamp is short. So is that of an idle CPU to a timer that
 * has expired, or to us: as nothing keeps interrupts off, one of them would
 * have come.
 */
static bool cannot_have_run(const struct segment *segment)
{
	bool awaited = segment->phase == PHASE_TIMER || segment->phase == PHASE_READY;

	return (segment->kind == BLAME_SELF && segment_ns(segment) >= BLAME_USUAL_NS) ||
	       (segment->kind == BLAME_IDLE && awaited && segment_ns(segment) >= IDLE_EXIT_NS);
}

static bool is_ordinary(const struct trace_task *task, int pid)
{
	return task->pid == pid && task->prio >= 100;
}

/* What is real-time and then is not, has given back what was lent to it. */
static void note_lent(struct blame *blame, const struct trace_record *records, unsigned count)
{
	for (unsigned i = 0; i < blame->count; i++) {
		struct segment *segment = &blame->segment[i];

		if (segment->kind != BLAME_TASK || segment->task.prio >= 100)
			continue;
		for (unsigned j = 0; j < count; j++)
			if ((int64_t)(records[j].at_ns - blame->due_ns) >= segment->to_ns &&
			    records[j].kind == TRACE_SWITCH &&
			    (is_ordinary(&records[j].prev, segment->task.pid) ||
			     is_ordinary(&records[j].next, segment->task.pid)))
				segment->lent = true;
	}
}

static bool are_alike(const struct segment *a, const struct segment *b)
{
	return a->kind == b->kind && a->phase == b->phase && a->task.pid == b->task.pid &&
	       a->task.prio == b->task.prio && !strcmp(a->task.comm, b->task.comm) && !strcmp(a->name, b->name);
}

/* Of what is lost nothing else is known. */
static void strip(struct segment *segment)
{
	if (segment->kind != BLAME_LOST && segment->kind != BLAME_RING_ENDS)
		return;
	segment->phase = PHASE_UNKNOWN;
	segment->task = (struct trace_task){ .pid = BLAME_NOBODY };
	*segment->name = '\0';
}

/* What lies after due, and neighbours that are alike as one. */
static void conclude(struct blame *blame)
{
	struct segment *last = NULL;
	unsigned walked = blame->count;

	blame->count = 0;
	for (unsigned i = 0; i < walked; i++) {
		struct segment segment = blame->segment[i];

		if (segment.from_ns < 0)
			segment.from_ns = 0;
		if (segment_ns(&segment) <= 0)
			continue;
		name_task(&segment, &blame->meter);
		if (cannot_have_run(&segment))
			segment.kind = BLAME_NO_RECORD;
		strip(&segment);
		if (last && are_alike(last, &segment)) {
			last->to_ns = segment.to_ns;
			continue;
		}
		last = &blame->segment[blame->count++];
		*last = segment;
	}
}

void explain_blame(struct blame *blame, const struct trace_record *records, unsigned count, uint64_t due_ns,
		   uint64_t stamp_ns, const struct explain_context *context)
{
	unsigned skipped = count < BLAME_SEGMENTS ? 0 : count - BLAME_SEGMENTS + 1;

	memset(blame, 0, sizeof(*blame));
	blame->asked = context->asked;
	blame->due_ns = due_ns;
	blame->late_ns = stamp_ns - due_ns;
	blame->meter = (struct trace_task){ .pid = context->meter, .prio = BLAME_PRIO_UNKNOWN, .comm = "realfeel" };
	blame->interrupted.pid = BLAME_NOBODY;
	if (blame->late_ns <= 0)
		return;
	who_had_cpu(blame, records + skipped, count - skipped);
	conclude(blame);
	note_lent(blame, records, count);
}

/* There are no records of a wake-up that was so late. */
static void blame_nothing(struct blame *blame, int64_t late_ns)
{
	memset(blame, 0, sizeof(*blame));
	blame->late_ns = late_ns;
	if (late_ns > 0)
		blame->segment[blame->count++] = (struct segment){
			.to_ns = late_ns, .kind = BLAME_LOST, .number = -1, .task.pid = BLAME_NOBODY,
		};
}

void blame_interrupted_program(struct blame *blame)
{
	struct segment *last = NULL;

	for (unsigned i = 0; i < blame->count; i++)
		if (blame->segment[i].phase == PHASE_TIMER && blame->segment[i].kind == BLAME_TASK)
			last = &blame->segment[i];
	if (last && segment_ns(last) >= BLAME_USUAL_NS)
		last->kind = BLAME_NO_RECORD;
}

/* Returns false when there is no memory. */
static bool decode(struct blame *blame, const struct recording *recording, const struct event *event,
		   const struct explain_context *context)
{
	unsigned room = trace_count(recording->data, recording->used);
	struct trace_record *records = malloc((room + 1) * sizeof(*records));

	if (!records)
		return false;
	room = trace_decode(context->layout, recording->data, recording->used, records, room);
	explain_blame(blame, records, room, event->stamp_ns - event->late_ns, event->stamp_ns, context);
	free(records);
	return true;
}

struct explained_event *explain_event(const struct event *event, const struct recording *recording,
				      const struct explain_context *context)
{
	struct explained_event *explained = calloc(1, sizeof(*explained));

	if (!explained)
		return NULL;
	explained->facts.smis = event->smis;
	explained->facts.hypervisor = context->hypervisor;
	if (!recording || !decode(&explained->blame, recording, event, context))
		blame_nothing(&explained->blame, event->late_ns);
	stack_name(&explained->facts.expiry, &explained->blame.expiry, context->symbols);
	stack_name(&explained->facts.arrival, &explained->blame.arrival, context->symbols);
	if (stack_is_of_program(&explained->facts.expiry))
		blame_interrupted_program(&explained->blame);
	return explained;
}
