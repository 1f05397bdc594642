// SPDX-License-Identifier: GPL-2.0-or-later
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text.h"
#include "base/units.h"
#include "host/sysfile.h"
#include "source/task_thread.h"

#define TOLD_MOST 5			/* threads that are listed in a message */

bool task_thread_has_ended(int stat)
{
	char state = stat < 0 ? 'X' : process_state(stat);

	return !state || strchr("XZ", state);
}

static void describe(struct thread *thread)
{
	char threads[16];

	sysfile_line(sysfile_path("/proc/%d/comm", thread->id), thread->name, sizeof(thread->name));
	sched_state_read(thread->id, &thread->state);
	sysfile_value(sysfile_path("/proc/%d/status", thread->id), "Cpus_allowed_list:", thread->cpus,
		      sizeof(thread->cpus));
	sysfile_value(sysfile_path("/proc/%d/status", thread->id), "Threads:", threads, sizeof(threads));
	thread->siblings = atoi(threads);
}

static int refuse_none(const char *text)
{
	warn("--source=task:%s: there is no such thread; name one that ps -eL lists, by its LWP or its CMD", text);
	return EXIT_NO_DEVICE;
}

static int refuse_several(const char *text, const char *numbers, unsigned count)
{
	warn("--source=task:%s: %u threads have that name: %s%s; give the number of one", text, count, numbers,
	     count > TOLD_MOST ? ", ..." : "");
	return EXIT_NOT_MEASURED;
}

/* Returns how many threads have the name, and lists the first; *id is one of them. */
static unsigned find_by_name(const char *wanted, char *numbers, size_t size, pid_t *id)
{
	unsigned found = 0;
	glob_t all;

	if (glob("/proc/[0-9]*/task/*/comm", GLOB_NOSORT, NULL, &all))
		return 0;
	for (size_t i = 0; i < all.gl_pathc; i++) {
		char name[16];

		if (!sysfile_line(all.gl_pathv[i], name, sizeof(name)) || strcmp(name, wanted))
			continue;
		sscanf(all.gl_pathv[i], "/proc/%*d/task/%d", id);
		if (found++ < TOLD_MOST)
			text_append(numbers, size, "%s%d", found > 1 ? ", " : "", *id);
	}
	globfree(&all);
	return found;
}

int task_thread_find(const char *text, struct thread *thread)
{
	uint64_t number;
	int stat;

	if (units_count(text, 1, INT32_MAX, &number) == NULL) {
		thread->id = number;
	} else {
		char numbers[128] = "";
		unsigned found = find_by_name(text, numbers, sizeof(numbers), &thread->id);

		if (found != 1)
			return found ? refuse_several(text, numbers, found) : refuse_none(text);
	}
	stat = process_open(thread->id);
	if (!task_thread_has_ended(stat))
		describe(thread);
	if (stat >= 0)
		close(stat);
	return *thread->name ? EXIT_MEASURED : refuse_none(text);
}
