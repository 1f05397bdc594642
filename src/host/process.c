// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/process.h"
#include "host/sysfile.h"

static const struct {
	const char *name;
	int policy;
} policies[] = {
	{ "fifo", SCHED_FIFO }, { "rr", SCHED_RR }, { "other", SCHED_OTHER },
};

#define INITIAL_PID_NAMESPACE "pid:[4026531836]"	/* the same for all kernels: PROC_PID_INIT_INO */
#define POLICIES (sizeof(policies) / sizeof(*policies))

int process_is_renumbered(void)
{
	char namespace[64] = "";

	if (readlink("/proc/self/ns/pid", namespace, sizeof(namespace) - 1) <= 0)
		return -1;
	return strcmp(namespace, INITIAL_PID_NAMESPACE) != 0;
}

const char *sched_state_policy_name(int policy)
{
	for (size_t i = 0; i < POLICIES; i++)
		if (policies[i].policy == policy)
			return policies[i].name;
	return "unknown";
}

int sched_state_policy(const char *name)
{
	for (size_t i = 0; i < POLICIES; i++)
		if (!strcmp(policies[i].name, name))
			return policies[i].policy;
	return -1;
}

/* The name may hold anything. */
static void copy_name(char *to, size_t size, const char *from, const char *end)
{
	snprintf(to, size, "%.*s", (int)(end - from), from);
	for (; *to; to++)
		if (*to < ' ' || *to > '~' || *to == ';')
			*to = '?';
}

static struct process read_stat(int fd)
{
	struct process process = { .parent = 0 };
	char line[512] = "";
	const char *name, *end;

	if (pread(fd, line, sizeof(line) - 1, 0) < 0)
		return process;
	name = strchr(line, '(');
	end = strrchr(line, ')');
	if (!end || sscanf(end, ") %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
			   &process.state, &process.parent, &process.started) != 3 || process.state == 'Z')
		process.parent = 0;
	else
		copy_name(process.name, sizeof(process.name), name + 1, end);
	return process;
}

int process_open(pid_t pid)
{
	return open(sysfile_path("/proc/%d/stat", pid), O_RDONLY | O_CLOEXEC);
}

char process_state(int fd)
{
	return read_stat(fd).state;
}

struct process process_read(pid_t pid)
{
	int fd = process_open(pid);
	struct process process = read_stat(fd);

	process.pid = pid;
	close(fd);
	return process;
}

/* Kernels before 5.3, and filters older than that, have no such call. */
int process_hold(pid_t pid)
{
#ifdef SYS_pidfd_open
	return syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

void process_signal(int held, pid_t pid, int signal)
{
#ifdef SYS_pidfd_send_signal
	if (held >= 0) {
		syscall(SYS_pidfd_send_signal, held, signal, NULL, 0);
		return;
	}
#endif
	(void)held;
	kill(pid, signal);
}

/* Kernels without CONFIG_SCHED_DEBUG do not say. */
static int64_t migrations(pid_t pid)
{
	const char *path = pid ? sysfile_path("/proc/%d/sched", pid) : "/proc/self/sched";
	char count[32];

	return sysfile_value(path, "se.nr_migrations", count, sizeof(count)) ? strtoll(count, NULL, 10) : -1;
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
