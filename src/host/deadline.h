/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCHED_DEADLINE: a task has a share of the CPU, and none that has a priority comes before it. */
#ifndef HOST_DEADLINE_H
#define HOST_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct deadline {
	uint64_t runtime_ns;	/* the CPU time that it may use in each period */
	uint64_t deadline_ns;	/* how long after the beginning of a period it will have had that time */
	uint64_t period_ns;
};

/* For a task that wakes once in each period. The kernel takes no runtime below 1024 ns. */
struct deadline deadline_of_period(uint64_t period_ns);

/*
 * Take SCHED_DEADLINE. Returns 0, or -1 with errno. The kernel forks no deadline
 * task, so a process that this one forks begins as an ordinary one.
 */
int deadline_take(const struct deadline *wanted);

/* What the kernel has granted to this process. Returns false if it has another policy. */
bool deadline_granted(struct deadline *granted);

#endif
