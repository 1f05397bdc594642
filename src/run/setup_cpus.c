// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "host/cpu_facts.h"
#include "host/sysfile.h"
#include "run/setup.h"

/* The kernel returns only EINVAL; its lists of CPUs tell why. */
struct refused {
	struct cpus all, absent, offline, outside;
	char present[128], online[128];
};

static void add(struct cpus *cpus, int cpu)
{
	cpus->number[cpus->count++] = cpu;
}

/* Is the CPU missing from the list? False if the list could not be read. */
static bool leaves_out(const char *list, int cpu)
{
	struct cpus cpus;

	return !cpus_parse(list, &cpus) && !cpus_include(&cpus, cpu);
}

static void sort_refused(struct refused *refused)
{
	sysfile_line("/sys/devices/system/cpu/present", refused->present, sizeof(refused->present));
	sysfile_line("/sys/devices/system/cpu/online", refused->online, sizeof(refused->online));
	for (int i = 0; i < refused->all.count; i++) {
		int cpu = refused->all.number[i];

		if (leaves_out(refused->present, cpu))
			add(&refused->absent, cpu);
		else if (leaves_out(refused->online, cpu))
			add(&refused->offline, cpu);
		else if (*refused->online)
			add(&refused->outside, cpu);
	}
}

/* "it is offline"; or "2,5 are offline" if other CPUs were refused for another reason. */
static void add_reason(struct refusal *refusal, const struct cpus *these, const struct refused *refused,
		       const char *why)
{
	char list[CPUS_TEXT_SIZE];

	if (!these->count)
		return;
	cpus_print(these, list);
	if (these->count == refused->all.count)
		strcpy(list, these->count == 1 ? "it" : "they");
	text_append(refusal->reason, sizeof(refusal->reason), "%s%s %s %s", *refusal->reason ? ", and " : "", list,
		    these->count == 1 ? "is" : "are", why);
}

/* A user who listed several CPUs may have meant all of them. */
static void find_remedy(struct refusal *refusal, const struct refused *refused, bool several)
{
	const struct cpus *all = &refused->all;
	bool switch_on = all->count == 1 && refused->offline.count;

	if (switch_on)
		refusal_remedy(refusal, "switch it on (echo 1 >/sys/devices/system/cpu/cpu%d/online), or ",
			       all->number[0]);
	if (several)
		text_append(refusal->remedy, sizeof(refusal->remedy), "leave %s out, as --cpu=all does",
			    all->count == 1 ? "it" : "them");
	else if (switch_on)
		text_append(refusal->remedy, sizeof(refusal->remedy), "name one of %s", refused->online);
	else
		refusal_remedy(refusal, "name one that taskset -cp $$ lists");
}

static void explain(struct refusal *refusal, int error, struct refused *refused, bool several)
{
	char list[CPUS_TEXT_SIZE];

	cpus_print(&refused->all, list);
	refusal_begin(refusal, error, "bind to CPU%s %s", refused->all.count == 1 ? "" : "s", list);
	sort_refused(refused);
	if (refused->absent.count)
		refusal_reason(refusal, "the machine has CPUs %s", refused->present);
	add_reason(refusal, &refused->offline, refused, "offline");
	add_reason(refusal, &refused->outside, refused, "not in the cpuset of this process");
	find_remedy(refusal, refused, several);
}

int setup_bind(const struct cpus *cpus, struct refusal *refusal)
{
	struct refused refused = { .all.count = 0 };
	int error = 0;

	for (int i = 0; i < cpus->count; i++) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(cpus->number[i], &set);
		if (sched_setaffinity(0, sizeof(set), &set) == 0)
			continue;
		error = errno;
		add(&refused.all, cpus->number[i]);
	}
	if (!error)
		return 0;
	explain(refusal, error, &refused, cpus->count > 1);
	return -1;
}

/* Take the CPUs away, unless that would leave none. */
static void leave_out(const cpu_set_t *cpus, cpu_set_t *set)
{
	cpu_set_t left;

	CPU_AND(&left, set, cpus);
	CPU_XOR(&left, &left, set);
	if (CPU_COUNT(&left))
		*set = left;
}

void setup_other_cpus(const struct cpus *measured, cpu_set_t *others)
{
	cpu_set_t cpus, siblings;

	CPU_ZERO(&cpus);
	for (int i = 0; i < measured->count; i++)
		CPU_SET(measured->number[i], &cpus);
	siblings_of(measured, &siblings);
	CPU_OR(&siblings, &siblings, &cpus);
	if (sched_getaffinity(0, sizeof(*others), others) < 0)
		CPU_ZERO(others);
	leave_out(&cpus, others);
	leave_out(&siblings, others);
}

void setup_leave_cpus(const struct cpus *measured)
{
	cpu_set_t others;

	setup_other_cpus(measured, &others);
	if (CPU_COUNT(&others))
		sched_setaffinity(0, sizeof(others), &others);
}
