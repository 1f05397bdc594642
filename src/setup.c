// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "diag.h"
#include "setup.h"

#define STACK_BYTES (64 * 1024)		/* more than the loop and what it calls ever use */

static const struct policy {
	const char *name;
	int number;
} policies[] = {
	{ "fifo", SCHED_FIFO }, { "rr", SCHED_RR }, { "other", SCHED_OTHER },
};

#define POLICIES (sizeof(policies) / sizeof(*policies))

static const struct policy *policy_by_name(const char *name)
{
	for (size_t i = 0; i < POLICIES; i++)
		if (!strcmp(policies[i].name, name))
			return &policies[i];
	return NULL;
}

static const char *policy_name(int number)
{
	for (size_t i = 0; i < POLICIES; i++)
		if (policies[i].number == number)
			return policies[i].name;
	return "unknown";
}

__attribute__((format(printf, 3, 4)))
static void append(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + length, size - length, format, args);
	va_end(args);
}

/* Where refusals go: into the clause when less will do, else to the user, who asked for more. */
struct refusal {
	bool best_effort;
	char *clause;
	size_t size;
};

static int refuse(const struct refusal *refusal, const char *what, const char *remedy)
{
	if (!refusal->best_effort) {
		warn("%s: %m; %s, or go on without: --best-effort", what, remedy);
		return -1;
	}
	append(refusal->clause, refusal->size, "%s%s: %s",
	       *refusal->clause ? "; " : "", what, strerror(errno));
	return 0;
}

static void touch_stack(void)
{
	volatile char stack[STACK_BYTES];

	for (size_t i = 0; i < sizeof(stack); i += 1024)
		stack[i] = 0;
}

static int lock_memory(const struct refusal *refusal)
{
	char remedy[80];
	struct rlimit limit;

	if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) {
		touch_stack();
		return 0;
	}
	getrlimit(RLIMIT_MEMLOCK, &limit);
	snprintf(remedy, sizeof(remedy), "raise the limit (ulimit -l, now %llu kB) to 8192 kB",
		 (unsigned long long)limit.rlim_cur / 1024);
	return refuse(refusal, "lock memory", remedy);
}

static int bind_cpu(const struct refusal *refusal, int cpu)
{
	char what[40];
	cpu_set_t set;

	if (cpu < 0)
		return 0;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0)
		return 0;
	snprintf(what, sizeof(what), "bind to CPU %d", cpu);
	return refuse(refusal, what, "name one that nproc and taskset -p $$ show");
}

static int take_policy(const struct refusal *refusal, const struct setup *setup,
		       const struct policy *policy)
{
	struct sched_param param = { .sched_priority = setup->priority };
	char what[40];

	if (sched_setscheduler(0, policy->number, &param) == 0)
		return 0;
	snprintf(what, sizeof(what), "take SCHED_%s %d",
		 policy->number == SCHED_RR ? "RR" : "FIFO", setup->priority);
	return refuse(refusal, what, "run as root, or raise the rtprio limit (ulimit -r)");
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
		append(granted, size, "dma_latency_us: off\n");
		return;
	}
	fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, &us, sizeof(us)) == sizeof(us))
		append(granted, size, "dma_latency_us: %d\n", us);
	else
		append(granted, size, "dma_latency_us: not held: %s\n", strerror(errno));
}

/* The value of a line "key:\tvalue" of /proc/self/status, without the blanks before it. */
static void read_status(const char *key, char value[64])
{
	FILE *file = fopen("/proc/self/status", "re");
	size_t length = strlen(key);
	char line[256];

	strcpy(value, "unknown");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, length))
			sscanf(line + length, " %63s", value);
	if (file)
		fclose(file);
}

static void tell_granted(char *granted, size_t size)
{
	struct sched_param param = { 0 };
	int policy = sched_getscheduler(0);
	char locked[64], cpus[64];

	sched_getparam(0, &param);
	read_status("VmLck:", locked);
	read_status("Cpus_allowed_list:", cpus);
	append(granted, size, "policy: %s\npriority: %d\n", policy_name(policy), param.sched_priority);
	append(granted, size, "memory_locked_kb: %s\n", locked);
	append(granted, size, strpbrk(cpus, ",-") ? "cpu: any (%s)\n" : "cpu: %s\n", cpus);
	append(granted, size, "timer_slack_ns: %d\n",
	       policy == SCHED_OTHER ? prctl(PR_GET_TIMERSLACK) : 0);
}

int setup_realtime(const struct setup *setup, char *granted, size_t granted_size,
		   char *refused, size_t refused_size)
{
	const struct policy *policy = policy_by_name(setup->policy);
	const struct refusal refusal = { setup->best_effort, refused, refused_size };

	*granted = *refused = '\0';
	if (!policy) {
		warn("--policy=%s: unknown; one of fifo, rr, other", setup->policy);
		return -1;
	}
	hold_dma_latency(setup, granted, granted_size);
	if (bind_cpu(&refusal, setup->cpu) < 0 || lock_memory(&refusal) < 0 ||
	    take_policy(&refusal, setup, policy) < 0)
		return -1;
	tell_granted(granted, granted_size);
	return 0;
}

void setup_ordinary(void)
{
	const struct sched_param none = { 0 };

	sched_setscheduler(0, SCHED_OTHER, &none);
	munlockall();
}
