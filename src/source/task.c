// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads of another program. They are measured from outside, by the kernel's records, and nothing about them is
 * changed: neither policy nor priority nor CPUs. If a timer that a thread had set for itself woke it, its latency
 * counts from when that was due, else from the waking, and always until it gets a CPU. The meter reads the records now
 * and then, so it learns of each wake-up later.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/registry.h"
#include "source/task.h"

#define READING_NS 20000000		/* between two readings of the records */
#define OWNERS 4096			/* of a hash: 2 to the power of 12, far more than there are timers */

/* What is known about one of the threads. */
struct task {
	struct source *source;		/* the one that measures it */
	int stat;			/* of the thread: see process_open() */
	uint64_t ended_ns;		/* by then it had ended; 0: it has not */
	struct task_wakeups wakeups;
	struct task_grid grid;
	struct task_pace pace;
	uint64_t asked_ns;		/* of the last wake-up that was served */
	uint64_t unmatched;		/* when the last one that was due was served */
};

/* All threads that a meter measures. Their records are read together. One is enough: a process is one meter. */
static struct task_group {
	unsigned count;
	pid_t number[CPUS_MAX];		/* of each thread; -1: the number is no longer its own */
	struct task_records records;
	uint16_t owner[OWNERS];		/* by a timer's address: the thread that starts it, plus 1; or NONE, SEVERAL */
	int64_t offset_ns[TASK_CLOCKS];	/* how far each clock is ahead of CLOCK_MONOTONIC */
	struct task task[];		/* in the order of the sources */
} *group;

enum { NONE, SEVERAL = UINT16_MAX };	/* in place of the thread that starts a timer */

/* NULL: it is not ours. */
static struct task *task_of(pid_t thread)
{
	for (unsigned i = 0; i < group->count; i++)
		if (group->number[i] == thread)
			return &group->task[i];
	return NULL;
}

/* From then on, the number is no longer this thread's, so what is recorded with it is another's. */
static void leave(struct task *task, uint64_t at_ns)
{
	task_wakeups_end(&task->wakeups);
	group->number[task - group->task] = -1;
	if (!task->ended_ns)
		task->ended_ns = at_ns;
}

/* The number of the new thread is reused, so its former owner is gone, even if its end was not seen. */
static void take_fork(const struct trace_record *record, bool from_ours)
{
	struct task *before = task_of(record->number);
	struct thread *first = group->task->source->thread;

	if (before)
		leave(before, record->at_ns);
	if (from_ours && record->sibling && first->siblings <= group->count)
		task_thread_note(first, record->number);
}

/* Several threads may share a place. */
static uint16_t *owner_of(uint64_t timer)
{
	return &group->owner[(timer * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - 12)];
}

/* A loss, or a timer that expires, which may be any thread's. That ends no wake-up. */
static void add_to_all(const struct trace_record *record)
{
	uint16_t owner = record->kind == TRACE_LOST ? SEVERAL : *owner_of(record->timer);
	struct wakeup none;

	for (unsigned i = 0; owner != NONE && i < group->count; i++)
		if ((owner == i + 1 || owner == SEVERAL) && group->number[i] > 0)
			task_wakeups_add(&group->task[i].wakeups, record, &none);
}

/* An unmatched wake-up may have been due at an instant that seems to be missed. No rate exceeds that of the grid. */
static void serve(struct task *task, struct wakeup *served)
{
	struct figures *figures = &task->source->figures;
	uint64_t unknown = figures->unmatched - task->unmatched;
	const struct task_pace *pace = &task->pace;
	bool relative = task_pace_add(&task->pace, served, unknown);

	served->which = task - group->task;
	task->asked_ns = served->due_ns ? served->due_ns : served->woken_ns;
	if (served->due_ns) {
		task_grid_add(&task->grid, served, unknown);
		task->unmatched = figures->unmatched;
	} else {
		served->expired_ns = served->woken_ns;
	}
	figures->inferred_period_ns = task->grid.period_ns && !relative ? (int64_t)task->grid.period_ns : -1;
	figures->inferred_missed = task->grid.missed;
	figures->inferred_sleep_ns = relative ? pace->sleep_ns : 0;
	figures->inferred_hz = pace->last_ns <= pace->first_ns ? 0 : (pace->due - 1) * 1e9 /
			       greater(pace->last_ns - pace->first_ns, (pace->due - 1) * task->grid.period_ns);
}

/*
 * When a thread ends, so do the records of its own switches. If all threads are recorded, its number may pass to
 * another thread of its process that executes a program; and the kernel also reports an end when a thread's rights
 * merely change. Returns whether the record completes a wake-up.
 */
static bool take_record(const struct trace_record *record, struct wakeup *served)
{
	struct task *task = task_of(record->thread);

	if (record->kind == TRACE_FORK)
		take_fork(record, task);
	else if (!record->thread)
		add_to_all(record);
	if (!task || record->kind == TRACE_FORK)
		return false;
	if (record->kind == TRACE_EXIT && !group->records.all)
		leave(task, record->at_ns);
	if (record->kind == TRACE_TIMER_START) {
		uint16_t *owner = owner_of(record->timer), own = task - group->task + 1;

		*owner = *owner == NONE || *owner == own ? own : SEVERAL;
	}
	if (!task_wakeups_add(&task->wakeups, record, served))
		return false;
	serve(task, served);
	return true;
}

/* The keeper only checks that all is available. */
static int task_open(struct source *source)
{
	int status = task_thread_find(source);
	struct task_records records;

	if (status)
		return status;
	status = task_records_open(&records, source);
	task_records_close(&records);
	return status;
}

/* The first source starts all of them. */
static int task_start(struct source *source)
{
	int status;

	group = calloc(1, sizeof(*group) + source->thread_count * sizeof(*group->task));
	if (!group)
		return source_refuse_memory(source);
	group->count = source->thread_count;
	for (unsigned i = 0; i < group->count; i++) {
		struct task *task = source->observed[i]->private = &group->task[i];
		pid_t thread = group->number[i] = source->observed[i]->thread->id;

		*task = (struct task){
			.source = source->observed[i], .stat = process_open(thread),
			.wakeups = {
				.thread = thread, .offset_ns = group->offset_ns,
				.figures = &source->observed[i]->figures,
			},
		};
	}
	status = task_records_open(&group->records, source);
	return status ? status : source_start_timer(source);
}

/* A thread whose end was seen is gone once all of its records are served. Returns whether any is left. */
static bool look_at_ends(void)
{
	bool left = false;

	for (unsigned i = 0; i < group->count; i++) {
		struct task *task = &group->task[i];

		task->source->gone = task->ended_ns && task->ended_ns < group->records.read_ns;
		if (task->source->gone && group->number[i] > 0)
			leave(task, task->ended_ns);
		left |= !task->source->gone;
	}
	return left;
}

static void read_records(void)
{
	const struct timespec pause = timespec_from(READING_NS);

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	task_records_clocks(group->offset_ns);
	for (unsigned i = 0; i < group->count; i++) {
		struct task *task = &group->task[i];
		char state = task_thread_state(task->stat), *known = &task->source->figures.state;

		task->source->looked_ns = monotonic_ns();
		*known = (!*known || *known == 'R') && state != 'X' ? state : *known;
		if (!task->ended_ns && state == 'X')
			task->ended_ns = monotonic_ns();
	}
	task_records_read(&group->records);
}

/* After each reading, the meter can answer the keeper. */
static int64_t task_serve(struct source *source, struct wakeup *served)
{
	struct task_records *records = &group->records;
	const struct trace_record *record;

	(void)source;
	while ((record = task_order_take(&records->order, records->read_ns)))
		if (take_record(record, served))
			return 1;
	if (!look_at_ends())
		return -ESRCH;
	read_records();
	return -EINTR;
}

static uint64_t task_asked(struct source *source)
{
	return ((struct task *)source->private)->asked_ns;
}

const struct source_ops source_task = {
	.name = "task",
	.measures = SINCE_TIMER_OR_WAKING,
	.takes_target = true,
	.ordinary = true,
	.open = task_open,
	.start = task_start,
	.serve = task_serve,
	.asked = task_asked,
};
