// SPDX-License-Identifier: GPL-2.0-or-later
/* What the CPUs that are measured would do to the run. */
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "host/sysinfo.h"
#include "run/keeper.h"
#include "run/realtime.h"

#define UNLIMITED LLONG_MAX
#define SLOW_EXIT_US 10		/* slower idle states raise the median; the remedy uses this value, too */

/* The lowest-priority thread of those that expire the timers of these CPUs; 0: none is found. */
static pid_t weakest_timer_thread(const struct cpus *cpus, int *priority)
{
	pid_t weakest = 0;
	glob_t comms;

	if (glob("/proc/[0-9]*/comm", GLOB_NOSORT, NULL, &comms))
		return 0;
	for (size_t i = 0; i < comms.gl_pathc; i++) {
		struct sched_param param = { 0 };
		char name[32];
		int cpu, pid;

		if (!sysfile_line(comms.gl_pathv[i], name, sizeof(name)) || sscanf(name, "ktimers/%d", &cpu) != 1 ||
		    !cpus_include(cpus, cpu) || sscanf(comms.gl_pathv[i], "/proc/%d", &pid) != 1)
			continue;
		sched_getparam(pid, &param);
		if (weakest && param.sched_priority >= *priority)
			continue;
		weakest = pid;
		*priority = param.sched_priority;
	}
	globfree(&comms);
	return weakest;
}

/* On PREEMPT_RT a thread on each CPU expires the timers, and every task of higher priority delays it. */
void look_at_timer_thread(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	bool in_thread = keeper->source.ops->in_thread && kernel_is_rt();
	int priority = 0;
	pid_t weakest = in_thread ? weakest_timer_thread(&keeper->cpus, &priority) : 0;
	char remedy[96];

	if (!weakest)
		return;
	listing_value("priority %d", priority);
	snprintf(remedy, sizeof(remedy), "pgrep ktimers/ | xargs -n 1 chrt -f -p %d, or use --source=nanosleep",
		 options->priority);
	if (priority < options->priority)
		finding(keeper, remedy, "the thread that expires the timer (ktimers, process %d) has the real-time "
			"priority %d, so a load of higher priority delays the timer", weakest, priority);
}

void look_at_governor(const struct keeper *keeper)
{
	const struct cpus *cpus = &keeper->cpus;
	char name[64], first[64], all[256];
	unsigned found = 0;

	for (int i = 0; i < cpus->count; i++) {
		cpu_governor(name, sizeof(name), cpus->number[i]);
		if (!*name || !strcmp(name, "performance"))
			continue;
		if (!found++)
			snprintf(first, sizeof(first), "%.30s on CPU %d", name, cpus->number[i]);
	}
	cpu_facts(cpus, cpu_governor, all, sizeof(all));
	listing_value("%s", all);
	if (found)
		finding(keeper, "cpupower frequency-set -g performance",
			found > 1 ? "%s and %u more, so their frequency follows the load" :
			"%s, so its frequency follows the load", first, found - 1);
}

/* Returns the exit latency of the slowest idle state that the CPU may enter and names it; least_us: none is slower. */
static long long slowest_state(int cpu, long long bound_us, long long least_us, char state[72])
{
	for (int i = 0; ; i++) {
		char directory[72];
		long long us, disabled = 0;

		snprintf(directory, sizeof(directory), "/sys/devices/system/cpu/cpu%d/cpuidle/state%d", cpu, i);
		if (!sysfile_number(sysfile_path("%s/latency", directory), &us))
			return least_us;
		sysfile_number(sysfile_path("%s/disable", directory), &disabled);
		if (disabled || us > bound_us || us <= least_us)
			continue;
		least_us = us;
		strcpy(state, directory);
	}
}

void look_at_idle_states(const struct keeper *keeper)
{
	const struct cpus *cpus = &keeper->cpus;
	const struct options *options = keeper->run->options;
	long long machine_us = UNLIMITED, most_us = 0, us = SLOW_EXIT_US;
	char state[72] = "", name[64], states[2048];
	/* Whether the idle states of all CPUs can be limited is known only by opening the file. */
	int held = options->dma_latency_us >= 0 ? open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC) : -1;

	if (held >= 0) {
		machine_us = options->dma_latency_us;
		close(held);
	}
	for (int i = 0; i < cpus->count; i++) {
		long long bound_us = machine_us;
		char own[16];

		/* The CPU's own limit, which any program may have set, in us: "0" if there is none, "n/a" for 0 us. */
		sysfile_line(sysfile_path("/sys/devices/system/cpu/cpu%d/power/pm_qos_resume_latency_us",
					  cpus->number[i]), own, sizeof(own));
		if (*own && strcmp(own, "0"))
			bound_us = lesser(strtoll(own, NULL, 10), machine_us);
		us = slowest_state(cpus->number[i], bound_us, us, state);
		most_us = greater(bound_us, most_us);
	}
	cpu_facts(cpus, cpu_idle_states, states, sizeof(states));
	if (most_us == UNLIMITED || !strcmp(states, "none"))
		listing_value("%s", states);
	else
		listing_value("limited to %lld us; without that: %s", most_us, states);
	if (!*state)
		return;
	sysfile_line(sysfile_path("%s/name", state), name, sizeof(name));
	finding(keeper, "give --dma-latency=0us as root, or cpupower idle-set -D 10",
		"%s takes %lld us to leave, by which wake-ups are late, and is not disabled (%s)", name, us, state);
}

void look_at_siblings(const struct keeper *keeper)
{
	const struct cpus *cpus = &keeper->cpus;
	struct cpus sharing = { .count = 0 };
	char list[CPUS_TEXT_SIZE], others[CPUS_TEXT_SIZE], remedy[128] = "boot with nosmt";
	struct cpus threads;
	cpu_set_t siblings;

	CPU_ZERO(&siblings);
	listing_value("none");
	for (int i = 0; i < cpus->count; i++) {
		int found = siblings_add(cpus->number[i], &siblings);

		if (found < 0)
			listing_value("unknown");
		if (found > 0)
			sharing.number[sharing.count++] = cpus->number[i];
	}
	if (!sharing.count)
		return;
	cpus_take(&threads, &siblings);
	for (int i = threads.count - 1; i >= 0; i--)
		if (!cpus_include(cpus, threads.number[i]))
			snprintf(remedy, sizeof(remedy), "switch it off, as in echo 0 >/sys/devices/system/cpu/cpu%d/"
				 "online, or boot with nosmt", threads.number[i]);
	cpus_print(&sharing, list);
	cpus_print(&threads, others);
	finding(keeper, remedy, "another thread runs on the core of CPU%s %.128s (CPU%s %.128s), and what it does "
		"slows wake-ups", sharing.count == 1 ? "" : "s", list, threads.count == 1 ? "" : "s", others);
}

#define USERS_SIZE 192

/* "keeper and standby on CPU 1", or "" if the set is empty. */
static void print_users(const char *names, const cpu_set_t *set, char text[USERS_SIZE])
{
	char list[CPUS_TEXT_SIZE];
	struct cpus cpus;

	cpus_take(&cpus, set);
	cpus_print(&cpus, list);
	*text = '\0';
	if (cpus.count)
		snprintf(text, USERS_SIZE, "%s on CPU%s %.128s", names, cpus.count == 1 ? "" : "s", list);
}

/* What the run does on the other threads of the measured cores. A meter that is bound to no CPU has no siblings. */
void look_at_own_processes(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const char *names = options->load ? "keeper, standby and load" : "keeper and standby";
	cpu_set_t siblings, measured, others;
	char meters[USERS_SIZE], rest[USERS_SIZE];

	CPU_ZERO(&siblings);
	CPU_ZERO(&measured);
	for (int i = 0; i < options->cpus.count; i++)
		siblings_add(options->cpus.number[i], &siblings);
	for (int i = 0; i < options->cpus.count; i++)
		if (CPU_ISSET(options->cpus.number[i], &siblings))
			CPU_SET(options->cpus.number[i], &measured);
	realtime_other_cpus(&options->cpus, &others);
	print_users(names, &others, rest);
	listing_value("%s", rest);
	CPU_AND(&others, &others, &siblings);
	print_users("measuring processes", &measured, meters);
	print_users(names, &others, rest);
	if (*meters || *rest)
		finding(keeper, "measure one CPU of each core, and leave a core without any (--cpu), or boot with "
			"nosmt", "siblings of measured CPUs are used by %s%s%s, which slows wake-ups", meters,
			*meters && *rest ? ", and by " : "", rest);
}
