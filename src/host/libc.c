// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>

#include "host/libc.h"

/*
 * musl fails with ENOSYS, because POSIX means processes by these and Linux
 * threads, which is what is meant here. Weak, for a test may have its own.
 */
#ifndef __GLIBC__
#pragma weak sched_getparam
#pragma weak sched_getscheduler
#pragma weak sched_setscheduler

int sched_getparam(pid_t pid, struct sched_param *param)
{
	return syscall(SYS_sched_getparam, pid, param);
}

int sched_getscheduler(pid_t pid)
{
	return syscall(SYS_sched_getscheduler, pid);
}

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	return syscall(SYS_sched_setscheduler, pid, policy, param);
}
#endif
