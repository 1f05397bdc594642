// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>

#include "standing.h"

const char *standing_policy_name(int policy)
{
	return policy == SCHED_FIFO ? "fifo" : policy == SCHED_RR ? "rr" :
	       policy == SCHED_OTHER ? "other" : "unknown";
}

/* Kernels without CONFIG_SCHED_DEBUG do not say. */
static int64_t migrations(void)
{
	FILE *file = fopen("/proc/self/sched", "re");
	int64_t count = -1;
	char line[128];

	while (file && count < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "se.nr_migrations : %" SCNd64, &count) != 1)
			count = -1;
	if (file)
		fclose(file);
	return count;
}

void standing_read(struct standing *standing)
{
	struct sched_param param = { 0 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	sched_getparam(0, &param);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	*standing = (struct standing){
		.policy = sched_getscheduler(0), .priority = param.sched_priority,
		.cpus = CPU_COUNT(&cpus), .migrations = migrations(),
	};
	while (standing->cpus && !CPU_ISSET(standing->first_cpu, &cpus))
		standing->first_cpu++;
}
