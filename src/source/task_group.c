// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/instant.h"
#include "base/text.h"
#include "source/task_group.h"
#include "source/task_thread.h"

#define NEWCOMERS_TOLD 8		/* with their numbers and names */

enum { NOBODY, ANYBODY = UINT16_MAX };	/* instead of who starts a timer */

/* The place of the thread, or the free one that it would get. A number that is used again is the later thread's. */
static uint16_t *place_of(struct task_group *group, pid_t thread)
{
	unsigned i = thread % PLACES;

	while (group->place[i] && group->task[group->place[i] - 1].wakeups.thread != thread)
		i = (i + 1) % PLACES;
	return &group->place[i];
}

/* NULL: it is none of ours, as is one that has ended, whose number is -1. */
static struct task *task_of(struct task_group *group, pid_t thread)
{
	uint16_t place = thread > 0 ? *place_of(group, thread) : 0;

	return place ? &group->task[place - 1] : NULL;
}

void task_group_add(struct task_group *group, pid_t thread)
{
	struct task *task = &group->task[group->count++];

	*place_of(group, thread) = group->count;
	task->stat = process_open(thread);
	task->opened_ns = monotonic_ns();
	task_wakeups_init(&task->wakeups, thread);
	task_wakeups_set_clocks(&task->wakeups, group->offset_ns);
}

/* If the thread still has its number afterwards, it was what was seen. */
void task_group_look(struct task *task)
{
	struct thread seen = *task->source->thread;

	task_thread_look(&seen);
	if (!task_thread_has_ended(task->stat))
		*task->source->thread = seen;
}

/* If the number was another's when that was opened, so is what was seen. */
void task_group_leave(struct task *task, uint64_t at_ns)
{
	task_wakeups_end(&task->wakeups);
	task->wakeups.thread = -1;
	task->source->figures.unmatched = task->wakeups.unmatched;
	if (!task->ended_ns)
		task->ended_ns = at_ns;
	if (task->first.id && at_ns < task->opened_ns)
		*task->source->thread = task->first;
}

void task_group_begin(struct task_group *group, pid_t thread, const struct task *parent)
{
	struct thread *seen;

	if (group->count == group->room) {
		group->left_out++;
		return;
	}
	seen = group->task[group->count].source->thread;
	if (parent)
		*seen = *parent->source->thread;
	seen->id = thread;
	group->task[group->count].first = *seen;
	task_group_add(group, thread);
	task_group_look(&group->task[group->count - 1]);
}

static uint16_t *owner_of(struct task_group *group, uint64_t timer)
{
	return &group->owner[(timer * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
}

/* A place may be that of several threads. */
static void note_owner(struct task_group *group, uint64_t timer, unsigned index)
{
	uint16_t *owner = owner_of(group, timer);

	*owner = *owner == NOBODY || *owner == index + 1 ? index + 1 : ANYBODY;
}

/* Tell all threads of what may be of any. That ends no wake-up. */
static void tell_all(struct task_group *group, const struct task_record *record)
{
	uint16_t owner = record->event == TASK_LOST ? ANYBODY : *owner_of(group, record->timer);
	struct task_wakeup none;

	for (unsigned i = 0; owner != NOBODY && i < group->count; i++)
		if ((owner == i + 1 || owner == ANYBODY) && group->task[i].wakeups.thread > 0)
			task_wakeups_add(&group->task[i].wakeups, record, &none);
}

/* A thread that is not measured, of a process all of whose threads are. */
static void note_newcomer(struct task_group *group, pid_t thread)
{
	struct thread *first = group->task->source->thread, newcomer = { .id = thread };

	if (first->siblings > group->count || first->newcomers++ > NEWCOMERS_TOLD)
		return;
	task_thread_look(&newcomer);
	if (first->newcomers > NEWCOMERS_TOLD)
		text_append(first->newcomer, sizeof(first->newcomer), ", ...");
	else
		text_append(first->newcomer, sizeof(first->newcomer), "%s%d%s%s", first->newcomers > 1 ? ", " : "",
			    thread, *newcomer.name ? " " : "", newcomer.name);
}

/* Whoever had the number of the new thread before has ended, seen or not. */
static void take_fork(struct task_group *group, const struct task_record *record, const struct task *parent)
{
	struct task *before = task_of(group, record->child);

	if (before)
		task_group_leave(before, record->at_ns);
	if (parent && group->records.command)
		task_group_begin(group, record->child, parent);
	else if (parent && record->sibling)
		note_newcomer(group, record->child);
}

/*
 * A record is of one of our threads, or of a timer; or of nothing of ours. With the
 * end of a thread the records of its own switches end. Those of all threads go on:
 * there its number may become that of another of its process, which executes a
 * program; and the kernel also says that it ends where it only got other rights.
 */
bool task_group_take(struct task_group *group, const struct task_record *record, struct task **woken)
{
	struct task *task = task_of(group, record->thread);

	if (record->event == TASK_FORK)
		take_fork(group, record, task);
	else if (!record->thread)
		tell_all(group, record);
	if (!task || record->event == TASK_FORK)
		return false;
	if (record->event == TASK_EXIT && !group->records.all)
		task_group_leave(task, record->at_ns);
	if (record->event == TASK_TIMER_START)
		note_owner(group, record->timer, task - group->task);
	*woken = task;
	return task_wakeups_add(&task->wakeups, record, &task->wakeup);
}
