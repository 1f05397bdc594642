/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How this process stands with the scheduler, in the kernel's own word. */
#ifndef STANDING_H
#define STANDING_H

#include <stdint.h>

struct standing {
	int policy;		/* as sched(7) numbers them */
	int priority;
	int cpus;		/* on how many it may run */
	int first_cpu;		/* the first of them */
	int64_t migrations;	/* so far, from one CPU to another; -1: unknown */
};

/* "fifo", "rr", "other", else "unknown". */
const char *standing_policy_name(int policy);

void standing_read(struct standing *standing);

#endif
