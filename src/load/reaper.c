// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/instant.h"
#include "base/text.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "load/reaper.h"

#define LOOK_EVERY_MS 20
#define HELD_US 1000
#define GRACE_NS (REAPER_GRACE_S * UINT64_C(1000000000))
#define KILLING_NS (REAPER_KILLING_S * UINT64_C(1000000000))

struct found {
	unsigned count;
	struct process first;
};

/* When memory runs out, the kernel must kill the load and not a process that measures. */
static void offer_to_the_oom_killer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "1000", 4) < 0)
		errno = 0;
	close(fd);
}

/* In the child. Returns only on failure, with errno. */
static void become_load(struct load *load, const struct caller *caller, const sigset_t *mask, pid_t parent)
{
	setpgid(0, 0);
	sysfile_value("/proc/self/status", "Cpus_allowed_list:", load->cpus, sizeof(load->cpus));
	offer_to_the_oom_killer();
	dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);	/* standard output is the report's */
	if (privilege_become(caller) < 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
	signal(SIGXFSZ, SIG_DFL);	/* we ignore it; the load must not inherit that */
	sigprocmask(SIG_SETMASK, mask, NULL);
	while (load->held)
		usleep(HELD_US);
	execvp(load->command[0], load->command);
}

/* A successful exec closes the pipe; a failed one writes errno to it. Of a command that is held neither is awaited. */
int load_reaper_start(struct load *load, const struct caller *caller, const sigset_t *mask)
{
	int ends[2], error = 0;
	pid_t self = getpid(), pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		become_load(load, caller, mask, self);
		error = errno;
		if (write(ends[1], &error, sizeof(error)) < 0)
			_exit(126);
		_exit(127);
	}
	close(ends[1]);
	if (pid > 0 && !load->held && read(ends[0], &error, sizeof(error)) == sizeof(error))
		waitpid(pid, NULL, 0);
	else if (pid < 0)
		error = errno;
	close(ends[0]);
	load->pid = pid;
	errno = error;
	return error ? -1 : 0;
}

bool load_reaper_notices(struct load *load, enum load_end why)
{
	bool ended = false;
	int status;
	pid_t dead;

	while ((dead = waitpid(-1, &status, WNOHANG)) > 0) {
		if (dead == load->pid) {
			load->status = status;
			load->ended_ns = monotonic_ns();
			load->end = why;
			ended = true;
		}
	}
	load->gone = load->end != LOAD_RUNNING && dead < 0 && errno == ECHILD;
	return ended;
}

static bool is_gone(struct load *load)
{
	load_reaper_notices(load, LOAD_WITH_RUN);
	return load->gone;
}

/* Our child that is this process or an ancestor of it; one with pid 0 if there is none. */
static struct process child_above(struct process process)
{
	while (process.parent > 1 && process.parent != getpid())
		process = process_read(process.parent);
	return process.parent == getpid() ? process : (struct process){ .pid = 0 };
}

/* Start times count the kernel's ticks; of two processes started in one tick, the lower number is older. */
static bool is_older(const struct process *a, const struct process *b)
{
	return a->started != b->started ? a->started < b->started : a->pid < b->pid;
}

static bool is_of_load(const struct process *process, const struct bystanders *bystanders)
{
	const struct process child = child_above(*process);

	if (!child.pid || !bystanders)
		return child.pid;
	for (const pid_t *pid = bystanders->pids; *pid; pid++)
		if (*pid == child.pid)
			return false;
	return !is_older(&child, &bystanders->standby);
}

static int is_process(const struct dirent *entry)
{
	return atoi(entry->d_name) > 0;
}

/*
 * Signal all processes of the load; signal 0 only finds them. A process may die
 * and another one get its number, so each is held before it is examined. The
 * youngest comes first: one that forks and exits at once is gone a moment later.
 */
static struct found signal_all(int signal, const struct bystanders *bystanders)
{
	struct found found = { .count = 0 };
	struct dirent **entries;
	int count = scandir("/proc", &entries, is_process, versionsort);

	for (int i = count - 1; i >= 0; free(entries[i--])) {
		pid_t pid = atoi(entries[i]->d_name);
		int held = process_hold(pid);
		struct process process = process_read(pid);

		if (is_of_load(&process, bystanders)) {
			process_signal(held, pid, signal);
			if (!found.count++)
				found.first = process;
		}
		if (held >= 0)
			close(held);
	}
	if (count >= 0)
		free(entries);
	return found;
}

/* "stress-ng (process 1234) and 2 others" */
static void name_left(struct load *load, const struct found *found)
{
	if (found->count)
		text_append(load->left, sizeof(load->left), "%s (process %d)", found->first.name, found->first.pid);
	if (found->count > 1)
		text_append(load->left, sizeof(load->left), " and %u other%s", found->count - 1,
			    found->count == 2 ? "" : "s");
}

/*
 * Rounds are repeated, because one misses a process that is forked during it. A
 * process that waits for a disk or belongs to another user survives them all.
 */
void load_reaper_end(struct load *load)
{
	uint64_t told_ns = monotonic_ns();
	struct found left;

	if (!load->command || load->gone)
		return;
	signal_all(SIGTERM, NULL);
	signal_all(SIGCONT, NULL);	/* a stopped process cannot handle SIGTERM */
	while (!is_gone(load) && monotonic_ns() - told_ns <= GRACE_NS)
		poll(NULL, 0, LOOK_EVERY_MS);
	while (!is_gone(load) && monotonic_ns() - told_ns <= GRACE_NS + KILLING_NS) {
		signal_all(SIGKILL, NULL);
		poll(NULL, 0, LOOK_EVERY_MS);
	}
	if (load->gone)
		return;
	left = signal_all(0, NULL);
	name_left(load, &left);
}

/* The keeper cannot wait, as the standby does, until it has no child: the meters are its children, too. */
void load_reaper_kill_orphans(struct load *load, const struct bystanders *bystanders)
{
	uint64_t began_ns = monotonic_ns();
	struct found left;

	if (!load->command || load->gone)
		return;
	while ((left = signal_all(SIGKILL, bystanders)).count && monotonic_ns() - began_ns < KILLING_NS)
		poll(NULL, 0, LOOK_EVERY_MS);
	load->gone = !left.count;
	name_left(load, &left);
	if (load->end == LOAD_RUNNING) {
		load->ended_ns = monotonic_ns();
		load->end = LOAD_WITH_STANDBY;
	}
}
