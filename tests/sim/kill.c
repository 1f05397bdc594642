// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signals, and how processes stop and end. They are real: only when they come is
 * ours to say. A process that waits for its turn blocks all, and heeds them then.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim.h"

static bool to_stop;			/* this process, when it has given its turn away */

struct look process_look(pid_t pid)
{
	struct look look = { .state = 'X' };
	char path[32], text[4096] = "";
	const char *line;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	fd = raw(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return look;
	raw(SYS_read, fd, text, sizeof(text) - 1);
	raw(SYS_close, fd);
	if ((line = strstr(text, "\nState:")))
		sscanf(line, "\nState: %c", &look.state);
	if ((line = strstr(text, "\nPPid:")))
		sscanf(line, "\nPPid: %d", &look.parent);
	if ((line = strstr(text, "\nvoluntary_ctxt_switches:")))
		sscanf(line, "\nvoluntary_ctxt_switches: %ld", &look.switches);
	return look;
}

static long await_sleep(pid_t pid)
{
	struct look look;

	while ((look = process_look(pid)).state != 'S')
		sched_yield();
	return look.switches;
}

/* A process counts as stopped before its parent gets SIGCHLD, after which it goes to sleep. */
static void await_stop(pid_t pid, long switches)
{
	struct look look;

	while ((look = process_look(pid)).state != 'T' || look.switches <= switches)
		sched_yield();
}

/* That its end is known may precede SIGCHLD, but for both the kernel has a lock, which waitid() takes. */
static void await_end(pid_t pid)
{
	struct pollfd end = { .fd = raw(SYS_pidfd_open, pid, 0), .events = POLLIN };
	siginfo_t info;

	if (end.fd < 0 && errno != ESRCH)
		world_abort("pidfd_open: %s; the simulation needs Linux 5.3", strerror(errno));
	while (end.fd >= 0 && raw(SYS_ppoll, &end, 1L, NULL, NULL, 0L, UNTRAPPED) < 0)
		;
	raw(SYS_close, end.fd);
	raw(SYS_waitid, P_ALL, 0L, &info, WEXITED | WNOHANG | WNOWAIT, NULL, UNTRAPPED);
}

/* When a process group has lost its last relative outside, the kernel lets those go on that are stopped in it. */
static void notice_continued(void)
{
	for_each_process(process) {
		if (process->dead || process == self || !process->stopped || process_look(process->pid).state == 'T')
			continue;
		process->stopped = false;
		process->ready = true;
	}
}

void process_settle(void)
{
	pid_t pid = world->leaving;

	if (!pid)
		return;
	world->leaving = 0;
	if (!process_of(pid)->dead) {
		await_stop(pid, world->switches);
	} else {
		await_end(pid);
		notice_continued();
	}
}

/* The children get the signal that they asked for, which the kernel would send them a moment later. */
static void die(struct process *process, const char *how)
{
	process->dead = true;
	world_log("%s %s after %u calls, %u wake-ups", process->name, how, process->calls, process->wakeups);
	for_each_process(child) {
		if (child->dead || child->parent != process - world->process)
			continue;
		child->parent = -1;
		if (child->parent_death)
			process_signal_to(child, child->parent_death);
	}
	turn_rouse(FOR_ANYTHING);
}

static void kill_process(struct process *process)
{
	if (process == self) {
		die(process, "is killed");
		world->leaving = process->pid;
		return;
	}
	raw(SYS_kill, process->pid, SIGKILL);
	await_end(process->pid);
	die(process, "is killed");
	notice_continued();
}

static void stop_process(struct process *process)
{
	long switches;

	if (process->stopped)
		return;
	process->stopped = true;
	if (process == self) {
		world->leaving = process->pid;
		to_stop = true;
		turn_rouse(FOR_ANYTHING);	/* its parent gets SIGCHLD now */
		return;
	}
	switches = await_sleep(process->pid);
	raw(SYS_kill, process->pid, SIGSTOP);
	await_stop(process->pid, switches);
	turn_rouse(FOR_ANYTHING);
}

static void continue_process(struct process *process)
{
	bool stopped = process->stopped;

	process->stopped = false;
	process->ready = true;
	if (process == self)
		world->leaving = to_stop = false;
	raw(SYS_kill, process->pid, SIGCONT);
	if (stopped && process != self)
		await_sleep(process->pid);
	turn_rouse(FOR_ANYTHING);
}

void process_signal_to(struct process *process, int signal)
{
	if (process->dead)
		return;
	if (signal == SIGKILL) {
		kill_process(process);
	} else if (signal == SIGSTOP) {
		stop_process(process);
	} else if (signal == SIGCONT) {
		continue_process(process);
	} else {
		raw(SYS_kill, process->pid, signal);
		process->ready = true;
	}
}

void process_stop_now(void)
{
	if (to_stop)
		raw(SYS_kill, getpid(), SIGSTOP);
	to_stop = false;
}

void process_end(const char *how)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	rtc_leave();
	die(self, how);
	world->leaving = getpid();
	turn_pass();
	self = NULL;
}

static void take_signal(int signal)
{
	const struct timespec at_once = { 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	raw(SYS_rt_sigtimedwait, &set, NULL, &at_once, 8L, 0L, UNTRAPPED);
}

/* What it does without a handler: 'i'gnored, 's'tops, 'k'ills. */
static char usual_effect(int signal)
{
	switch (signal) {
	case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH: return 'i';
	case SIGTSTP: case SIGTTIN: case SIGTTOU: return 's';
	default: return 'k';
	}
}

/* Returns whether its handler is to run. */
static bool heed(int signal)
{
	struct sigaction action;

	sigaction(signal, NULL, &action);
	if (action.sa_handler != SIG_DFL)
		return action.sa_handler != SIG_IGN;
	if (usual_effect(signal) == 'k')
		process_end("is killed");
	if (usual_effect(signal) == 's') {
		take_signal(signal);
		stop_process(self);
		turn_pass();
	}
	return false;
}

bool process_heed(const sigset_t *mask)
{
	bool interrupted = false;
	sigset_t pending;

	sigpending(&pending);
	for (int signal = 1; self && signal < 32; signal++)
		if (sigismember(&pending, signal) && !sigismember(mask, signal))
			interrupted |= heed(signal);
	return interrupted;
}

/* Those that it no longer blocks come now. */
int sigprocmask(int how, const sigset_t *mask, sigset_t *former)
{
	if (self && mask && how == SIG_SETMASK)
		process_heed(mask);
	return NEXT(sigprocmask, how, mask, former);
}
