/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_THREAD_H
#define MEASURE_THREAD_H

#include <sys/types.h>

#include "host/process.h"

/* A thread of another program, as it is when it is first seen or, of a command, last seen. */
struct thread {
	pid_t id;			/* 0: none yet */
	char name[16];
	unsigned siblings;		/* threads of its process, with itself */
	struct sched_state state;
	unsigned newcomers;		/* of the first that is measured: how many began in the process meanwhile, */
	char newcomer[240];		/* and which, or the first of them */
	char cpus[64];			/* on which it may run, as the kernel lists them */
};

#endif
