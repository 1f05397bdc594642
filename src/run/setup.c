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

#include "base/diag.h"
#include "base/text.h"
#include "host/capability.h"
#include "host/cgroup.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "run/setup.h"
#include "run/setup_cpus.h"

#define STACK_BYTES (64 * 1024)		/* more than the loop and what it calls ever use */
#define LEAST_STACK_BYTES (256 * 1024)	/* more than any process of ours ever uses */

/* Where refusals go: into the clause, and when less will not do, to the user, too. */
struct refusal {
	bool best_effort;
	struct rights *rights;
	bool told;
};

/* The reason goes beyond what errno says, or is "". The clause has one entry for each thing. */
static void refuse(struct refusal *refusal, const char *what, int error, const char *reason,
		   const char *remedy)
{
	char *clause = refusal->rights->refused;

	if (!refusal->best_effort) {
		warn("%s: %s%s%s; %s, or use --best-effort", what, strerror(error),
		     *reason ? ": " : "", reason, remedy);
		refusal->told = true;
	}
	if (!strstr(clause, what))
		text_append(clause, sizeof(refusal->rights->refused), "%s%s: %s", *clause ? "; " : "", what,
			    strerror(error));
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

static void take_policy(struct refusal *refusal, int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	char what[40];

	if (sched_setscheduler(0, policy, &param) == 0)
		return;
	snprintf(what, sizeof(what), "take SCHED_%s %d", policy == SCHED_RR ? "RR" : "FIFO", priority);
	explain_policy(refusal, what, errno, priority);
}

/*
 * Idle states are part of the machine, not a right: where they cannot be held
 * off, the report says so and the run goes on. The file stays open for as long
 * as this process lives; closing it would let go.
 */
static void hold_dma_latency(const struct options *options, struct rights *rights)
{
	int32_t us = options->dma_latency_ns / 1000;
	int fd;

	if (!options->hold_dma_latency) {
		text_append(rights->granted, sizeof(rights->granted), "dma_latency_us: off\n");
		return;
	}
	fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, &us, sizeof(us)) == sizeof(us))
		text_append(rights->granted, sizeof(rights->granted), "dma_latency_us: %d\n", us);
	else
		text_append(rights->granted, sizeof(rights->granted), "dma_latency_us: not held: %s\n",
			    strerror(errno));
}

static void read_status(const char *key, char *value, size_t size)
{
	if (!sysfile_value("/proc/self/status", key, value, size))
		snprintf(value, size, "unknown");
	value[strcspn(value, " ")] = '\0';	/* the unit */
}

/* One CPU that is left to us is not bound to, unless it is the one that was asked for, or none was. */
void setup_tell_granted(const struct cpus *asked, struct rights *rights)
{
	struct sched_state state;
	char locked[64], cpus[CPUS_TEXT_SIZE];
	bool bound;

	sched_state_read(0, &state);
	read_status("VmLck:", locked, sizeof(locked));
	read_status("Cpus_allowed_list:", cpus, sizeof(cpus));
	bound = state.cpus == 1 && (!asked->count || cpus_include(asked, state.first_cpu));
	text_append(rights->granted, sizeof(rights->granted),
		    "policy: %s\npriority: %d\nmemory_locked_kb: %s\n%s%s%s\ntimer_slack_ns: %d\n",
		    sched_state_policy_name(state.policy), state.priority, locked,
		    bound ? "cpu: " : "cpu: any (", cpus, bound ? "" : ")",
		    state.policy == SCHED_OTHER ? prctl(PR_GET_TIMERSLACK) : 0);
}

/* It would end the process wherever it is by then. */
void setup_check_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= LEAST_STACK_BYTES)
		return;
	die(EXIT_NOT_MEASURED, "the stack is limited to %llu kB; raise the limit (ulimit -s) to %d kB or more",
	    (unsigned long long)limit.rlim_cur / 1024, LEAST_STACK_BYTES / 1024);
}

void setup_ordinary(void)
{
	const struct sched_param none = { 0 };

	sched_setscheduler(0, SCHED_OTHER, &none);
	munlockall();
}

int setup_realtime(const struct options *options, const struct cpus *cpus, struct rights *rights)
{
	int policy = sched_state_policy(options->policy);
	struct refusal refusal = { options->best_effort, rights, false };

	*rights->granted = *rights->refused = '\0';
	hold_dma_latency(options, rights);
	bind_cpus(&refusal, cpus);
	if (!options->ordinary)
		lock_memory(&refusal);
	if (policy >= 0)
		take_policy(&refusal, policy, options->priority);
	else
		warn("--policy=%s: unknown; one of fifo, rr, other", options->policy);
	if (policy >= 0 && !refusal.told)
		return 0;
	setup_ordinary();
	*rights->granted = '\0';
	return -1;
}
