// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "syscapability.h"
#include "syscgroup.h"
#include "diag.h"
#include "setup.h"
#include "setup_cpus.h"
#include "sysprocess.h"
#include "sysfile.h"
#include "text.h"

#define STACK_BYTES (64 * 1024)		/* more than the loop and what it calls ever use */

/* Where refusals go: into the clause, and when less will not do, to the user, too. */
struct refusal {
	bool best_effort;
	char *clause;
	size_t size;
	bool told;
};

/* The reason goes beyond what errno says, or is "". The clause has one entry for each thing. */
static void refuse(struct refusal *refusal, const char *what, int error, const char *reason,
		   const char *remedy)
{
	if (!refusal->best_effort) {
		warn("%s: %s%s%s; %s, or use --best-effort", what, strerror(error),
		     *reason ? ": " : "", reason, remedy);
		refusal->told = true;
	}
	if (!strstr(refusal->clause, what))
		text_append(refusal->clause, refusal->size, "%s%s: %s",
			    *refusal->clause ? "; " : "", what, strerror(error));
}

struct setup setup_wanted(const struct options *options, int cpu)
{
	return (struct setup){
		.policy = options->policy, .priority = options->priority, .cpu = cpu,
		.hold_dma_latency = options->hold_dma_latency, .dma_latency_ns = options->dma_latency_ns,
		.best_effort = options->best_effort,
	};
}

static void touch_stack(void)
{
	volatile char stack[STACK_BYTES];

	for (size_t i = 0; i < sizeof(stack); i += 1024)
		stack[i] = 0;
}

static void lock_memory(struct refusal *refusal)
{
	char remedy[80];
	struct rlimit limit;
	int error;

	if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) {
		touch_stack();
		return;
	}
	error = errno;
	getrlimit(RLIMIT_MEMLOCK, &limit);
	snprintf(remedy, sizeof(remedy), "raise the limit (ulimit -l, now %llu kB) to 8192 kB",
		 (unsigned long long)limit.rlim_cur / 1024);
	refuse(refusal, "lock memory", error, "", remedy);
}

static void bind_cpus(struct refusal *refusal, const struct cpus *cpus)
{
	struct setup_cpus_refusal refused;
	int error = setup_cpus_bind(cpus, &refused);

	if (error)
		refuse(refusal, refused.what, error, refused.reason, refused.remedy);
}

void setup_leave_cpus(const struct cpus *cpus)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return;
	for (int i = 0; i < cpus->count; i++)
		CPU_CLR(cpus->number[i], &set);
	if (CPU_COUNT(&set))
		sched_setaffinity(0, sizeof(set), &set);
}

/* Have we the right to that priority, as root or by the limit? Refuses when we have not. */
static bool is_entitled(struct refusal *refusal, const char *what, int error, int priority)
{
	struct rlimit limit;
	char remedy[256];

	getrlimit(RLIMIT_RTPRIO, &limit);
	if (limit.rlim_cur >= (rlim_t)priority || capability_held(CAP_SYS_NICE))
		return true;
	snprintf(remedy, sizeof(remedy), "%s, or raise the rtprio limit (ulimit -r, now %llu) to %d",
		 capability_remedy("CAP_SYS_NICE"), (unsigned long long)limit.rlim_cur, priority);
	refuse(refusal, what, error, "", remedy);
	return false;
}

/* The kernel asks for the right first, and then the control group; if both lack, both are told. */
static void explain_policy(struct refusal *refusal, const char *what, int error, int priority)
{
	struct cgroup_denial denial;
	bool entitled = is_entitled(refusal, what, error, priority);

	if (cgroup_denies(&denial) || (entitled && cgroup_may_deny(&denial)))
		refuse(refusal, what, error, denial.reason, denial.remedy);
	else if (entitled)
		refuse(refusal, what, error, "neither a missing right nor the control group is the reason",
		       "look for a seccomp filter or a security module, such as a container's");
}

static void take_policy(struct refusal *refusal, const struct setup *setup, int policy)
{
	struct sched_param param = { .sched_priority = setup->priority };
	char what[40];

	if (sched_setscheduler(0, policy, &param) == 0)
		return;
	snprintf(what, sizeof(what), "take SCHED_%s %d", policy == SCHED_RR ? "RR" : "FIFO", setup->priority);
	explain_policy(refusal, what, errno, setup->priority);
}

/*
 * Idle states are part of the machine, not a right: where they cannot be held
 * off, the report says so and the run goes on. The file stays open for as long
 * as this process lives; closing it would let go.
 */
static void hold_dma_latency(const struct setup *setup, char *granted, size_t size)
{
	int32_t us = setup->dma_latency_ns / 1000;
	int fd;

	if (!setup->hold_dma_latency) {
		text_append(granted, size, "dma_latency_us: off\n");
		return;
	}
	fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, &us, sizeof(us)) == sizeof(us))
		text_append(granted, size, "dma_latency_us: %d\n", us);
	else
		text_append(granted, size, "dma_latency_us: not held: %s\n", strerror(errno));
}

static void read_status(const char *key, char *value, size_t size)
{
	if (!sysfile_value("/proc/self/status", key, value, size))
		snprintf(value, size, "unknown");
	value[strcspn(value, " ")] = '\0';	/* the unit */
}

static void tell_granted(char *granted, size_t size)
{
	struct sched_state state;
	char locked[64], cpus[64];

	sched_state_read(0, &state);
	read_status("VmLck:", locked, sizeof(locked));
	read_status("Cpus_allowed_list:", cpus, sizeof(cpus));
	text_append(granted, size, "policy: %s\npriority: %d\n", sched_state_policy_name(state.policy), state.priority);
	text_append(granted, size, "memory_locked_kb: %s\n", locked);
	text_append(granted, size, strpbrk(cpus, ",-") ? "cpu: any (%s)\n" : "cpu: %s\n", cpus);
	text_append(granted, size, "timer_slack_ns: %d\n", state.policy == SCHED_OTHER ? prctl(PR_GET_TIMERSLACK) : 0);
}

void setup_ordinary(void)
{
	const struct sched_param none = { 0 };

	sched_setscheduler(0, SCHED_OTHER, &none);
	munlockall();
}

int setup_try(const struct setup *setup, const struct cpus *cpus, char *granted, size_t granted_size,
	      char *refused, size_t refused_size)
{
	int policy = sched_state_policy(setup->policy);
	struct refusal refusal = { setup->best_effort, refused, refused_size, false };

	*granted = *refused = '\0';
	hold_dma_latency(setup, granted, granted_size);
	bind_cpus(&refusal, cpus);
	lock_memory(&refusal);
	if (policy >= 0)
		take_policy(&refusal, setup, policy);
	else
		warn("--policy=%s: unknown; one of fifo, rr, other", setup->policy);
	tell_granted(granted, granted_size);
	if (policy >= 0 && !refusal.told)
		return 0;
	setup_ordinary();
	*granted = '\0';
	return -1;
}

int setup_realtime(const struct setup *setup, char *granted, size_t granted_size,
		   char *refused, size_t refused_size)
{
	const struct cpus own = { .count = setup->cpu >= 0, .number = { setup->cpu } };

	return setup_try(setup, &own, granted, granted_size, refused, refused_size);
}
