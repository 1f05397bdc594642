// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/text.h"
#include "host/environment.h"
#include "host/preemption.h"
#include "host/siblings.h"
#include "host/sysfile.h"
#include "host/sysinfo.h"

#define CPU "/sys/devices/system/cpu/"
#define DMI "/sys/class/dmi/id"
#define PREEMPT "/sys/kernel/debug/sched/preempt"
#define SHORT 60		/* what fits into a clause */

static void first_line(char *value, size_t size, const char *path)
{
	sysfile_line(path, value, size);
}

static void from_uname(char *value, size_t size, const char *member)
{
	struct utsname name;

	uname(&name);
	snprintf(value, size, "%s",
		 !strcmp(member, "nodename") ? name.nodename :
		 !strcmp(member, "release") ? name.release :
		 !strcmp(member, "version") ? name.version : name.machine);
}

static void cpuinfo(char *value, size_t size, const char *key)
{
	sysfile_value("/proc/cpuinfo", key, value, size);
}

/* The text after the word on the kernel's command line. Words after -- are for init. */
static void parameter(char *value, size_t size, const char *word)
{
	char line[2048], *rest = line, *found;

	if (!sysfile_line("/proc/cmdline", line, sizeof(line)))
		return;
	snprintf(value, size, "none");
	while ((found = strsep(&rest, " ")) && strcmp(found, "--"))
		if (!strncmp(found, word, strlen(word)))
			snprintf(value, size, "%s", found + strlen(word));
}

static const struct {
	const char *key;
	environment_reader *read;
	const char *where;
} sources[SYSINFO_FACTS] = {
	{ "hostname", from_uname, "nodename" },
	{ "kernel_release", from_uname, "release" },
	{ "kernel_version", from_uname, "version" },
	{ "distribution", environment_distribution, "/etc/os-release" },
	{ "machine", from_uname, "machine" },
	{ "board", environment_board, DMI },
	{ "bios", environment_bios, DMI },
	{ "cpu_model", cpuinfo, "model name" },
	{ "cpus_online", first_line, CPU "online" },
	{ "clocksource", first_line, "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "kernel_command_line", first_line, "/proc/cmdline" },
	{ "boot_id", first_line, "/proc/sys/kernel/random/boot_id" },
	{ "preemption", preemption_model, PREEMPT },
	{ "preemption_from", preemption_from, PREEMPT },
	{ "sched_ext", environment_sched_ext, "/sys/kernel/sched_ext" },
	{ "isolcpus", parameter, "isolcpus=" },
	{ "nohz_full", parameter, "nohz_full=" },
	{ "rcu_nocbs", parameter, "rcu_nocbs=" },
	{ "microcode", cpuinfo, "microcode" },
	{ "smt", environment_line, CPU "smt/control" },
	{ "smt_siblings", siblings_of_cores, CPU "online" },
	{ "mitigations", environment_mitigations, CPU "vulnerabilities" },
	{ "idle_driver", environment_line, CPU "cpuidle/current_driver" },
	{ "idle_states_us", environment_idle_states, "cpuidle" },
	{ "governor", environment_governor, "cpufreq" },
	{ "frequency_khz", environment_frequency, "cpufreq" },
	{ "boost", environment_boost, CPU "cpufreq/boost" },
	{ "rt_runtime_us", first_line, "/proc/sys/kernel/sched_rt_runtime_us" },
	{ "rt_period_us", first_line, "/proc/sys/kernel/sched_rt_period_us" },
	{ "cgroup", environment_cgroup, "/proc/self/cgroup" },
	{ "tuned_profile", environment_line, "/etc/tuned/active_profile" },
	{ "hypervisor", environment_hypervisor, "/sys/hypervisor/type" },
	{ "container", environment_container, "/run/systemd/container" },
};

void sysinfo_read(struct machine *machine)
{
	for (int i = 0; i < SYSINFO_FACTS; i++) {
		struct sysinfo_fact *fact = &machine->fact[i];

		*fact = (struct sysinfo_fact){ .key = sources[i].key };
		sources[i].read(fact->value, sizeof(fact->value), sources[i].where);
		if (!*fact->value)
			strcpy(fact->value, "unknown");
	}
}

const char *sysinfo_value(const struct machine *machine, const char *key)
{
	for (int i = 0; i < SYSINFO_FACTS; i++)
		if (!strcmp(machine->fact[i].key, key))
			return machine->fact[i].value;
	return "unknown";
}

bool sysinfo_differs(const struct sysinfo_fact *before, const struct sysinfo_fact *after)
{
	return strncmp(before->value, "unknown", 7) && strncmp(after->value, "unknown", 7) &&
	       strcmp(before->value, after->value);
}

/* The report has both values, so a long one is not repeated. */
void sysinfo_tell_changes(const struct machine *before, const struct machine *after, char *text, size_t size)
{
	*text = '\0';
	for (int i = 0; i < SYSINFO_FACTS; i++) {
		const char *from = before->fact[i].value, *to = after->fact[i].value;

		if (!sysinfo_differs(&before->fact[i], &after->fact[i]))
			continue;
		text_append(text, size, "%s%s changed", *text ? "; " : "", before->fact[i].key);
		if (strlen(from) <= SHORT && strlen(to) <= SHORT)
			text_append(text, size, ": %s -> %s", from, to);
	}
}
