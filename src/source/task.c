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
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/registry.h"
#include "source/task_group.h"
#include "source/task_thread.h"

#define READING_NS 20000000		/* between two readings of the records */
#define LOOK_AGAIN 10			/* readings until the threads of a command are looked at again */

/* The threads of a command are not known before it runs. */
static int find_threads(struct source *source)
{
	if (source->wanted && !strcmp(source->wanted, SOURCE_COMMAND))
		return task_thread_expect(source);
	if (source->target && *source->target)
		return task_thread_find(source->target, source->wanted, source);
	warn("--source=task: name a thread or process, by its number or name, as in --source=task:1234, or a command "
	     "after --");
	return EXIT_NOT_MEASURED;
}

static void free_group(struct task_group *group)
{
	if (!group)
		return;
	if (group->left_out)
		warn("%u more threads began than the %u that can be measured", group->left_out, group->room);
	task_records_close(&group->records);
	for (unsigned i = 0; group->task && i < group->count; i++)
		if (group->task[i].stat >= 0)
			close(group->task[i].stat);
	free(group->task);
	free(group);
}

/* For this process. Returns what to exit with; the group is to be freed in either case, and NULL without memory. */
static int make_group(const struct source *source, struct task_group **made)
{
	struct task_group *group = *made = calloc(1, sizeof(*group));

	if (group)
		group->task = calloc(source->thread_count, sizeof(*group->task));
	if (!group || !group->task) {
		warn("--source=task: allocate memory: %m; free some");
		return EXIT_NOT_MEASURED;
	}
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
		status = find_threads(source);
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
			task_group_add(group, task->source->thread->id);
	}
	if (!group->count)
		task_group_begin(group, source->command, NULL);
	return source_start_timer(source);
}

/* The thread of which another wake-up is among the records that were read; NULL: there is none. */
static struct task *find_wakeup(struct task_group *group)
{
	struct task_record record;
	struct task *woken;

	while (task_records_take(&group->records, &record))
		if (task_group_take(group, &record, &woken))
			return woken;
	return NULL;
}

/* A wake-up that was unmatched may have been due where the grid seems to be missed. */
static void count_due(struct task *task, uint64_t due_ns)
{
	uint64_t unmatched = task->wakeups.unmatched;

	task_grid_add(&task->grid, due_ns, unmatched - task->unmatched);
	task->unmatched = unmatched;
}

static void tell(struct task *task, struct wakeup *served)
{
	const struct task_wakeup *wakeup = &task->wakeup;
	struct source *source = task->source;

	*served = (struct wakeup){
		.served_ns = wakeup->switched_ns, .which = task - task->group->task, .cpu = wakeup->cpu,
		.timed = wakeup->due_ns, .slack_ns = wakeup->slack_ns, .woken_ns = wakeup->waking_ns,
		.expired_ns = wakeup->due_ns ? wakeup->expiry_ns : wakeup->waking_ns,
	};
	if (wakeup->due_ns)
		count_due(task, wakeup->due_ns);
	source->figures.inferred_period_ns = task->grid.period_ns ? (int64_t)task->grid.period_ns : -1;
	source->figures.inferred_missed = task->grid.missed;
}

/* These threads have ended, and all of their records were served. Returns whether any is left. */
static bool look_at_ends(struct task_group *group)
{
	bool left = false;

	for (unsigned i = 0; i < group->count; i++) {
		struct task *task = &group->task[i];

		task->source->gone = task->ended_ns && task->ended_ns < group->records.read_ns;
		if (task->source->gone && task->wakeups.thread > 0)
			task_group_leave(task, task->ended_ns);
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

		task_wakeups_set_clocks(&task->wakeups, group->offset_ns);
		task->source->figures.unmatched = task->wakeups.unmatched;
		task->source->figures.preempted = task->wakeups.preempted;
		task->source->figures.preempted_ns = task->wakeups.preempted_ns;
		task->source->looked_ns = monotonic_ns();
		if (!task->ended_ns && task_thread_has_ended(task->stat))
			task->ended_ns = monotonic_ns();
		if (again)
			task_group_look(task);
	}
	task_records_read(&group->records);
}

/* After each reading, the meter can answer the keeper. */
static int64_t task_serve(struct source *source, struct wakeup *served)
{
	struct task_group *group = ((struct task *)source->own)->group;
	struct task *task = find_wakeup(group);

	if (!task && !look_at_ends(group))
		return -ESRCH;
	if (!task) {
		read_records(group);
		return -EINTR;
	}
	tell(task, served);
	return 1;
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
