// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads of another program. They are measured from outside, by the kernel's
 * records, and nothing of them is changed: neither policy nor priority nor CPUs.
 * Where a timer woke a thread that it had set for itself, its latency counts from
 * when that was due, else from the waking; always until it got a CPU. The meter
 * reads the records now and then, so it learns of each wake-up later.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/registry.h"
#include "source/task.h"

#define READING_NS 20000000		/* between two readings of the records */
#define LOOK_AGAIN 10			/* readings until the threads of a command are looked at again */
#define PLACES 4096			/* of a hash: 2 to the power of 12, and far more than threads */

/* What is known of one of the threads. */
struct task {
	struct source *source;		/* the one that measures it */
	int stat;			/* of the thread: see process_open() */
	uint64_t opened_ns;		/* when that was opened */
	struct thread first;		/* in a command: what it has from its parent */
	uint64_t ended_ns;		/* by then it had ended; 0: it has not */
	struct task_wakeups wakeups;
	struct task_grid grid;
	struct task_wakeup wakeup;	/* the last one that was served */
	uint64_t unmatched;		/* when the last one was served that was due */
	struct task_group *group;
};

/* All threads that a meter measures. Their records are read together. */
struct task_group {
	unsigned count, room;		/* threads that there are, and that there may be */
	unsigned left_out;		/* that found no room */
	unsigned readings;
	uint16_t place[PLACES];		/* by a hash of its number: the thread, plus 1; 0: none */
	struct task_records records;
	uint16_t owner[PLACES];		/* by a timer's address: the thread that starts it, plus 1; or NONE, SEVERAL */
	int64_t offset_ns[TASK_CLOCKS];	/* how far each clock is ahead of CLOCK_MONOTONIC */
	struct task task[];		/* in the order of the sources */
};

enum { NONE, SEVERAL = UINT16_MAX };	/* in place of the thread that starts a timer */

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

/* The thread has the next source. */
static void add_thread(struct task_group *group, pid_t thread)
{
	struct task *task = &group->task[group->count++];

	*place_of(group, thread) = group->count;
	task->stat = process_open(thread);
	task->opened_ns = monotonic_ns();
	task->wakeups = (struct task_wakeups){ .thread = thread, .offset_ns = group->offset_ns };
}

/* If the thread still has its number afterwards, it was what was seen. */
static void look(struct task *task)
{
	struct thread seen = *task->source->thread;

	task_thread_look(&seen);
	if (!task_thread_has_ended(task->stat))
		*task->source->thread = seen;
}

/*
 * The number of the thread is no longer its own since then, so what is recorded later
 * with it is another's. If it was another's when stat was opened, so is what was seen.
 */
static void leave(struct task *task, uint64_t at_ns)
{
	task_wakeups_end(&task->wakeups);
	task->wakeups.thread = -1;
	task->source->figures.unmatched = task->wakeups.unmatched;
	if (!task->ended_ns)
		task->ended_ns = at_ns;
	if (task->first.id && at_ns < task->opened_ns)
		*task->source->thread = task->first;
}

/* What a command has begun has the name of its parent at first. NULL: it is the command. */
static void add_newborn(struct task_group *group, pid_t thread, const struct task *parent)
{
	struct task *task = &group->task[group->count];

	if (group->count == group->room) {
		group->left_out++;
		return;
	}
	if (parent)
		*task->source->thread = *parent->source->thread;
	task->source->thread->id = thread;
	task->first = *task->source->thread;
	add_thread(group, thread);
	look(task);
}

/* Several threads may share a place. */
static uint16_t *owner_of(struct task_group *group, uint64_t timer)
{
	return &group->owner[(timer * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - 12)];
}

/* What may be of any thread is reported to all. That ends no wake-up. */
static void add_to_all(struct task_group *group, const struct task_record *record)
{
	uint16_t owner = record->kind == TRACE_LOST ? SEVERAL : *owner_of(group, record->timer);
	struct task_wakeup none;

	for (unsigned i = 0; owner != NONE && i < group->count; i++)
		if ((owner == i + 1 || owner == SEVERAL) && group->task[i].wakeups.thread > 0)
			task_wakeups_add(&group->task[i].wakeups, record, &none);
}

/* The number of the new thread is reused, so its former owner is gone, even if its end was not seen. */
static void take_fork(struct task_group *group, const struct task_record *record, const struct task *parent)
{
	struct task *before = task_of(group, record->child);
	struct thread *first = group->task->source->thread;

	if (before)
		leave(before, record->at_ns);
	if (parent && group->records.command)
		add_newborn(group, record->child, parent);
	else if (parent && record->sibling && first->siblings <= group->count)
		task_thread_note(first, record->child);
}

/*
 * A record is of one of our threads, or of a timer; or of nothing of ours. With the
 * end of a thread the records of its own switches end. Those of all threads go on:
 * there its number may become that of another of its process, which executes a
 * program; and the kernel also says that it ends where it only got other rights.
 * Returns whether the record completes a wake-up, which is then *woken's.
 */
static bool take(struct task_group *group, const struct task_record *record, struct task **woken)
{
	struct task *task = task_of(group, record->thread);

	if (record->kind == TRACE_FORK)
		take_fork(group, record, task);
	else if (!record->thread)
		add_to_all(group, record);
	if (!task || record->kind == TRACE_FORK)
		return false;
	if (record->kind == TRACE_EXIT && !group->records.all)
		leave(task, record->at_ns);
	if (record->kind == TRACE_TIMER_START) {
		uint16_t *owner = owner_of(group, record->timer), own = task - group->task + 1;

		*owner = *owner == NONE || *owner == own ? own : SEVERAL;
	}
	*woken = task;
	return task_wakeups_add(&task->wakeups, record, &task->wakeup);
}

static void free_group(struct task_group *group)
{
	if (!group)
		return;
	if (group->left_out)
		warn("%u more threads began than the %u that can be measured", group->left_out, group->room);
	task_records_close(&group->records);
	for (unsigned i = 0; i < group->count; i++)
		if (group->task[i].stat >= 0)
			close(group->task[i].stat);
	free(group);
}

/* For this process. Returns what to exit with; the group is to be freed in either case, and NULL without memory. */
static int make_group(const struct source *source, struct task_group **made)
{
	struct task_group *group = *made = calloc(1, sizeof(*group) + source->thread_count * sizeof(*group->task));

	if (!group)
		return source_refuse_memory(source);
	group->room = source->thread_count;
	return task_records_open(&group->records, source);
}

static void task_finish(struct source *source)
{
	struct task *task = source->own;

	if (task)
		free_group(task->group);
	source->own = NULL;
}

/* The keeper only checks that all is available. */
static int task_open(struct source *source, const char *device)
{
	int status = source_open_no_device(source, device);
	struct task_group *group = NULL;

	if (!status)
		status = task_thread_find(source);
	if (!status)
		status = make_group(source, &group);
	free_group(group);
	return status;
}

/* The first source starts all of them. */
static int task_start(struct source *source)
{
	struct task_group *group;

	if (make_group(source, &group)) {
		free_group(group);
		return -1;
	}
	for (unsigned i = 0; i < group->room; i++) {
		struct task *task = &group->task[i];

		task->group = group;
		task->source = source->observed[i];
		task->source->own = task;
		if (task->source->thread->id)
			add_thread(group, task->source->thread->id);
	}
	if (!group->count)
		add_newborn(group, source->command, NULL);
	return source_start_timer(source);
}

/* A wake-up that was unmatched may have been due where the grid seems to be missed. */
static void serve(struct task *task, struct wakeup *served)
{
	uint64_t unmatched = task->wakeups.unmatched - task->unmatched;
	const struct task_wakeup *wakeup = &task->wakeup;
	struct figures *figures = &task->source->figures;

	*served = (struct wakeup){
		.served_ns = wakeup->switched_ns, .which = task - task->group->task, .cpu = wakeup->cpu,
		.timed = wakeup->due_ns, .slack_ns = wakeup->slack_ns, .woken_ns = wakeup->waking_ns,
		.expired_ns = wakeup->due_ns ? wakeup->expiry_ns : wakeup->waking_ns,
	};
	if (wakeup->due_ns) {
		task_grid_add(&task->grid, wakeup->due_ns, unmatched);
		task->unmatched += unmatched;
	}
	figures->inferred_period_ns = task->grid.period_ns ? (int64_t)task->grid.period_ns : -1;
	figures->inferred_missed = task->grid.missed;
}

/* These threads have ended, and all of their records were served. Returns whether any is left. */
static bool look_at_ends(struct task_group *group)
{
	bool left = false;

	for (unsigned i = 0; i < group->count; i++) {
		struct task *task = &group->task[i];

		task->source->gone = task->ended_ns && task->ended_ns < group->records.read_ns;
		if (task->source->gone && task->wakeups.thread > 0)
			leave(task, task->ended_ns);
		left |= !task->source->gone;
	}
	return left;
}

static void read_records(struct task_group *group)
{
	const struct timespec pause = timespec_from(READING_NS);
	bool again = group->records.command && group->readings++ % LOOK_AGAIN == 0;

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	task_records_clocks(group->offset_ns);
	for (unsigned i = 0; i < group->count; i++) {
		struct task *task = &group->task[i];

		task->source->figures.unmatched = task->wakeups.unmatched;
		task->source->figures.preempted = task->wakeups.preempted;
		task->source->figures.preempted_ns = task->wakeups.preempted_ns;
		task->source->looked_ns = monotonic_ns();
		if (!task->ended_ns && task_thread_has_ended(task->stat))
			task->ended_ns = monotonic_ns();
		if (again)
			look(task);
	}
	task_records_read(&group->records);
}

/* After each reading, the meter can answer the keeper. */
static int64_t task_serve(struct source *source, struct wakeup *served)
{
	struct task_group *group = ((struct task *)source->own)->group;
	struct task_record record;
	struct task *woken;

	while (task_records_take(&group->records, &record))
		if (take(group, &record, &woken)) {
			serve(woken, served);
			return 1;
		}
	if (!look_at_ends(group))
		return -ESRCH;
	read_records(group);
	return -EINTR;
}

static uint64_t task_asked(struct source *source)
{
	const struct task *task = source->own;

	return task->wakeup.due_ns ? task->wakeup.due_ns : task->wakeup.waking_ns;
}

const struct source_ops source_task = {
	.name = "task",
	.measures = SINCE_TIMER_OR_WAKING,
	.takes_target = true,
	.observes = true,
	.ordinary = true,
	.open = task_open,
	.start = task_start,
	.serve = task_serve,
	.asked = task_asked,
	.finish = task_finish,
	.stop = source_stop_nothing,
};
