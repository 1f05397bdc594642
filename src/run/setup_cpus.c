// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "host/sysfile.h"
#include "run/setup_cpus.h"

/* The kernel says no more than EINVAL; its files say more. */
struct refused {
	struct cpus all, absent, offline, outside;
	char present[128], online[128];
};

static void add(struct cpus *cpus, int cpu)
{
	cpus->number[cpus->count++] = cpu;
}

/* Do the CPUs that the file lists leave this one out? Not known of a file that cannot be read. */
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

/* "it is offline" or, where others were refused for another reason, "2,5 are offline". */
static void add_reason(char *reason, size_t size, const struct cpus *these, const struct refused *refused,
		       const char *why)
{
	char list[CPUS_TEXT_SIZE];

	if (!these->count)
		return;
	cpus_print(these, list);
	if (these->count == refused->all.count)
		strcpy(list, these->count == 1 ? "it" : "they");
	text_append(reason, size, "%s%s %s %s", *reason ? ", and " : "", list, these->count == 1 ? "is" : "are", why);
}

static void find_reason(char *reason, size_t size, const struct refused *refused)
{
	*reason = '\0';
	if (refused->absent.count)
		text_append(reason, size, "the machine has CPUs %s", refused->present);
	add_reason(reason, size, &refused->offline, refused, "offline");
	add_reason(reason, size, &refused->outside, refused, "not in the cpuset of this process");
}

/* Several were wanted: who has listed them may have meant those that there are. */
static void find_remedy(char *remedy, size_t size, const struct refused *refused, bool several)
{
	bool switch_on = refused->all.count == 1 && refused->offline.count;

	*remedy = '\0';
	if (switch_on)
		text_append(remedy, size, "switch it on (echo 1 >/sys/devices/system/cpu/cpu%d/online), or ",
			    refused->all.number[0]);
	if (several)
		text_append(remedy, size, "leave %s out, as --cpu=all does", refused->all.count == 1 ? "it" : "them");
	else if (switch_on)
		text_append(remedy, size, "name one of %s", refused->online);
	else
		text_append(remedy, size, "name one that taskset -cp $$ lists");
}

static void explain(struct setup_cpus_refusal *refusal, struct refused *refused, bool several)
{
	char list[CPUS_TEXT_SIZE];

	cpus_print(&refused->all, list);
	*refusal->what = '\0';
	text_append(refusal->what, sizeof(refusal->what), "bind to CPU%s %s", refused->all.count == 1 ? "" : "s", list);
	sort_refused(refused);
	find_reason(refusal->reason, sizeof(refusal->reason), refused);
	find_remedy(refusal->remedy, sizeof(refusal->remedy), refused, several);
}

int setup_cpus_bind(const struct cpus *cpus, struct setup_cpus_refusal *refusal)
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
	if (error)
		explain(refusal, &refused, cpus->count > 1);
	return error;
}
