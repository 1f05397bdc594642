// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes begin, end and signal each other; each scheduling policy and CPU is granted, and is a note. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim.h"

pid_t fork(void)
{
	struct process *child;
	pid_t pid;

	if (script_fails("fork"))
		return -1;
	if (!self)
		return NEXT(fork);
	child = process_add();
	pid = NEXT(fork);
	if (pid < 0)
		world_abort("fork: %s", strerror(errno));
	if (pid == 0) {
		self = child;
		turn_take();
		return 0;
	}
	child->pid = pid;
	child->ready = self->ready = true;
	turn_wait(NEVER, FOR_TIME);
	return pid;
}

/* Only what is simulated, too, may be executed. */
int execve(const char *path, char *const arguments[], char *const environment[])
{
	if (script_fails("execve"))
		return -1;
	for (char *const *word = environment; self; word++) {
		if (!*word)
			world_abort("%s executes %s without the simulation", self->name, path);
		if (!strncmp(*word, "SIM=", 4))
			break;
	}
	return NEXT(execve, path, arguments, environment);
}

int execvp(const char *file, char *const arguments[])
{
	return script_fails("execvp") ? -1 : NEXT(execvp, file, arguments);
}

void _exit(int status)
{
	if (self)
		process_end("ends");
	for (;;)
		raw(SYS_exit_group, status);
}

void process_send(struct process *process, int signal)
{
	sigset_t all, mask;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	process_signal_to(process, signal);
	process_heed(&mask);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

/* pid is as kill() has it: a negative one is a process group. Only one of ours is signalled here. */
static bool is_meant(const struct process *process, pid_t pid)
{
	if (process->dead)
		return false;
	return pid > 0 ? process->pid == pid : getpgid(process->pid) == -pid;
}

static int send(pid_t pid, int signal)
{
	bool any = false;

	if (!self || !signal)
		return raw(SYS_kill, pid, signal);
	for_each_process(process) {
		if (!is_meant(process, pid))
			continue;
		process_send(process, signal);
		any = true;
	}
	if (!any)
		return raw(SYS_kill, pid, signal);
	if (!process_may_run(self)) {
		self->ready = true;
		turn_wait(NEVER, FOR_TIME);
	}
	return 0;
}

int kill(pid_t pid, int signal)
{
	return script_fails("kill") ? -1 : send(pid, signal);
}

int raise(int signal)
{
	return kill(getpid(), signal);
}

int prctl(int option, ...)
{
	unsigned long argument[4];
	va_list args;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		argument[i] = va_arg(args, unsigned long);
	va_end(args);
	if (script_fails("prctl"))
		return -1;
	if (self && option == PR_GET_TIMERSLACK)
		return 50000;
	if (!self || option != PR_SET_PDEATHSIG)
		return raw(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3]);
	self->parent_death = argument[0];
	return 0;
}

int signalfd(int fd, const sigset_t *signals, int flags)
{
	if (script_fails("signalfd"))
		return -1;
	if (self)
		world->settled |= self->role == KEEPER;
	return NEXT(signalfd, fd, signals, flags);
}

/* What is not to be had here. The script may have another reason. */
static long refuse(long number)
{
	static const struct {
		long number;
		const char *name;
	} absent[] = {
		{ SYS_perf_event_open, "perf_event_open" }, { SYS_fsopen, "fsopen" }, { SYS_io_uring_setup, "io_uring_setup" },
	};

	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		if (absent[i].number == number && script_fails(absent[i].name))
			return -1;
	errno = ENOSYS;
	return -1;
}

/* What the C library has no function for. */
long syscall(long number, ...)
{
	long argument[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	if (!self)
		return raw(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
	switch (number) {
	case SYS_pidfd_open:
		return script_fails("pidfd_open") ? -1 :
		       descriptor_set(raw(SYS_pidfd_open, argument[0], 0L), HELD, argument[0]);
	case SYS_pidfd_send_signal:
		return script_fails("kill") ? -1 : send(descriptor_get(argument[0]).pid, argument[1]);
	case SYS_capget: case SYS_capset:
		return raw(number, argument[0], argument[1]);
	case SYS_statx:
		return raw(number, argument[0], argument[1], argument[2], argument[3], argument[4]);
	case SYS_renameat2:
		return script_fails("renameat2") ? -1 :
		       raw(number, argument[0], argument[1], argument[2], argument[3], argument[4]);
	case SYS_io_setup:
		return script_fails("io_setup") ? -1 : 0;
	default:
		return refuse(number);
	}
}

/* To become ordinary is never refused. */
int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	struct process *process = pid && self ? process_of(pid) : self;

	if (script_fails("sched_setscheduler") && policy != SCHED_OTHER)
		return -1;
	if (!process)
		return raw(SYS_sched_setscheduler, pid, policy, param);
	process->policy = policy;
	process->priority = param->sched_priority;
	return 0;
}

int sched_getscheduler(pid_t pid)
{
	struct process *process = pid && self ? process_of(pid) : self;

	return process ? process->policy : raw(SYS_sched_getscheduler, pid);
}

int sched_getparam(pid_t pid, struct sched_param *param)
{
	struct process *process = pid && self ? process_of(pid) : self;

	if (!process)
		return raw(SYS_sched_getparam, pid, param);
	param->sched_priority = process->priority;
	return 0;
}

int mlockall(int flags)
{
	(void)flags;
	if (script_fails("mlockall"))
		return -1;
	if (self)
		self->locked = true;
	return 0;
}

int munlockall(void)
{
	if (self)
		self->locked = false;
	return 0;
}
