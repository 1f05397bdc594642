// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/instant.h"
#include "host/cgroup.h"
#include "host/privilege.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "run/setup_deadline.h"

#define NS_PER_US 1000
#define LEAST_PERIOD "sched_deadline_period_min_us"
#define MOST_PERIOD "sched_deadline_period_max_us"

/* The kernel takes a period within two limits, which are in us. */
static bool explain_period(const struct deadline *wanted, struct refusal *refusal)
{
	uint64_t us = wanted->period_ns / NS_PER_US;
	long long least_us, most_us;

	if (sysfile_number("/proc/sys/kernel/" LEAST_PERIOD, &least_us) && (long long)us < least_us) {
		refusal_reason(refusal, "the kernel takes no period below %lld us, and this rate has %.3f us",
			       least_us, wanted->period_ns / 1e3);
		refusal_remedy(refusal, "lower --frequency to %lld, or sysctl kernel." LEAST_PERIOD "=%" PRIu64,
			       1000000 / least_us, us);
		return true;
	}
	if (!sysfile_number("/proc/sys/kernel/" MOST_PERIOD, &most_us) || (long long)us < most_us)
		return false;
	refusal_reason(refusal, "the kernel takes no period above %lld us, and this rate has %.3f us", most_us,
		       wanted->period_ns / 1e3);
	refusal_remedy(refusal, "raise --frequency, or sysctl kernel." MOST_PERIOD "=%" PRIu64, us + 1);
	return true;
}

/* The kernel sums up the shares on all CPUs that it moves tasks between, so a task must be allowed on each of them. */
static bool explain_affinity(struct refusal *refusal)
{
	struct cpus cpus = { .count = 0 };
	char list[CPUS_TEXT_SIZE];
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0 ||
	    CPU_COUNT(&allowed) >= sysconf(_SC_NPROCESSORS_ONLN))
		return false;
	cpus_take(&cpus, &allowed);
	cpus_print(&cpus, list);
	refusal_reason(refusal, "this process may run on CPU%s %.128s only, not on all CPUs of a root domain",
		       cpus.count == 1 ? "" : "s", list);
	refusal_remedy(refusal, "leave out --cpu and taskset, or start in a cpuset of the one measured CPU, whose "
		       "cpuset.cpus.partition is root");
	return true;
}

static bool explain_right(struct refusal *refusal)
{
	if (privilege_held(CAP_SYS_NICE))
		return false;
	refusal_remedy(refusal, "%s", privilege_remedy("CAP_SYS_NICE"));
	return true;
}

static bool explain_share(const struct deadline *wanted, struct refusal *refusal)
{
	struct cgroup_runtime all;

	if (!cgroup_read_global_runtime(&all))
		return false;
	refusal_reason(refusal, "deadline tasks may use %lld of each %lld us of a CPU, and the others leave too little "
		       "of that for %.3f of each %.3f us", all.runtime_us, all.period_us, wanted->runtime_ns / 1e3,
		       wanted->period_ns / 1e3);
	refusal_remedy(refusal, "end some of the others, which ps -eLo cls,tid,comm lists as DLN");
	return true;
}

/* The kernel checks the period first, then the right, the affinity and, at last, the share. */
static void explain(int error, const struct deadline *wanted, struct refusal *refusal)
{
	refusal_begin(refusal, error, "take SCHED_DEADLINE");
	if ((error == EINVAL && explain_period(wanted, refusal)) ||
	    (error == EPERM && (explain_right(refusal) || explain_affinity(refusal))) ||
	    (error == EBUSY && explain_share(wanted, refusal)))
		return;
	refusal_reason(refusal, "neither a missing right nor the CPUs that it may run on are the reason");
	refusal_remedy(refusal, PRIVILEGE_IS_HELD);
}

int setup_deadline_take(unsigned hz, struct refusal *refusal)
{
	const struct deadline wanted = deadline_of_period(UINT64_C(1000000000) / (hz ? hz : 1));

	if (deadline_take(&wanted) == 0)
		return 0;
	explain(errno, &wanted, refusal);
	return -1;
}
