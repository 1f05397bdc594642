// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sysprocess.h"

const char *sched_state_policy_name(int policy)
{
	return policy == SCHED_FIFO ? "fifo" : policy == SCHED_RR ? "rr" :
	       policy == SCHED_OTHER ? "other" : "unknown";
}

int sched_state_open(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool sched_state_asleep(int fd)
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

void sched_state_read(pid_t pid, struct sched_state *sched_state)
{
	struct sched_param param = { 0 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	sched_getparam(pid, &param);
	sched_getaffinity(pid, sizeof(cpus), &cpus);
	*sched_state = (struct sched_state){
		.policy = sched_getscheduler(pid), .priority = param.sched_priority,
		.cpus = CPU_COUNT(&cpus), .migrations = migrations(pid),
	};
	while (sched_state->cpus && !CPU_ISSET(sched_state->first_cpu, &cpus))
		sched_state->first_cpu++;
}
