// SPDX-License-Identifier: GPL-2.0-or-later
/* How the load starts, and ends with all of its descendants, whatever process groups and sessions they created. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/instant.h"
#include "base/text.h"
#include "host/sysfile.h"
#include "load/load.h"

#define SECOND_NS UINT64_C(1000000000)
#define LOOK_EVERY_MS 20
#define GRACE_NS (LOAD_GRACE_S * SECOND_NS)
#define KILLING_NS (LOAD_KILLING_S * SECOND_NS)

/* The children that a signal was sent to. */
struct signalled {
	unsigned count;
	pid_t first;
};

/* In the child. Returns only on failure, with errno. */
static void become_load(struct load *load, const struct caller *caller, const sigset_t *mask, pid_t parent)
{
	setpgid(0, 0);
	sysfile_value("/proc/self/status", "Cpus_allowed_list:", load->cpus, sizeof(load->cpus));
	/* When memory runs out, the kernel must kill the load and not a process that measures. It may refuse that. */
	if (write(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC), "1000", 4) < 0)
		errno = 0;
	dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);	/* standard output is the report's */
	if (privilege_become(caller) < 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
	signal(SIGXFSZ, SIG_DFL);	/* we ignore it; the load must not inherit that */
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(load->command[0], load->command);
}

/* The pipe is closed when the command is executed, or the process ends first. */
int load_start(struct load *load, const struct caller *caller, const sigset_t *mask)
{
	pid_t self = getpid(), pid;
	int ends[2];
	char none;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		become_load(load, caller, mask, self);
		load->error = errno;
		_exit(127);
	}
	if (pid < 0)
		load->error = errno;
	close(ends[1]);
	if (pid > 0 && read(ends[0], &none, 1) == 0 && load->error)
		waitpid(pid, NULL, 0);
	close(ends[0]);
	load->pid = pid;
	errno = load->error;
	return load->error ? -1 : 0;
}

bool load_reap(struct load *load, enum load_end why)
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
	load_reap(load, LOAD_WITH_RUN);
	return load->gone;
}

/* Signal a child and the process group that it leads, if any. No other process gets its number before we reap it. */
static void signal_child(pid_t child, int signal)
{
	if (kill(-child, signal) < 0)
		kill(child, signal);
}

/* Signal the load's process group, if any is left; in the keeper, only if it has an unreaped child. */
static struct signalled signal_group(const struct load *load, int signal, pid_t standby)
{
	pid_t reaped = load->end == LOAD_RUNNING ? 0 : -1;

	if (load->pid <= 0)
		return (struct signalled){ .count = 0 };
	if (standby)
		reaped = waitpid(-load->pid, NULL, WNOHANG);
	if (reaped == 0)
		signal_child(load->pid, signal);
	return (struct signalled){ .count = reaped >= 0, .first = load->pid };
}

/*
 * Signal what is left of the load: our children. A descendant becomes one when its parent ends. The keeper has others:
 * those up to the standby in the kernel's list, oldest first, and the meters, in its own process group. standby is 0 in
 * the standby. Without the list (CONFIG_PROC_CHILDREN) only the process group of the load is known.
 */
static struct signalled signal_load(const struct load *load, int signal, pid_t standby)
{
	char *children = sysfile_text(sysfile_path("/proc/self/task/%d/children", getpid()));
	struct signalled signalled = { .count = 0 };
	bool is_past = false;
	pid_t child;

	if (!children)
		return signal_group(load, signal, standby);
	for (char *next = children; (child = strtol(next, &next, 10)) > 0;) {
		bool spared = standby && (!is_past || getpgid(child) == getpgrp());

		is_past |= child == standby;
		if (spared)
			continue;
		signal_child(child, signal);
		if (standby)
			waitpid(child, NULL, WNOHANG);
		if (!signalled.count++)
			signalled.first = child;
	}
	free(children);
	return signalled;
}

/* "stress-ng (process 1234) and 2 others" */
static void name_left(struct load *load, struct signalled left)
{
	char name[32];

	if (!left.count)
		return;
	sysfile_line(sysfile_path("/proc/%d/comm", left.first), name, sizeof(name));
	for (char *c = name; *c; c++)
		if (*c < ' ' || *c > '~' || *c == ';')
			*c = '?';
	text_append(load->left, sizeof(load->left), "%s (process %d)", *name ? name : "?", left.first);
	if (left.count > 1)
		text_append(load->left, sizeof(load->left), " and %u other%s", left.count - 1,
			    left.count == 2 ? "" : "s");
}

/*
 * SIGTERM and SIGKILL are repeated, because they reach a descendant in another process group only once its parent has
 * ended. A process that waits for a disk or belongs to another user survives even SIGKILL.
 */
void load_finish(struct load *load)
{
	uint64_t began_ns = monotonic_ns(), next_ns = began_ns;

	if (!load->command || load->gone)
		return;
	for (; !is_gone(load) && monotonic_ns() - began_ns <= GRACE_NS; poll(NULL, 0, LOOK_EVERY_MS)) {
		if (monotonic_ns() < next_ns)
			continue;
		signal_load(load, SIGTERM, 0);
		signal_load(load, SIGCONT, 0);	/* a stopped process cannot handle SIGTERM */
		next_ns += SECOND_NS;
	}
	for (; !is_gone(load) && monotonic_ns() - began_ns <= GRACE_NS + KILLING_NS; poll(NULL, 0, LOOK_EVERY_MS))
		signal_load(load, SIGKILL, 0);
	if (!load->gone)
		name_left(load, signal_load(load, 0, 0));
}

void load_kill_orphans(struct load *load, pid_t standby)
{
	uint64_t began_ns = monotonic_ns();
	struct signalled left;

	if (!load->command || load->gone)
		return;
	while ((left = signal_load(load, SIGKILL, standby)).count && monotonic_ns() - began_ns < KILLING_NS)
		poll(NULL, 0, LOOK_EVERY_MS);
	load->gone = !left.count;
	name_left(load, left);
	if (load->end == LOAD_RUNNING) {
		load->ended_ns = monotonic_ns();
		load->end = LOAD_WITH_STANDBY;
	}
}

void load_tell_exit(const struct load *load, char *text, size_t size)
{
	bool known = load->end == LOAD_ITSELF || load->end == LOAD_WITH_RUN;

	if (known && WIFEXITED(load->status))
		snprintf(text, size, "exit status %d", WEXITSTATUS(load->status));
	else if (known && WIFSIGNALED(load->status))
		snprintf(text, size, "signal %d", WTERMSIG(load->status));
	else
		snprintf(text, size, "unknown");
}

void load_doubt(const struct load *load, uint64_t from_ns, uint64_t to_ns, bool limited, char *text, size_t size)
{
	char exit[32], when[64];

	*text = '\0';
	if (!load->command)
		return;
	load_tell_exit(load, exit, sizeof(exit));
	snprintf(when, sizeof(when), " after %.3f s of %.3f s", (load->ended_ns - from_ns) / 1e9,
		 (to_ns - from_ns) / 1e9);
	if (!from_ns || load->ended_ns < from_ns)
		strcpy(when, " before the first wake-up");
	else if (load->ended_ns > to_ns)
		strcpy(when, " after the last wake-up");
	if (load->over && !load->gone)
		snprintf(text, size, "%sthe load has not ended with the run%s%s",
			 load->end == LOAD_RUNNING ? "" : "a process of ", *load->left ? ": " : "", load->left);
	else if (load->end == LOAD_WITH_STANDBY)
		snprintf(text, size, "the load was ended%s: the standby was killed", when);
	else if (load->end == LOAD_ITSELF && load->status)
		snprintf(text, size, "the load failed%s: %s", when, exit);
	else if (load->end == LOAD_ITSELF && limited && load->ended_ns < to_ns)
		snprintf(text, size, "the load ended%s: %s", when, exit);
}
