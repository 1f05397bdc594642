// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offspring.h"

struct process {
	pid_t pid, parent;
	bool ours;
};

struct processes {
	struct process *of;
	size_t count, room;
};

/* 0 when it is dead. The name in /proc/PID/stat may hold anything, parentheses too. */
static pid_t parent_of(pid_t pid)
{
	char path[32], line[512];
	const char *name_end;
	size_t length;
	pid_t parent;
	char state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	length = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[length] = '\0';
	name_end = strrchr(line, ')');
	if (!name_end || sscanf(name_end, ") %c %d", &state, &parent) != 2 || state == 'Z')
		return 0;
	return parent;
}

static void add(struct processes *all, pid_t pid)
{
	if (all->count == all->room) {
		size_t room = all->room ? 2 * all->room : 256;
		struct process *more = realloc(all->of, room * sizeof(*more));

		if (!more)
			return;
		all->of = more;
		all->room = room;
	}
	all->of[all->count++] = (struct process){ .pid = pid, .parent = parent_of(pid) };
}

static struct processes list_all(void)
{
	struct processes all = { NULL, 0, 0 };
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc)))
		if (atoi(entry->d_name) > 0)
			add(&all, atoi(entry->d_name));
	if (proc)
		closedir(proc);
	return all;
}

static bool is_of_ours(const struct processes *all, const struct process *process)
{
	if (process->parent == getpid())
		return true;
	for (size_t i = 0; i < all->count; i++)
		if (all->of[i].ours && all->of[i].pid == process->parent)
			return true;
	return false;
}

/* Generation by generation, until one has no children. */
static unsigned mark_ours(struct processes *all, pid_t spared)
{
	unsigned ours = 0, before;

	do {
		before = ours;
		for (size_t i = 0; i < all->count; i++) {
			struct process *process = &all->of[i];

			if (process->ours || process->pid == spared || !is_of_ours(all, process))
				continue;
			process->ours = true;
			ours++;
		}
	} while (ours != before);
	return ours;
}

unsigned offspring_signal(int signal, pid_t spared)
{
	struct processes all = list_all();
	unsigned ours = mark_ours(&all, spared);

	for (size_t i = 0; i < all.count; i++)
		if (all.of[i].ours)
			kill(all.of[i].pid, signal);
	free(all.of);
	return ours;
}
