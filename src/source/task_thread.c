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
#include "source/registry.h"
#include "source/task.h"

#define NAMED_MOST 5			/* processes that are listed in a message */
#define NEWCOMERS_NAMED 8		/* with their numbers and names */

static struct thread *found;		/* CPUS_MAX; they live as long as the program */

/* A process, and which of its threads are meant. */
struct target {
	const char *text;		/* as the user named it */
	pid_t process;			/* 0: there is none */
	pid_t thread;			/* only this one; 0: any */
	const char *name;		/* only those of this name; NULL: any */
	const char *wanted;		/* only those of this list; NULL: any */
};

char task_thread_state(int stat)
{
	char state = stat < 0 ? 0 : process_state(stat);

	return state && state != 'Z' ? state : 'X';
}

static int refuse_none(const char *text)
{
	return fail(EXIT_NO_DEVICE, "--source=task:%s: there is no such thread; name one that ps -eL lists, by its LWP "
		    "or its CMD", text);
}

/* The number of a process stands for all of its threads. */
static int find_by_number(struct target *target, pid_t number)
{
	char process[16];

	if (!sysfile_value(sysfile_path("/proc/%d/status", number), "Tgid:", process, sizeof(process)))
		return refuse_none(target->text);
	target->process = atoi(process);
	target->thread = target->process == number ? 0 : number;
	return EXIT_MEASURED;
}

/* Numbers in the paths are sorted by value. */
static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* The name of a process stands for all of its threads; another name, for the threads of one process that have it. */
static int find_by_name(struct target *target)
{
	static const char *const patterns[] = { "/proc/[0-9]*/comm", "/proc/[0-9]*/task/*/comm" };
	char list[64] = "", name[16];
	unsigned count = 0;

	for (unsigned i = 0; !count && i < 2; i++) {
		glob_t all;

		if (glob(patterns[i], GLOB_NOSORT, NULL, &all))
			continue;
		qsort(all.gl_pathv, all.gl_pathc, sizeof(*all.gl_pathv), by_version);
		for (size_t j = 0; j < all.gl_pathc; j++) {
			pid_t process = atoi(all.gl_pathv[j] + strlen("/proc/"));

			if (!sysfile_line(all.gl_pathv[j], name, sizeof(name)) || strcmp(name, target->text) ||
			    process == target->process)
				continue;
			if (count++ < NAMED_MOST)
				text_append(list, sizeof(list), "%s%d", *list ? ", " : "", process);
			target->process = process;
			target->name = i ? target->text : NULL;
		}
		globfree(&all);
	}
	if (!count)
		return refuse_none(target->text);
	if (count == 1)
		return EXIT_MEASURED;
	return fail(EXIT_NOT_MEASURED, "--source=task:%s: %u processes have that name or a thread of that name: %s%s; "
		    "give the number of one", target->text, count, list, count > NAMED_MOST ? ", ..." : "");
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

/* Set all that is known of the thread with this id. Returns false when it has ended. */
static bool describe(struct thread *thread)
{
	int stat = process_open(thread->id);
	bool alive = task_thread_state(stat) != 'X';
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

void task_thread_note(struct thread *first, pid_t thread)
{
	struct thread newcomer = { .id = thread };

	if (first->newcomers++ > NEWCOMERS_NAMED)
		return;
	describe(&newcomer);
	if (first->newcomers > NEWCOMERS_NAMED)
		text_append(first->newcomer, sizeof(first->newcomer), ", ...");
	else
		text_append(first->newcomer, sizeof(first->newcomer), "%s%d%s%s", first->newcomers > 1 ? ", " : "",
			    thread, *newcomer.name ? " " : "", newcomer.name);
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

/* Each entry of the list must name a thread. */
static int check_wanted(const struct target *target, const struct source *source)
{
	char *list = target->wanted ? strdup(target->wanted) : NULL, *rest = list, *entry;
	unsigned count = lesser(source->thread_count, CPUS_MAX), i;

	do {
		entry = strsep(&rest, ",");
		for (i = 0; entry && i < count && !is_on(entry, &source->threads[i]); i++)
			;
	} while (entry && i < count);
	if (entry)
		warn("--threads=%s: process %d has no thread '%s'; ps -L -p %d lists them by LWP and CMD",
		     target->wanted, target->process, entry, target->process);
	free(list);
	return entry ? EXIT_NO_DEVICE : EXIT_MEASURED;
}

/* Room is allocated on demand, so that a meter of another source does not lock it. */
int task_thread_find(struct source *source)
{
	struct target target = { .text = source->target, .wanted = source->wanted };
	uint64_t number;
	int status;

	if (!target.text || !*target.text)
		return fail(EXIT_NOT_MEASURED, "--source=task: name a thread or process, by its number or name, as in "
			    "--source=task:1234");
	found = found ? found : calloc(CPUS_MAX, sizeof(*found));
	if (!found)
		return source_refuse_memory(source);
	source->threads = found;
	source->thread_count = 0;
	status = units_count(target.text, 1, INT32_MAX, &number) ? find_by_name(&target)
								  : find_by_number(&target, number);
	if (target.wanted)
		target.thread = 0;
	if (target.wanted && !strcmp(target.wanted, "all"))
		target.wanted = target.name = NULL;
	if (!status) {
		take_threads(&target, source);
		status = check_wanted(&target, source);
	}
	if (!status && !source->thread_count)
		return refuse_none(target.text);
	if (status || source->thread_count <= CPUS_MAX)
		return status;
	return fail(EXIT_NOT_MEASURED, "--source=task:%s: it has %u threads; name %d or fewer of them, as in "
		    "--threads=%d", target.text, source->thread_count, CPUS_MAX, source->threads[0].id);
}
