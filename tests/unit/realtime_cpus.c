// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the processes of a run go that do not measure: off the measured CPUs, and off the siblings of these. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "run/realtime.h"
#include "tap.h"

#define CPUS 1024

static const char *threads_of[CPUS];	/* its core's, as the kernel lists them; NULL: it does not tell */
static cpu_set_t allowed;

/* The kernel's lists are the only files here. */
FILE *fopen(const char *path, const char *mode)
{
	int cpu = 0;

	(void)mode;
	if (sscanf(path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", &cpu) != 1 || !threads_of[cpu])
		return NULL;
	return fmemopen((char *)threads_of[cpu], strlen(threads_of[cpu]), "r");
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid, (void)size;
	*set = allowed;
	return 0;
}

/* Of the CPUs that the process may use, where does it go when these are measured? */
static void goes(const char *may_use, const char *measured, const char *to, const char *name)
{
	char text[CPUS_TEXT_SIZE];
	struct cpus cpus = { .count = 0 };
	cpu_set_t others;

	cpus_parse(may_use, &cpus);
	CPU_ZERO(&allowed);
	for (int i = 0; i < cpus.count; i++)
		CPU_SET(cpus.number[i], &allowed);
	cpus.count = 0;
	if (*measured)
		cpus_parse(measured, &cpus);
	realtime_other_cpus(&cpus, &others);
	cpus_take(&cpus, &others);
	cpus_print(&cpus, text);
	is_text(text, to, name);
}

static void have_cores(const char *const lists[], unsigned count)
{
	memset(threads_of, 0, sizeof(threads_of));
	for (unsigned i = 0; i < count; i++)
		threads_of[i] = lists[i];
}

int main(void)
{
	static const char *const two_cores[] = { "0,2\n", "1,3\n", "0,2\n", "1,3\n" };
	static const char *const far_apart[] = { "0,1000\n", "1,1001\n" };
	static const char *const unlike[] = { "0-1\n", "0-1\n", "2\n", "3\n" };

	have_cores(two_cores, 4);
	goes("0-3", "0", "1,3", "the processes go to another core");
	goes("0-3", "2", "1,3", "the processes go to another core whichever of its threads is measured");
	goes("0-3", "0,2", "1,3", "the processes go to another core if both threads are measured");
	goes("0-3", "0-1", "2-3", "the processes go to the siblings if each core is measured");
	goes("0,2", "0", "2", "the processes go to the sibling if no other core may be used");
	goes("0-2", "0-1", "2", "the processes go to a measured core's sibling if no other core may be used");
	goes("0-3", "0-3", "0-3", "the processes go anywhere if all CPUs are measured");
	goes("0-3", "", "0-3", "the processes go anywhere if no CPU is measured");
	have_cores(unlike, 4);
	goes("0-3", "0", "2-3", "the processes go to cores of one thread");
	goes("0-3", "2", "0-1,3", "the processes leave a core of one thread for all others");
	have_cores(far_apart, 2);
	goes("0-1,1000-1001", "1", "0,1000", "the siblings may be far apart");
	have_cores(NULL, 0);
	goes("0-3", "0", "1-3", "the processes leave the measured CPU alone if its siblings are unknown");
	return done();
}
