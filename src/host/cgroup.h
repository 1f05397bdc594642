/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups, cgroups(7): a kernel with CONFIG_RT_GROUP_SCHED asks them
 * before a process may be real-time, and any kernel may freeze them.
 */
#ifndef HOST_CGROUP_H
#define HOST_CGROUP_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/refusal.h"

#define CGROUP_PATH 256		/* more than the names of real groups need */
#define CGROUP_FILE (2 * CGROUP_PATH + 32)

/* How much of each period real-time processes may run together: all of them, or those of our group. */
struct cgroup_runtime {
	char group[CGROUP_PATH];	/* "": all */
	char file[CGROUP_FILE];		/* in which runtime_us is set */
	long long runtime_us, period_us;	/* runtime_us below 0: no bound */
};

/* Of all. Returns false when it cannot be read. */
bool cgroup_read_global_runtime(struct cgroup_runtime *runtime);

/* Of our group. Returns false when the kernel sets it no bound, or none that can be read. */
bool cgroup_read_runtime(struct cgroup_runtime *runtime);

/*
 * Has our group no runtime, so that none of its processes may be real-time?
 * Both write the reason and the remedy when they return true, and leave the
 * rest of the refusal alone.
 */
bool cgroup_denies(struct refusal *refusal);

/*
 * Could it be the group? Version 2 has no file that says so. A kernel that asks
 * the groups of version 2 grants real-time processes to the root group only.
 */
bool cgroup_may_deny(struct refusal *refusal);

enum cgroup_sight {
	CGROUP_NONE,			/* there is no such group, or the root group, which has no such file */
	CGROUP_FOUND,
	CGROUP_HIDDEN,			/* it is not mounted where we could see it */
};

/*
 * Find a file in the group of the process: that of a controller of version 1,
 * or with "" that of version 2. Without one, path is "".
 */
enum cgroup_sight cgroup_find_file(pid_t pid, const char *controller, const char *name, char path[CGROUP_FILE]);

#endif
