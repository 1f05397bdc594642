// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "standing.h"

const char *standing_policy_name(int policy)
{
	return policy == SCHED_FIFO ? "fifo" : policy == SCHED_RR ? "rr" :
	       policy == SCHED_OTHER ? "other" : "unknown";
}

int standing_open(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool standing_asleep(int fd)
{
	char line[512] = "";
	const char *state;

	if (pread(fd, line, sizeof(line) - 1, 0) < 0)
		return false;
	state = strrchr(line, ')');
	return state && state[1] == ' ' && state[2] == 'S';
}

/* Kernels without CONFIG_SCHED_DEBUG do not say. */
static int64_t migrations(pid_t pid)
{
	char path[32] = "/proc/self/sched", line[128];
	int64_t count = -1;
	FILE *file;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/sched", pid);
	file = fopen(path, "re");
	while (file && count < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "se.nr_migrations : %" SCNd64, &count) != 1)
			count = -1;
	if (file)
		fclose(file);
	return count;
}

void standing_read(pid_t pid, struct standing *standing)
{
	struct sched_param param = { 0 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	sched_getparam(pid, &param);
	sched_getaffinity(pid, sizeof(cpus), &cpus);
	*standing = (struct standing){
		.policy = sched_getscheduler(pid), .priority = param.sched_priority,
		.cpus = CPU_COUNT(&cpus), .migrations = migrations(pid),
	};
	while (standing->cpus && !CPU_ISSET(standing->first_cpu, &cpus))
		standing->first_cpu++;
}
