// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a process cannot be bound to a CPU, and where the processes go that do not measure. */
#include <string.h>

#include "base/text.h"
#include "host/sysfile.h"
#include "host/sysinfo.h"
#include "run/setup.h"

/* Is the CPU missing from the list? False if the list could not be read. */
static bool leaves_out(const char *list, int cpu)
{
	struct cpus cpus;

	return !cpus_parse(list, &cpus) && !cpus_include(&cpus, cpu);
}

/* The kernel returns only EINVAL; its lists of CPUs show why: "it is offline", or "2,5 are offline" if not all are. */
void setup_refuse_cpus(const struct cpus *all, int error, bool several)
{
	static const char *const why[] = { "offline", "not in the cpuset of this process" };
	struct cpus of[] = { { .count = 0 }, { .count = 0 } }, *offline = &of[0], *outside = &of[1];
	char list[CPUS_TEXT_SIZE], present[128], online[128], line[REFUSAL_LINE];
	bool one = all->count == 1, may_switch;
	struct refusal refusal;

	cpus_print(all, list);
	refusal_begin(&refusal, error, "bind to CPU%s %s", one ? "" : "s", list);
	sysfile_line("/sys/devices/system/cpu/present", present, sizeof(present));
	sysfile_line("/sys/devices/system/cpu/online", online, sizeof(online));
	for (int i = 0; i < all->count; i++) {
		int cpu = all->number[i];

		if (leaves_out(present, cpu))
			refusal_reason(&refusal, "the machine has CPUs %s", present);
		else if (leaves_out(online, cpu))
			offline->number[offline->count++] = cpu;
		else if (*online)
			outside->number[outside->count++] = cpu;
	}
	for (int i = 0; i < 2; i++) {
		cpus_print(&of[i], list);
		if (of[i].count)
			text_append(refusal.reason, sizeof(refusal.reason), "%s%s %s %s",
				    *refusal.reason ? ", and " : "", of[i].count < all->count ? list : one ? "it" :
				    "they", of[i].count == 1 ? "is" : "are", why[i]);
	}
	/* A user who listed several CPUs may have meant all of them. */
	may_switch = one && offline->count && *online;
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
