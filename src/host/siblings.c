// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "base/text.h"
#include "host/siblings.h"
#include "host/sysfile.h"

/* All threads of the CPU's core, and the list as the kernel writes it. Returns false if it does not tell. */
static bool read_threads(int cpu, struct cpus *threads, char list[CPUS_TEXT_SIZE])
{
	const char *path = sysfile_path("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);

	return sysfile_line(path, list, CPUS_TEXT_SIZE) && !cpus_parse(list, threads);
}

int siblings_add(int cpu, cpu_set_t *siblings)
{
	char list[CPUS_TEXT_SIZE];
	struct cpus threads;
	int others = 0;

	if (!read_threads(cpu, &threads, list))
		return -1;
	for (int i = 0; i < threads.count; i++) {
		if (threads.number[i] == cpu)
			continue;
		CPU_SET(threads.number[i], siblings);
		others++;
	}
	return others;
}

void siblings_of(const struct cpus *cpus, cpu_set_t *siblings)
{
	CPU_ZERO(siblings);
	for (int i = 0; i < cpus->count; i++)
		siblings_add(cpus->number[i], siblings);
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
