// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel says about each CPU, and which CPUs are threads of one core. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "host/sysfile.h"
#include "host/sysinfo.h"

#define CPUS "/sys/devices/system/cpu/"

/* "POLL 0, C1 2, C6 133 disabled" */
void cpu_idle_states(char *text, size_t size, int cpu)
{
	for (int i = 0; ; i++) {
		long long us, disabled = 0;
		char name[64];

		if (!sysfile_number(sysfile_path(CPUS "cpu%d/cpuidle/state%d/latency", cpu, i), &us))
			return;
		sysfile_number(sysfile_path(CPUS "cpu%d/cpuidle/state%d/disable", cpu, i), &disabled);
		sysfile_line(sysfile_path(CPUS "cpu%d/cpuidle/state%d/name", cpu, i), name, sizeof(name));
		text_append(text, size, "%s%s %lld%s", i ? ", " : "", *name ? name : "unknown", us,
			    disabled ? " disabled" : "");
	}
}

void cpu_governor(char *text, size_t size, int cpu)
{
	sysfile_line(sysfile_path(CPUS "cpu%d/cpufreq/scaling_governor", cpu), text, size);
}

void cpu_frequency(char *text, size_t size, int cpu)
{
	long long least, most;

	if (sysfile_number(sysfile_path(CPUS "cpu%d/cpufreq/scaling_min_freq", cpu), &least) &&
	    sysfile_number(sysfile_path(CPUS "cpu%d/cpufreq/scaling_max_freq", cpu), &most))
		snprintf(text, size, "%lld to %lld", least, most);
}

static void append_alike(char *value, size_t size, int first, int last, const char *text)
{
	text_append(value, size, *value ? ", CPU %d" : "CPU %d", first);
	if (last != first)
		text_append(value, size, "-%d", last);
	text_append(value, size, ": %s", text);
}

void cpu_facts(const struct cpus *cpus, cpu_fact *fact, char *value, size_t size)
{
	char text[512], alike[sizeof(text)] = "";
	int first = 0, last = 0;

	*value = '\0';
	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		*text = '\0';
		if (!cpus || cpus_include(cpus, cpu))
			fact(text, sizeof(text), cpu);
		if (!*text)
			continue;
		if (strcmp(text, alike)) {
			if (*alike)
				append_alike(value, size, first, last, alike);
			first = cpu;
			strcpy(alike, text);
		}
		last = cpu;
	}
	if (*value)
		append_alike(value, size, first, last, alike);
	else if (*alike)
		text_append(value, size, "%s", alike);
	else
		snprintf(value, size, access(CPUS "online", R_OK) == 0 ? "none" : "unknown");
}

/* All threads of the CPU's core, and the list as the kernel writes it. Returns false if it writes none. */
static bool read_threads(int cpu, struct cpus *threads, char list[CPUS_TEXT_SIZE])
{
	return sysfile_line(sysfile_path(CPUS "cpu%d/topology/thread_siblings_list", cpu), list, CPUS_TEXT_SIZE) &&
	       !cpus_parse(list, threads);
}

int siblings_add(int cpu, cpu_set_t *siblings)
{
	char list[CPUS_TEXT_SIZE];
	struct cpus threads;

	if (!read_threads(cpu, &threads, list))
		return -1;
	for (int i = 0; i < threads.count; i++)
		if (threads.number[i] != cpu)
			CPU_SET(threads.number[i], siblings);
	return threads.count - cpus_include(&threads, cpu);
}

void siblings_of_cores(char *value, size_t size, const char *online)
{
	char list[CPUS_TEXT_SIZE];
	struct cpus all, threads;
	bool known = false;

	if (!sysfile_line(online, list, sizeof(list)) || cpus_parse(list, &all))
		return;
	for (int i = 0; i < all.count; i++) {
		if (!read_threads(all.number[i], &threads, list))
			continue;
		known = true;
		if (threads.count > 1 && threads.number[0] == all.number[i])
			text_append(value, size, "%s%s", *value ? " " : "", list);
	}
	if (known && !*value)
		snprintf(value, size, "none");
}
