// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thread of another program. It is measured from outside, by the kernel's
 * records, and nothing of it is changed: neither its policy nor its priority nor
 * its CPUs. Where a timer woke it that it had set for itself, its latency counts
 * from when that was due, else from the waking; always until it got a CPU. The
 * meter reads the records now and then, so it learns of each wake-up later.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/registry.h"
#include "source/task_grid.h"
#include "source/task_records.h"
#include "source/task_thread.h"
#include "source/task_wakeups.h"

#define READING_NS 20000000		/* between two readings of the records */

struct task {
	int stat;			/* of the thread: see process_open() */
	bool ended;
	struct task_records records;
	struct task_wakeups wakeups;
	int64_t offset_ns[TASK_CLOCKS];	/* how far each clock is ahead of CLOCK_MONOTONIC */
	struct task_grid grid;
	struct task_wakeup wakeup;	/* what the last wait served */
	uint64_t unmatched;		/* when the last one was served that was due */
};

static int find_thread(struct source *source)
{
	if (source->target && *source->target)
		return task_thread_find(source->target, &source->thread);
	warn("--source=task: name a thread or process, by its number or name, as in --source=task:1234");
	return EXIT_NOT_MEASURED;
}

/* For this process. Returns what to exit with; call finish() in either case. */
static int prepare(struct source *source)
{
	struct task *task = source->own = calloc(1, sizeof(*task));

	if (!task) {
		warn("--source=task: allocate memory: %m; free some");
		return EXIT_NOT_MEASURED;
	}
	task->stat = process_open(source->thread.id);
	return task_records_open(&task->records, source->thread.id);
}

static void task_finish(struct source *source)
{
	struct task *task = source->own;

	if (!task)
		return;
	task_records_close(&task->records);
	if (task->stat >= 0)
		close(task->stat);
	free(task);
	source->own = NULL;
}

/* The keeper only checks that all is available. */
static int task_open(struct source *source, const char *device)
{
	int status = source_open_no_device(source, device);

	if (!status)
		status = find_thread(source);
	if (!status) {
		task_records_find_functions();
		status = prepare(source);
	}
	task_finish(source);
	return status;
}

static int task_start(struct source *source)
{
	struct task *task;

	if (prepare(source))
		return -1;
	task = source->own;
	task_wakeups_init(&task->wakeups, source->thread.id);
	return source_start_timer(source);
}

/*
 * Timers of other clocks are due by these, which may be set at any time. What was
 * read before is kept unless it is wrong now, for this may be interrupted.
 */
static void read_clocks(struct task *task)
{
	static const clockid_t clocks[TASK_CLOCKS] = { CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI };

	for (unsigned i = 0; i < TASK_CLOCKS; i++) {
		int64_t before_ns = monotonic_ns(), now_ns = clock_ns(clocks[i]), after_ns = monotonic_ns();
		int64_t *offset_ns = &task->offset_ns[i];

		if (*offset_ns < now_ns - after_ns || *offset_ns > now_ns - before_ns)
			*offset_ns = now_ns - before_ns - (after_ns - before_ns) / 2;
	}
	task_wakeups_set_clocks(&task->wakeups, task->offset_ns);
}

/* Is there another wake-up among the records that were read? */
static bool find_wakeup(struct task *task)
{
	struct task_record record;

	while (task_records_take(&task->records, &record))
		if (task_wakeups_add(&task->wakeups, &record, &task->wakeup))
			return true;
	return false;
}

/* A wake-up that was unmatched may have been due where the grid seems to be missed. */
static void count_due(struct task *task, uint64_t due_ns)
{
	uint64_t unmatched = task->wakeups.unmatched;

	task_grid_add(&task->grid, due_ns, unmatched - task->unmatched);
	task->unmatched = unmatched;
}

static void tell(struct source *source, const struct task_wakeup *wakeup)
{
	struct task *task = source->own;

	source->served_ns = wakeup->switched_ns;
	source->served_cpu = wakeup->cpu;
	source->woken_ns = wakeup->waking_ns;
	source->timed = wakeup->due_ns;
	if (wakeup->due_ns)
		count_due(task, wakeup->due_ns);
	source->inferred_period_ns = task->grid.period_ns ? (int64_t)task->grid.period_ns : -1;
	source->inferred_missed = task->grid.missed;
}

/* Returns at least every READING_NS, so that the meter can answer the keeper. */
static int64_t task_wait(struct source *source, uint64_t due_ns)
{
	const struct timespec pause = timespec_from(READING_NS);
	struct task *task = source->own;
	bool found;

	(void)due_ns;
	found = find_wakeup(task);
	if (!found && task->ended)
		return -ESRCH;
	if (!found) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		task->ended = task_thread_has_ended(task->stat);
		read_clocks(task);
		task_records_read(&task->records);
		source->looked_ns = monotonic_ns();
		found = find_wakeup(task);
	}
	source->unmatched = task->wakeups.unmatched;
	source->deduced = task->wakeups.deduced;
	if (!found)
		return -EINTR;
	tell(source, &task->wakeup);
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
	.wait = task_wait,
	.asked = task_asked,
	.finish = task_finish,
	.stop = source_stop_nothing,
};
