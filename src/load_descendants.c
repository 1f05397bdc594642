// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "load_descendants.h"

#define LONGEST_PAUSE_MS 100

struct process {
	pid_t pid, parent;
	unsigned long long started;	/* in ticks of the kernel */
	char name[32];
	bool ours;
};

struct processes {
	struct process *of;
	size_t count, room;
};

/* The name may hold anything. */
static void copy_name(char *to, size_t size, const char *from, const char *end)
{
	snprintf(to, size, "%.*s", (int)(end - from), from);
	for (; *to; to++)
		if (*to < ' ' || *to > '~' || *to == ';')
			*to = '?';
}

/* The process of that number; without a parent when it is dead. */
static struct process read_process(pid_t pid)
{
	struct process process = { .pid = pid };
	char path[32], line[512];
	const char *name, *end;
	size_t length;
	char state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return process;
	length = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[length] = '\0';
	name = strchr(line, '(');
	end = strrchr(line, ')');
	if (!end || sscanf(end, ") %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
			   &state, &process.parent, &process.started) != 3 || state == 'Z')
		process.parent = 0;
	else
		copy_name(process.name, sizeof(process.name), name + 1, end);
	return process;
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
	all->of[all->count++] = read_process(pid);
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

/* Generation by generation, until one has no children. Returns how many there are. */
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

/* Kernels before 5.3, and filters older than that, have no such call. */
static int hold(pid_t pid)
{
#ifdef SYS_pidfd_open
	return syscall(SYS_pidfd_open, pid, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}

static int send_held(int held, int signal)
{
#ifdef SYS_pidfd_send_signal
	return syscall(SYS_pidfd_send_signal, held, signal, NULL, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}

/*
 * It may have died since it was listed, and its number may be that of a process
 * which is not ours. So it is held, and only then seen to be the same still.
 */
static void signal_process(const struct process *process, int signal)
{
	int held = hold(process->pid);
	struct process now;

	if (held < 0 && errno == ESRCH)
		return;
	now = read_process(process->pid);
	if (now.parent && now.started == process->started) {
		if (held >= 0)
			send_held(held, signal);
		else
			kill(process->pid, signal);
	}
	if (held >= 0)
		close(held);
}

void load_descendants_signal(struct descendants *descendants, int signal)
{
	struct processes all = list_all();

	descendants->count = mark_ours(&all, descendants->spared);
	for (size_t i = 0; i < all.count; i++) {
		if (!all.of[i].ours)
			continue;
		if (all.of[i].started > descendants->youngest)
			descendants->youngest = all.of[i].started;
		signal_process(&all.of[i], signal);
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
	unsigned count = mark_ours(&all, descendants->spared);
	size_t first = 0;

	*text = '\0';
	while (count && !all.of[first].ours)
		first++;
	if (count == 1)
		snprintf(text, size, "%s (process %d)", all.of[first].name, all.of[first].pid);
	else if (count)
		snprintf(text, size, "%s (process %d) and %u other%s", all.of[first].name, all.of[first].pid,
			 count - 1, count == 2 ? "" : "s");
	free(all.of);
}
