// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/instant.h"
#include "host/process.h"
#include "host/sysfile.h"

#ifndef SYS_pidfd_open			/* headers before Linux 5.3; the numbers are those of all architectures */
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

#define INITIAL_PID_NAMESPACE "pid:[4026531836]"	/* the same for all kernels: PROC_PID_INIT_INO */
#define POLICIES (sizeof(policies) / sizeof(*policies))
#define REST_SPAN_NS UINT64_C(2000000000)

static const struct {
	const char *name;
	int policy;
} policies[] = {
	{ "fifo", SCHED_FIFO }, { "rr", SCHED_RR }, { "deadline", SCHED_DEADLINE }, { "other", SCHED_OTHER },
	{ "batch", SCHED_BATCH }, { "idle", SCHED_IDLE },
};

int process_is_renumbered(void)
{
	char namespace[64] = "";

	if (readlink("/proc/self/ns/pid", namespace, sizeof(namespace) - 1) <= 0)
		return -1;
	return strcmp(namespace, INITIAL_PID_NAMESPACE) != 0;
}

int process_open(pid_t pid)
{
	return open(sysfile_path("/proc/%d/stat", pid), O_RDONLY | O_CLOEXEC);
}

/* The state follows the name, which may hold anything, parentheses and blanks too. */
char process_state(int fd)
{
	char line[128] = "", *end;

	if (pread(fd, line, sizeof(line) - 1, 0) < 0)
		return '\0';
	end = strrchr(line, ')');
	return end && end[1] ? end[2] : '\0';
}

/* Kernels before 5.3, and seccomp filters older than that, have no such call. */
int process_hold(pid_t pid)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

void process_signal(int held, pid_t pid, int signal)
{
	if (held >= 0)
		syscall(SYS_pidfd_send_signal, held, signal, NULL, 0);
	else
		kill(pid, signal);
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

void sched_state_look(pid_t pid, struct sched_state *sched_state)
{
	struct sched_param param = { 0 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	sched_getparam(pid, &param);
	sched_getaffinity(pid, sizeof(cpus), &cpus);
	*sched_state = (struct sched_state){
		.policy = sched_getscheduler(pid) & ~SCHED_RESET_ON_FORK, .priority = param.sched_priority,
		.cpus = CPU_COUNT(&cpus), .migrations = -1,
	};
	while (sched_state->cpus && !CPU_ISSET(sched_state->first_cpu, &cpus))
		sched_state->first_cpu++;
}

/* Kernels without CONFIG_SCHED_DEBUG do not count migrations. */
void sched_state_read(pid_t pid, struct sched_state *sched_state)
{
	const char *path = pid ? sysfile_path("/proc/%d/sched", pid) : "/proc/self/sched";
	char migrations[32];

	sched_state_look(pid, sched_state);
	if (sysfile_value(path, "se.nr_migrations", migrations, sizeof(migrations)))
		sched_state->migrations = strtoll(migrations, NULL, 10);
}

bool sched_state_differs(const struct sched_state *one, const struct sched_state *other)
{
	return one->policy != other->policy || one->priority != other->priority ||
	       one->cpus != other->cpus || one->first_cpu != other->first_cpu;
}

pid_t process_tracer(pid_t pid)
{
	char tracer[16];

	sysfile_value(sysfile_path("/proc/%d/status", pid), "TracerPid", tracer, sizeof(tracer));
	return strtol(tracer, NULL, 10);
}

struct rest rest_begin(void)
{
	return (struct rest){ monotonic_ns(), clock_ns(CLOCK_THREAD_CPUTIME_ID) };
}

/* Throttling, where it is on, usually takes 5 % of the time, which is rest enough. */
bool rest_is_lacking(struct rest *rest)
{
	const struct rest now = rest_begin();
	uint64_t span_ns = now.since_ns - rest->since_ns, used_ns = now.used_ns - rest->used_ns;

	if (span_ns < REST_SPAN_NS)
		return false;
	*rest = now;
	return used_ns > span_ns - span_ns / 50;
}
