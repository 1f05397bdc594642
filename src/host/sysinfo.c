// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "host/cpu_facts.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "host/sysinfo.h"

#define CPU "/sys/devices/system/cpu/"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"
#define DMI "/sys/class/dmi/id"
#define NO_TURBO CPU "intel_pstate/no_turbo"
#define PREEMPT "/sys/kernel/debug/sched/preempt"
#define SHORT 60		/* what fits into a clause */

/* Writes the fact, or "none" if there is no such thing; leaves the value "" if that is not known. */
typedef void reader(char *value, size_t size, const char *where);

/* Is there no such file, in a file system that is mounted? */
static bool is_absent(const char *path)
{
	bool mounted = strncmp(path, "/sys/", 5) || access(CPU "online", F_OK) == 0;

	return access(path, F_OK) < 0 && errno == ENOENT && mounted;
}

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

/* Quotes and backslashes are resolved as a shell would: os-release(5). */
static void distribution(char *value, size_t size, const char *path)
{
	char quote, *to = value;

	sysfile_value(path, "PRETTY_NAME=", value, size);
	quote = *value == '"' || *value == '\'' ? *value : '\0';
	for (const char *from = value + !!quote; *from && *from != quote; from++) {
		if (*from == '\\' && quote == '"' && from[1])
			from++;
		*to++ = *from;
	}
	*to = '\0';
}

/* Firmware pads some of its lines with blanks. */
static void append_dmi(char *value, size_t size, const char *separator, const char *directory, const char *name)
{
	char line[128];
	size_t length;

	sysfile_line(sysfile_path("%s/%s", directory, name), line, sizeof(line));
	for (length = strlen(line); length && line[length - 1] == ' '; length--)
		;
	if (length)
		text_append(value, size, "%s%.*s", *value ? separator : "", (int)length, line);
}

static void board(char *value, size_t size, const char *directory)
{
	append_dmi(value, size, " ", directory, "sys_vendor");
	append_dmi(value, size, " ", directory, "product_name");
	append_dmi(value, size, ", ", directory, "board_vendor");
	append_dmi(value, size, " ", directory, "board_name");
	if (!*value)
		sysfile_line("/proc/device-tree/model", value, size);
}

static void bios(char *value, size_t size, const char *directory)
{
	append_dmi(value, size, " ", directory, "bios_vendor");
	append_dmi(value, size, " ", directory, "bios_version");
	append_dmi(value, size, " ", directory, "bios_date");
}

static int is_name(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static void mitigations(char *value, size_t size, const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_name, alphasort);

	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char line[256];

		if (sysfile_line(sysfile_path("%s/%s", directory, name), line, sizeof(line)) &&
		    strcmp(line, "Not affected"))
			text_append(value, size, "%s%s: %s", *value ? " | " : "", name, line);
		free(entries[i]);
	}
	if (count < 0)
		return;
	free(entries);
	if (!*value)
		snprintf(value, size, "none");
}

static void of_cpus(char *value, size_t size, const char *what)
{
	cpu_facts(NULL, !strcmp(what, "idle_states") ? cpu_idle_states :
		  !strcmp(what, "governor") ? cpu_governor : cpu_frequency, value, size);
}

/* Intel's own driver says the opposite: 1 is off. */
static void boost(char *value, size_t size, const char *path)
{
	long long on;

	if (sysfile_number(path, &on))
		snprintf(value, size, on ? "on" : "off");
	else if (sysfile_number(NO_TURBO, &on))
		snprintf(value, size, on ? "off" : "on");
	else if (!is_absent(NO_TURBO))
		snprintf(value, size, "unknown");
}

/* A scheduler that comes or goes has no name; a kernel without the directory can load none. */
static void sched_ext(char *value, size_t size, const char *directory)
{
	if (sysfile_line(sysfile_path("%s/root/ops", directory), value, size))
		return;
	sysfile_line(sysfile_path("%s/state", directory), value, size);
	snprintf(value, size, strcmp(value, "disabled") ? "" : "none");
}

static void cgroup(char *value, size_t size, const char *path)
{
	char *text = sysfile_text(path), *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			text_append(value, size, "%s%s", *value ? ", " : "", line);
	free(text);
}

/*
 * An x86 CPU has a flag for it. Which hypervisor it is shows best in the clocks
 * that it offers, or in the name that it gives the machine.
 */
static void hypervisor(char *value, size_t size, const char *path)
{
	char flags[8192] = " ", clocks[128];

	if (sysfile_line(path, value, size) || sysfile_line("/proc/device-tree/hypervisor/compatible", value, size))
		return;
	if (!sysfile_value("/proc/cpuinfo", "flags", flags + 1, sizeof(flags) - 1))
		return;
	sysfile_line(CLOCKSOURCE "available_clocksource", clocks, sizeof(clocks));
	if (!strstr(flags, " hypervisor"))
		snprintf(value, size, "none");
	else if (strstr(clocks, "kvm-clock"))
		snprintf(value, size, "kvm");
	else if (strstr(clocks, "hyperv"))
		snprintf(value, size, "hyperv");
	else if (!sysfile_line("/sys/class/dmi/id/sys_vendor", value, size))
		snprintf(value, size, "of unknown kind");
}

static void container(char *value, size_t size, const char *path)
{
	int renumbered = process_is_renumbered();

	if (sysfile_line(path, value, size))
		return;
	if (access("/.dockerenv", F_OK) == 0)
		snprintf(value, size, "docker");
	else if (access("/run/.containerenv", F_OK) == 0)
		snprintf(value, size, "podman");
	else if (renumbered >= 0)
		snprintf(value, size, renumbered ? "of unknown kind" : "none");
}

static const struct {
	const char *key;
	reader *read;
	const char *where;
	bool optional;		/* "none" if there is no such file */
} sources[SYSINFO_FACTS] = {
	{ "hostname", from_uname, "nodename", false },
	{ "kernel_release", from_uname, "release", false },
	{ "kernel_version", from_uname, "version", false },
	{ "distribution", distribution, "/etc/os-release", false },
	{ "machine", from_uname, "machine", false },
	{ "board", board, DMI, true },
	{ "bios", bios, DMI, true },
	{ "cpu_model", cpuinfo, "model name", false },
	{ "cpus_online", first_line, CPU "online", false },
	{ "clocksource", first_line, CLOCKSOURCE "current_clocksource", false },
	{ "kernel_command_line", first_line, "/proc/cmdline", false },
	{ "boot_id", first_line, "/proc/sys/kernel/random/boot_id", false },
	{ "preemption", preemption_model, PREEMPT, false },
	{ "preemption_from", preemption_from, PREEMPT, false },
	{ "sched_ext", sched_ext, "/sys/kernel/sched_ext", true },
	{ "isolcpus", parameter, "isolcpus=", false },
	{ "nohz_full", parameter, "nohz_full=", false },
	{ "rcu_nocbs", parameter, "rcu_nocbs=", false },
	{ "microcode", cpuinfo, "microcode", false },
	{ "smt", first_line, CPU "smt/control", true },
	{ "smt_siblings", siblings_of_cores, CPU "online", false },
	{ "mitigations", mitigations, CPU "vulnerabilities", false },
	{ "idle_driver", first_line, CPU "cpuidle/current_driver", true },
	{ "idle_states_us", of_cpus, "idle_states", false },
	{ "governor", of_cpus, "governor", false },
	{ "frequency_khz", of_cpus, "frequency", false },
	{ "boost", boost, CPU "cpufreq/boost", true },
	{ "rt_runtime_us", first_line, "/proc/sys/kernel/sched_rt_runtime_us", false },
	{ "rt_period_us", first_line, "/proc/sys/kernel/sched_rt_period_us", false },
	{ "cgroup", cgroup, "/proc/self/cgroup", false },
	{ "tuned_profile", first_line, "/etc/tuned/active_profile", true },
	{ "hypervisor", hypervisor, "/sys/hypervisor/type", false },
	{ "container", container, "/run/systemd/container", false },
};

void sysinfo_read(struct machine *machine)
{
	for (int i = 0; i < SYSINFO_FACTS; i++) {
		struct sysinfo_fact *fact = &machine->fact[i];

		*fact = (struct sysinfo_fact){ .key = sources[i].key };
		sources[i].read(fact->value, sizeof(fact->value), sources[i].where);
		if (!*fact->value)
			strcpy(fact->value, sources[i].optional && is_absent(sources[i].where) ? "none" : "unknown");
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
