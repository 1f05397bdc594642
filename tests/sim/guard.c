// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * No call that waits may reach the kernel but those of this library, which have a
 * mark in an argument that the call does not take. The kernel looks for it, by a
 * filter that is inherited when a program is executed.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim.h"

static const struct {
	int number;
	const char *name;
} waits[] = {
#ifdef SYS_poll
	{ SYS_poll, "poll" }, { SYS_select, "select" }, { SYS_pause, "pause" }, { SYS_epoll_wait, "epoll_wait" },
#endif
	{ SYS_ppoll, "ppoll" }, { SYS_pselect6, "pselect6" }, { SYS_epoll_pwait, "epoll_pwait" },
	{ SYS_nanosleep, "nanosleep" }, { SYS_clock_nanosleep, "clock_nanosleep" },
	{ SYS_rt_sigsuspend, "rt_sigsuspend" }, { SYS_rt_sigtimedwait, "rt_sigtimedwait" },
	{ SYS_waitid, "waitid" }, { SYS_recvmsg, "recvmsg" }, { SYS_recvfrom, "recvfrom" }, { SYS_accept4, "accept4" },
};

#define WAITS (sizeof(waits) / sizeof(*waits))

static void catch(int signal, siginfo_t *info, void *context)
{
	const char *name = "wait4";

	(void)signal;
	(void)context;
	for (size_t i = 0; i < WAITS; i++)
		if (waits[i].number == info->si_syscall)
			name = waits[i].name;
	world_abort("%s would really sleep in %s()", self ? self->name : "a process that has left", name);
}

static struct sock_filter load_argument(unsigned number)
{
	unsigned at = offsetof(struct seccomp_data, args) + 8 * number;

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		at += 4;
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at);
}

/* The sanitizers wait for a thread of their own when a process ends, with __WALL. */
static void install_filter(void)
{
	struct sock_filter code[10 + 2 * WAITS] = {
		load_argument(5),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, UNTRAPPED, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_wait4, 0, 4),
		load_argument(2),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, __WALL, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	};
	struct sock_fprog program = { .filter = code };
	unsigned length = 9;

	for (size_t i = 0; i < WAITS; i++) {
		code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, waits[i].number, 0, 1);
		code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	}
	code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = length;
	if (raw(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1L) < 0 ||
	    raw(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		world_abort("seccomp: %s", strerror(errno));
}

void guard_install(bool first)
{
	struct sigaction action = { .sa_sigaction = catch, .sa_flags = SA_SIGINFO };

	sigaction(SIGSYS, &action, NULL);
	if (first)
		install_filter();
}
