/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control group, which a kernel with CONFIG_RT_GROUP_SCHED asks before a
 * process of it may be real-time: cgroups(7).
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>

#define CGROUP_PATH 256		/* more than the names of real groups need */

/* How much of each period the real-time processes of our group may run together. */
struct cgroup_runtime {
	char group[CGROUP_PATH];
	char file[2 * CGROUP_PATH + 32];
	long long runtime_us, period_us;
};

struct cgroup_denial {
	char reason[256];
	char remedy[768];
};

/* Returns false when the kernel sets our group no such bound, or none that can be read. */
bool cgroup_read_runtime(struct cgroup_runtime *runtime);

/* Has our group no runtime, so that none of its processes may be real-time? */
bool cgroup_denies(struct cgroup_denial *denial);

/*
 * Could it be the group? Version 2 has no file for it, and only the first group
 * may have real-time processes where the kernel asks at all.
 */
bool cgroup_may_deny(struct cgroup_denial *denial);

#endif
