// SPDX-License-Identifier: GPL-2.0-or-later
/* The rights of a real-time process: how they are taken, what was granted, or why not; where other processes go. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "host/cgroup.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "host/sysinfo.h"
#include "run/realtime.h"

#define STACK_BYTES (64 * 1024)		/* more than the loop and what it calls ever use */
#define LEAST_STACK_BYTES (256 * 1024)	/* more than any process of ours ever uses */
#define LOCKED_KB 8192			/* holds what a meter locks, except the records of --explain */

static bool may_lack(const struct options *options)
{
	return options->best_effort && !options->check;
}

bool best_effort_goes_without(const struct options *options, const char *prefix, const struct refusal *refusal)
{
	bool lacks = may_lack(options);

	if (!lacks || (*prefix && !options->quiet)) {
		char line[REFUSAL_LINE];

		warn("%s%s%s%s", lacks ? "warning: goes on without " : "", options->check ? "" : prefix,
		     refusal_line(refusal, line), lacks ? "" : ", or use --best-effort");
	}
	return lacks;
}

/*
 * A refusal goes into the report, and without --best-effort to the user. The report has one entry for each thing that
 * was refused, even if there are two reasons.
 */
static void deny(const struct options *options, struct rights *rights, const struct refusal *refusal)
{
	best_effort_goes_without(options, "", refusal);
	if (!strstr(rights->refused, refusal->what))
		text_append(rights->refused, sizeof(rights->refused), "%s%s: %s", *rights->refused ? "; " : "",
			    refusal->what, strerror(refusal->error));
}

static void lock_memory(const struct options *options, struct rights *rights)
{
	unsigned long long now_kb;
	struct refusal refusal;
	struct rlimit limit;

	if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) {
		volatile char stack[STACK_BYTES];

		for (size_t i = 0; i < sizeof(stack); i += 1024)
			stack[i] = 0;
		return;
	}
	refusal_begin(&refusal, errno, "lock memory");
	getrlimit(RLIMIT_MEMLOCK, &limit);
	now_kb = limit.rlim_cur / 1024;
	refusal_remedy(&refusal, "raise the limit (ulimit -l, now %llu kB) to %llu kB", now_kb,
		       now_kb < LOCKED_KB ? LOCKED_KB : 2 * now_kb);
	deny(options, rights, &refusal);
}

/* The kernel checks the right first, then the control group. If both refuse, both are reported. */
static void take_priority(const struct options *options, int policy, int priority, struct rights *rights)
{
	struct sched_param param = { .sched_priority = priority };
	struct refusal refusal;
	struct rlimit limit;
	bool entitled;

	if (sched_setscheduler(0, policy, &param) == 0)
		return;
	refusal_begin(&refusal, errno, "take SCHED_%s %d", policy == SCHED_RR ? "RR" : "FIFO", priority);
	getrlimit(RLIMIT_RTPRIO, &limit);
	entitled = limit.rlim_cur >= (rlim_t)priority || privilege_held(CAP_SYS_NICE);
	if (!entitled) {
		refusal_remedy(&refusal, "%s, or raise the rtprio limit (ulimit -r, now %llu) to %d",
			       privilege_remedy("CAP_SYS_NICE"), (unsigned long long)limit.rlim_cur, priority);
		deny(options, rights, &refusal);
	}
	if (cgroup_denies(&refusal, entitled)) {
		deny(options, rights, &refusal);
	} else if (entitled) {
		refusal_reason(&refusal, "neither a missing right nor the control group is the reason");
		refusal_remedy(&refusal, "look for a seccomp filter or a security module, such as a container's");
		deny(options, rights, &refusal);
	}
}

/*
 * Idle states are a property of the machine, not a right: if they cannot be held off, the report says so and the run
 * goes on. The file stays open while this process lives, because the kernel drops the limit when it is closed.
 */
static void hold_dma_latency(const struct options *options, struct rights *rights)
{
	int32_t us = options->dma_latency_us;
	char held[128] = "off";

	if (us >= 0) {
		int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

		if (fd >= 0 && write(fd, &us, sizeof(us)) == sizeof(us))
			snprintf(held, sizeof(held), "%d", us);
		else
			snprintf(held, sizeof(held), "not held: %s", strerror(errno));
	}
	text_append(rights->granted, sizeof(rights->granted), "dma_latency_us: %s\n", held);
}

/* A process that may use only one CPU counts as bound to it, unless another one was asked for. */
void realtime_report_granted(int asked, struct rights *rights)
{
	struct sched_state state;
	char locked[64] = "", cpus[CPUS_TEXT_SIZE];
	bool bound;

	sched_state_read(0, &state);
	sysfile_value("/proc/self/status", "VmLck:", locked, sizeof(locked));
	locked[strcspn(locked, " ")] = '\0';	/* the number without its unit */
	sysfile_value("/proc/self/status", "Cpus_allowed_list:", cpus, sizeof(cpus));
	bound = state.cpus == 1 && (asked < 0 || asked == state.first_cpu);
	text_append(rights->granted, sizeof(rights->granted), "policy: %s\npriority: %d\n"
		    "memory_locked_kb: %s\n%s%s%s\ntimer_slack_ns: %d\n", sched_state_policy_name(state.policy),
		    state.priority, *locked ? locked : "unknown", bound ? "cpu: " : "cpu: any (",
		    *cpus ? cpus : "unknown", bound ? "" : ")",
		    state.policy == SCHED_OTHER ? prctl(PR_GET_TIMERSLACK) : 0);
}

/* No process may die of a stack overflow while it is real-time or has the RTC open. */
void realtime_check_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= LEAST_STACK_BYTES)
		return;
	die(EXIT_NOT_MEASURED, "the stack is limited to %llu kB; raise the limit (ulimit -s) to %d kB or more",
	    (unsigned long long)limit.rlim_cur / 1024, LEAST_STACK_BYTES / 1024);
}

/* Only a privileged process may clear its reset-on-fork flag (chrt -R). */
void realtime_leave(void)
{
	const struct sched_param none = { 0 };

	sched_setscheduler(0, SCHED_OTHER | (sched_getscheduler(0) & SCHED_RESET_ON_FORK), &none);
	munlockall();
}

/* Returns 0 or errno. */
static int bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu >= 0)
		CPU_SET(cpu, &set);
	return cpu >= 0 && sched_setaffinity(0, sizeof(set), &set) < 0 ? errno : 0;
}

/* It will be another process, with a CPU and a priority of its own. Its rights are noted once it exists. */
static bool may_wake(const struct options *options)
{
	const struct cpus cpus = { .count = 1, .number = { options->waker.cpu } };
	struct rights rights = { .refused = "" };
	cpu_set_t own;
	int error;

	sched_getaffinity(0, sizeof(own), &own);
	error = may_lack(options) ? 0 : bind_to(options->waker.cpu);
	if (error)
		realtime_refuse_cpus(&cpus, error, false);
	take_priority(options, SCHED_FIFO, options->waker.priority, &rights);
	sched_setaffinity(0, sizeof(own), &own);
	return !error && (!*rights.refused || may_lack(options));
}

void realtime_take(const struct options *options, int cpu, struct rights *rights, int *unbound)
{
	const char *name = options->policy;
	int policy = !strcmp(name, "fifo") ? SCHED_FIFO : !strcmp(name, "rr") ? SCHED_RR :
		     !strcmp(name, "other") ? SCHED_OTHER : -1;	/* -1: it is unknown */
	int error = bind_to(cpu);
	bool granted;

	*rights->granted = *rights->refused = '\0';
	hold_dma_latency(options, rights);
	*unbound = may_lack(options) ? 0 : error;
	if (error)
		snprintf(rights->refused, sizeof(rights->refused), "bind to CPU %d: %s", cpu, strerror(error));
	if (!options->ordinary)
		lock_memory(options, rights);
	if (policy >= 0)
		take_priority(options, policy, options->priority, rights);
	else
		warn("--policy=%s: unknown; use one of fifo, rr, other", options->policy);
	granted = policy >= 0 && (!*rights->refused || may_lack(options));
	if (granted && options->waker.priority) {
		granted = may_wake(options);
		take_priority(options, policy, options->priority, rights);
	}
	if (granted)
		return;
	realtime_leave();
	*rights->granted = '\0';
}

/* Is the CPU missing from the list? False if the list could not be read. */
static bool leaves_out(const char *list, int cpu)
{
	struct cpus cpus;

	return !cpus_parse(list, &cpus) && !cpus_include(&cpus, cpu);
}

/*
 * The kernel returns only EINVAL; its lists of CPUs show why: "it is offline", or "2,5 are offline" if not all are.
 * Returns whether any is.
 */
static bool find_reason(const struct cpus *all, const char *online, struct refusal *refusal)
{
	static const char *const why[] = { "offline", "not in the cpuset of this process" };
	struct cpus of[] = { { .count = 0 }, { .count = 0 } }, *offline = &of[0], *outside = &of[1];
	char list[CPUS_TEXT_SIZE], present[128];

	sysfile_line("/sys/devices/system/cpu/present", present, sizeof(present));
	for (int i = 0; i < all->count; i++) {
		int cpu = all->number[i];

		if (leaves_out(present, cpu))
			refusal_reason(refusal, "the machine has CPUs %s", present);
		else if (leaves_out(online, cpu))
			offline->number[offline->count++] = cpu;
		else if (*online)
			outside->number[outside->count++] = cpu;
	}
	for (int i = 0; i < 2; i++) {
		cpus_print(&of[i], list);
		if (of[i].count)
			text_append(refusal->reason, sizeof(refusal->reason), "%s%s %s %s",
				    *refusal->reason ? ", and " : "", of[i].count < all->count ? list :
				    all->count == 1 ? "it" : "they", of[i].count == 1 ? "is" : "are", why[i]);
	}
	return offline->count;
}

/* A user who listed several CPUs may have meant all of them. */
void realtime_refuse_cpus(const struct cpus *all, int error, bool several)
{
	char list[CPUS_TEXT_SIZE], online[128], line[REFUSAL_LINE];
	bool one = all->count == 1, may_switch;
	struct refusal refusal;

	cpus_print(all, list);
	refusal_begin(&refusal, error, "bind to CPU%s %s", one ? "" : "s", list);
	sysfile_line("/sys/devices/system/cpu/online", online, sizeof(online));
	may_switch = find_reason(all, online, &refusal) && one && *online;
	if (may_switch)
		refusal_remedy(&refusal, "switch it on (echo 1 >/sys/devices/system/cpu/cpu%d/online), or ",
			       all->number[0]);
	if (several)
		text_append(refusal.remedy, sizeof(refusal.remedy), "leave %s out, as --cpu=all does",
			    one ? "it" : "them");
	else
		text_append(refusal.remedy, sizeof(refusal.remedy), may_switch ? "name one of %s" :
			    "name one that taskset -cp $$ lists", online);
	warn("%s, or use --best-effort", refusal_line(&refusal, line));
}

/* The measured CPUs are taken away, and then their siblings, unless that would leave none. */
void realtime_other_cpus(const struct cpus *measured, cpu_set_t *others)
{
	cpu_set_t taken[2], left;

	CPU_ZERO(&taken[0]);
	CPU_ZERO(&taken[1]);
	for (int i = 0; i < measured->count; i++) {
		CPU_SET(measured->number[i], &taken[0]);
		CPU_SET(measured->number[i], &taken[1]);
		siblings_add(measured->number[i], &taken[1]);
	}
	if (sched_getaffinity(0, sizeof(*others), others) < 0)
		CPU_ZERO(others);
	for (int i = 0; i < 2; i++) {
		CPU_AND(&left, others, &taken[i]);
		CPU_XOR(&left, &left, others);
		if (CPU_COUNT(&left))
			*others = left;
	}
}
