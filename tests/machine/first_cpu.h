/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FIRST_CPU_H
#define FIRST_CPU_H

#include <sched.h>

/* Bind this process to the first CPU that it may have, and return that. */
static inline int bind_to_first_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	sched_getaffinity(0, sizeof(set), &set);
	while (!CPU_ISSET(cpu, &set))
		cpu++;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	return cpu;
}

#endif
