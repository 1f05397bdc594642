// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text.h"
#include "base/units.h"
#include "host/sysfile.h"
#include "source/task_thread.h"

#define TOLD_MOST 5			/* processes that are listed in a message */

static struct thread *found;		/* CPUS_MAX; they live as long as the program */

/* A process, and which of its threads are meant. */
struct target {
	const char *text;		/* as the user named it */
	pid_t process;			/* 0: there is none */
	pid_t thread;			/* only this one; 0: any */
	const char *name;		/* only those of this name; NULL: any */
	const char *wanted;		/* only those of this list; NULL: any */
};

bool task_thread_has_ended(int stat)
{
	char state = stat < 0 ? 'X' : process_state(stat);

	return !state || strchr("XZ", state);
}

static int refuse_none(const char *text)
{
	warn("--source=task:%s: there is no such thread; name one that ps -eL lists, by its LWP or its CMD", text);
	return EXIT_NO_DEVICE;
}

static int refuse_several(const char *text, const pid_t *first, unsigned count)
{
	char numbers[64] = "";

	for (unsigned i = 0; i < count && i < TOLD_MOST; i++)
		text_append(numbers, sizeof(numbers), "%s%d", i ? ", " : "", first[i]);
	warn("--source=task:%s: %u processes have that name or a thread of that name: %s%s; give the number of one",
	     text, count, numbers, count > TOLD_MOST ? ", ..." : "");
	return EXIT_NOT_MEASURED;
}

/* A number stands for the whole process if it is that of one. */
static int find_by_number(struct target *target, pid_t number)
{
	char process[16];

	if (!sysfile_value(sysfile_path("/proc/%d/status", number), "Tgid:", process, sizeof(process)))
		return refuse_none(target->text);
	target->process = atoi(process);
	target->thread = target->process == number ? 0 : number;
	return EXIT_MEASURED;
}

/* Processes of which a thread has the name. */
struct named {
	unsigned count;
	pid_t last;
	pid_t first[TOLD_MOST + 1];	/* the least of them, ascending, and room for one more */
};

static void note_process(struct named *named, pid_t process)
{
	unsigned at = lesser(named->count, TOLD_MOST);

	if (named->last == process)
		return;
	for (; at && named->first[at - 1] > process; at--)
		named->first[at] = named->first[at - 1];
	named->first[at] = process;
	named->count++;
	named->last = process;
}

/* The name of a process stands for all of its threads, unless other threads have it, too. */
static int find_by_name(struct target *target)
{
	struct named processes = { .count = 0 }, others = { .count = 0 };
	glob_t all;

	if (glob("/proc/[0-9]*/task/*/comm", 0, NULL, &all))
		return refuse_none(target->text);
	for (size_t i = 0; i < all.gl_pathc; i++) {
		pid_t process, thread;
		char name[16];

		if (!sysfile_line(all.gl_pathv[i], name, sizeof(name)) || strcmp(name, target->text) ||
		    sscanf(all.gl_pathv[i], "/proc/%d/task/%d", &process, &thread) != 2)
			continue;
		note_process(process == thread ? &processes : &others, process);
	}
	globfree(&all);
	if (processes.count > 1 || (!processes.count && others.count > 1)) {
		struct named *several = processes.count ? &processes : &others;

		return refuse_several(target->text, several->first, several->count);
	}
	target->process = processes.count ? processes.last : others.last;
	target->name = processes.count ? NULL : target->text;
	return target->process ? EXIT_MEASURED : refuse_none(target->text);
}

static bool is_on(const char *list, const struct thread *thread)
{
	char number[16];
	size_t length;

	snprintf(number, sizeof(number), "%d", thread->id);
	for (; *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if ((length == strlen(number) && !strncmp(list, number, length)) ||
		    (length == strlen(thread->name) && !strncmp(list, thread->name, length)))
			return true;
	}
	return false;
}

static bool is_meant(const struct target *target, const struct thread *thread)
{
	if (target->wanted)
		return is_on(target->wanted, thread);
	return (!target->thread || thread->id == target->thread) &&
	       (!target->name || !strcmp(thread->name, target->name));
}

/* Returns false when it has ended. */
static bool describe(struct thread *thread)
{
	int stat = process_open(thread->id);
	bool alive = !task_thread_has_ended(stat);
	char count[16];

	if (stat >= 0)
		close(stat);
	sysfile_line(sysfile_path("/proc/%d/comm", thread->id), thread->name, sizeof(thread->name));
	sched_state_read(thread->id, &thread->state);
	sysfile_value(sysfile_path("/proc/%d/status", thread->id), "Cpus_allowed_list:", thread->cpus,
		      sizeof(thread->cpus));
	sysfile_value(sysfile_path("/proc/%d/status", thread->id), "Threads:", count, sizeof(count));
	thread->siblings = atoi(count);
	return alive && *thread->name;
}

/* Of no other source the meter is to lock such memory. */
static int make_room(void)
{
	if (!found)
		found = calloc(CPUS_MAX, sizeof(*found));
	if (found)
		return EXIT_MEASURED;
	warn("--source=task: allocate memory: %m; free some");
	return EXIT_NOT_MEASURED;
}

int task_thread_expect(struct source *source)
{
	int status = make_room();

	source->thread_count = TASK_MOST;
	source->threads = found;
	return status;
}

void task_thread_look(struct thread *thread)
{
	struct thread seen = { .id = thread->id };

	if (describe(&seen))
		*thread = seen;
}

static int by_number(const void *a, const void *b)
{
	return ((const struct thread *)a)->id - ((const struct thread *)b)->id;
}

/* Those that find no room are counted. */
static void take_threads(const struct target *target, struct source *source)
{
	DIR *folder = opendir(sysfile_path("/proc/%d/task", target->process));
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		struct thread thread = { .id = atoi(entry->d_name) };

		if (!thread.id || !describe(&thread) || !is_meant(target, &thread))
			continue;
		if (source->thread_count++ < CPUS_MAX)
			source->threads[source->thread_count - 1] = thread;
	}
	if (folder)
		closedir(folder);
	qsort(source->threads, lesser(source->thread_count, CPUS_MAX), sizeof(*source->threads), by_number);
}

/* Each entry of the list must mean a thread. */
static int check_wanted(const struct target *target, const struct source *source)
{
	char *list = target->wanted ? strdup(target->wanted) : NULL, *rest = list, *entry;
	int status = EXIT_MEASURED;

	while (!status && (entry = strsep(&rest, ","))) {
		bool is_there = false;

		for (unsigned i = 0; i < source->thread_count; i++)
			is_there |= is_on(entry, &source->threads[i]);
		if (is_there)
			continue;
		warn("--threads=%s: process %d has no thread '%s'; ps -L -p %d lists them by LWP and CMD",
		     target->wanted, target->process, entry, target->process);
		status = EXIT_NO_DEVICE;
	}
	free(list);
	return status;
}

static int check_count(const struct target *target, const struct source *source)
{
	if (!source->thread_count)
		return refuse_none(target->text);
	if (source->thread_count <= CPUS_MAX)
		return EXIT_MEASURED;
	warn("--source=task:%s: it has %u threads; name %d or fewer of them, as in --threads=%d", target->text,
	     source->thread_count, CPUS_MAX, source->threads[0].id);
	return EXIT_NOT_MEASURED;
}

int task_thread_find(const char *text, const char *wanted, struct source *source)
{
	struct target target = { .text = text };
	uint64_t number;
	int status = make_room();

	if (!status)
		status = units_count(text, 1, INT32_MAX, &number) ? find_by_name(&target)
								  : find_by_number(&target, number);
	if (wanted)
		target.thread = 0;
	if (wanted && strcmp(wanted, "all"))
		target.wanted = wanted;
	else if (wanted)
		target.name = NULL;
	source->thread_count = 0;
	source->threads = found;
	if (!status) {
		take_threads(&target, source);
		status = check_wanted(&target, source);
	}
	return status ? status : check_count(&target, source);
}
