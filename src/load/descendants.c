// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "load/descendants.h"

#define LONGEST_PAUSE_MS 100

struct member {
	struct process process;
	bool ours;
};

struct processes {
	struct member *of;
	size_t count, room;
};

static void add(struct processes *all, pid_t pid)
{
	if (all->count == all->room) {
		size_t room = all->room ? 2 * all->room : 256;
		struct member *more = realloc(all->of, room * sizeof(*more));

		if (!more)
			return;
		all->of = more;
		all->room = room;
	}
	all->of[all->count++] = (struct member){ .process = process_read(pid) };
}

static struct processes list_all(void)
{
	struct processes all = { .count = 0 };
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
		if (all->of[i].ours && all->of[i].process.pid == process->parent)
			return true;
	return false;
}

/* In one tick of the kernel, the lower number tells. */
static bool is_before(const struct process *a, const struct process *b)
{
	return a->started != b->started ? a->started < b->started : a->pid < b->pid;
}

static bool is_spared(const struct descendants *descendants, const struct process *process)
{
	for (const pid_t *spared = descendants->spared; spared && *spared; spared++)
		if (*spared == process->pid)
			return true;
	return is_before(process, &descendants->since);
}

/* Generation by generation, until one has no children. Returns how many there are. */
static unsigned mark_ours(struct processes *all, const struct descendants *descendants)
{
	unsigned ours = 0, before;

	do {
		before = ours;
		for (size_t i = 0; i < all->count; i++) {
			struct member *member = &all->of[i];

			if (member->ours || is_spared(descendants, &member->process) ||
			    !is_of_ours(all, &member->process))
				continue;
			member->ours = true;
			ours++;
		}
	} while (ours != before);
	return ours;
}

/*
 * It may have died since it was listed, and its number may be that of a process
 * which is not ours. So it is held, and only then seen to be the same still.
 */
static void signal_process(const struct process *process, int signal)
{
	int held = process_hold(process->pid);
	struct process now = process_read(process->pid);

	if (now.parent && now.started == process->started)
		process_signal(held, process->pid, signal);
	if (held >= 0)
		close(held);
}

void load_descendants_signal(struct descendants *descendants, int signal)
{
	struct processes all = list_all();

	descendants->count = mark_ours(&all, descendants);
	for (size_t i = 0; i < all.count; i++) {
		const struct process *process = &all.of[i].process;

		if (!all.of[i].ours)
			continue;
		if (process->started > descendants->youngest)
			descendants->youngest = process->started;
		signal_process(process, signal);
	}
	free(all.of);
}

void load_descendants_kill(struct descendants *descendants)
{
	unsigned long long youngest = descendants->youngest;

	load_descendants_signal(descendants, SIGKILL);
	if (descendants->youngest != youngest || !descendants->pause_ms)
		descendants->pause_ms = 1;
	else if (descendants->pause_ms < LONGEST_PAUSE_MS / 2)
		descendants->pause_ms *= 2;
	else
		descendants->pause_ms = LONGEST_PAUSE_MS;
}

void load_descendants_tell(const struct descendants *descendants, char *text, size_t size)
{
	struct processes all = list_all();
	unsigned count = mark_ours(&all, descendants);

	*text = '\0';
	for (size_t i = 0; i < all.count && !*text; i++)
		if (all.of[i].ours)
			text_append(text, size, "%s (process %d)", all.of[i].process.name, all.of[i].process.pid);
	if (count > 1)
		text_append(text, size, " and %u other%s", count - 1, count == 2 ? "" : "s");
	free(all.of);
}
