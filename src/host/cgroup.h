/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control groups, cgroups(7): may our processes be real-time, and were they throttled, killed or frozen? */
#ifndef HOST_CGROUP_H
#define HOST_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"

#define CGROUP_PATH 256		/* more than the names of real groups need */
#define CGROUP_FILE (2 * CGROUP_PATH + 32)

/* How long real-time processes may run in each period: all of them together, or those of our group. */
struct cgroup_runtime {
	char group[CGROUP_PATH];	/* "": all */
	char file[CGROUP_FILE];		/* where runtime_us is set */
	long long runtime_us, period_us;	/* runtime_us below 0: no bound */
};

/* The limit of all real-time processes; and of our group. Returns false if there is none, or it cannot be read. */
bool cgroup_read_global_runtime(struct cgroup_runtime *runtime);
bool cgroup_read_runtime(struct cgroup_runtime *runtime);

/*
 * Write the reason and the remedy if our group has no runtime, so that none of its processes may be real-time; or, with
 * no other reason left, if it is not the root group of version 2: the kernel may then deny it silently.
 */
bool cgroup_denies(struct refusal *refusal, bool nothing_else);

/* How long a process's groups, and those above, have waited for a CPU with their share (cpu.max) used up. */
struct cgroup_throttled {
	char group[2][CGROUP_PATH];	/* of version 2, and of version 1; "": none */
	uint64_t us;			/* 0 if that is unknown */
};

/* Returns how long that was since the last look, in us; 0 if the process was moved to another group meanwhile. */
uint64_t cgroup_throttled_look(struct cgroup_throttled *throttled, pid_t pid);

/* Call it before a fork: limits that our control group reached earlier do not count. */
void cgroup_note_limits(void);

/* What to do if a process was killed, or fork failed: raise the limit reached, or the usual remedy. Keeps errno. */
const char *cgroup_limit_remedy(bool killed, const char *usual);

/* Whether a process was frozen with its group of version 2, by cgroup.freeze. */
struct freezer {
	pid_t pid;
	char group[CGROUP_PATH];	/* of the process */
	int events;			/* the group's cgroup.events, to be polled for POLLPRI; -1: none */

	bool frozen;			/* at the last look */
	bool was_frozen;		/* at any look, or between two of them */
};

/* At the start, once a second, and at the end: sees what happened since, even if this process was frozen as well. */
void freezer_look(struct freezer *freezer);

#endif
