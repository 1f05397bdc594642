// SPDX-License-Identifier: GPL-2.0-or-later
/* The facts of the report's header: a table of where each is read, and the readers of facts in several files. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "host/sysinfo.h"

#define CPU "/sys/devices/system/cpu/"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"
#define DMI "/sys/class/dmi/id"
#define DMI_FACT .file = DMI, .optional = true	/* a folder, which has no lines */
#define HYPERVISOR "/proc/device-tree/hypervisor/compatible"
#define NO_TURBO CPU "intel_pstate/no_turbo"
#define PREEMPT "/sys/kernel/debug/sched/preempt"
#define EXT "/sys/kernel/sched_ext/"
#define SHORT 60		/* what fits into a clause */

/* Writes the fact, or "none" if there is no such thing; leaves the value "" if that is not known. */
typedef void reader(char *value, size_t size, const char *what);

/* Is there no such file, in a file system that is mounted? */
static bool is_absent(const char *path)
{
	bool mounted = strncmp(path, "/sys/", 5) || access(CPU "online", F_OK) == 0;

	return access(path, F_OK) < 0 && errno == ENOENT && mounted;
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

/* The contents of the named files, separated as the names are. Firmware pads some of its lines with blanks. */
static void firmware(char *value, size_t size, const char *names)
{
	for (const char *name = names, *end; *name; name = end + strspn(end, ", ")) {
		char line[128];
		int length;

		end = name + strcspn(name, ", ");
		sysfile_line(sysfile_path(DMI "/%.*s", (int)(end - name), name), line, sizeof(line));
		for (length = strlen(line); length && line[length - 1] == ' '; length--)
			;
		if (length)
			text_append(value, size, "%s%.*s", !*value ? "" : name[-2] == ',' ? ", " : " ", length, line);
	}
}

static void board(char *value, size_t size, const char *names)
{
	firmware(value, size, names);
	if (!*value)
		sysfile_line("/proc/device-tree/model", value, size);
}

static void mitigations(char *value, size_t size, const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, NULL, alphasort);

	if (count < 0)
		return;
	for (int i = 0; i < count; free(entries[i++])) {
		const char *name = entries[i]->d_name;
		char line[256];

		if (sysfile_line(sysfile_path("%s/%s", directory, name), line, sizeof(line)) &&
		    strcmp(line, "Not affected"))
			text_append(value, size, "%s%s: %s", *value ? " | " : "", name, line);
	}
	free(entries);
	if (!*value)
		snprintf(value, size, "none");
}

/* Intel's own driver says the opposite: 1 is off. */
static void boost(char *value, size_t size, const char *what)
{
	long long on;

	if (sysfile_number(what, &on))
		snprintf(value, size, on ? "on" : "off");
	else if (sysfile_number(NO_TURBO, &on))
		snprintf(value, size, on ? "off" : "on");
	else if (is_absent(what) && is_absent(NO_TURBO))
		snprintf(value, size, "none");
}

/* A scheduler being (un)loaded has no name; a kernel without the file can load none. */
static void sched_ext(char *value, size_t size, const char *what)
{
	if (sysfile_line(what, value, size))
		snprintf(value, size, strcmp(value, "disabled") ? "unknown" : "none");
}

static void cgroup(char *value, size_t size, const char *what)
{
	char *text = sysfile_text(what), *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			text_append(value, size, "%s%s", *value ? ", " : "", line);
	free(text);
}

/* An x86 CPU has a flag for a hypervisor; the clocks offered, or the name of the machine, show its kind best. */
static void hypervisor(char *value, size_t size, const char *what)
{
	char flags[8192] = " ", clocks[128];

	if (sysfile_line(what, value, size) || !sysfile_value("/proc/cpuinfo", "flags", flags + 1, sizeof(flags) - 1))
		return;
	sysfile_line(CLOCKSOURCE "available_clocksource", clocks, sizeof(clocks));
	if (!strstr(flags, " hypervisor"))
		snprintf(value, size, "none");
	else if (strstr(clocks, "kvm-clock"))
		snprintf(value, size, "kvm");
	else if (strstr(clocks, "hyperv"))
		snprintf(value, size, "hyperv");
	else if (!sysfile_line(DMI "/sys_vendor", value, size))
		snprintf(value, size, "of unknown kind");
}

static void container(char *value, size_t size, const char *what)
{
	int renumbered = process_is_renumbered();

	if (access("/.dockerenv", F_OK) == 0)
		snprintf(value, size, "docker");
	else if (access(what, F_OK) == 0)
		snprintf(value, size, "podman");
	else if (renumbered >= 0)
		snprintf(value, size, renumbered ? "of unknown kind" : "none");
}

/* A fact is the first line of its file, or the first with that name; or what its (or each CPU's) reader writes. */
static const struct {
	const char *key, *file, *name;
	bool optional;		/* "none" if there is no such file */
	reader *read;
	const char *what;
	cpu_fact *of_cpus;
} sources[SYSINFO_FACTS] = {
	{ .key = "hostname", .read = from_uname, .what = "nodename" },
	{ .key = "kernel_release", .read = from_uname, .what = "release" },
	{ .key = "kernel_version", .read = from_uname, .what = "version" },
	{ .key = "distribution", .read = distribution, .what = "/etc/os-release" },
	{ .key = "machine", .read = from_uname, .what = "machine" },
	{ .key = "board", .read = board, .what = "sys_vendor product_name, board_vendor board_name", DMI_FACT },
	{ .key = "bios", .read = firmware, .what = "bios_vendor bios_version bios_date", DMI_FACT },
	{ .key = "cpu_model", .file = "/proc/cpuinfo", .name = "model name" },
	{ .key = "cpus_online", .file = CPU "online" },
	{ .key = "clocksource", .file = CLOCKSOURCE "current_clocksource" },
	{ .key = "kernel_command_line", .file = "/proc/cmdline" },
	{ .key = "boot_id", .file = "/proc/sys/kernel/random/boot_id" },
	{ .key = "preemption", .read = preemption_model, .what = PREEMPT },
	{ .key = "preemption_from", .read = preemption_from },
	{ .key = "sched_ext", .file = EXT "root/ops", .optional = true, .read = sched_ext, .what = EXT "state" },
	{ .key = "isolcpus", .read = parameter, .what = "isolcpus=" },
	{ .key = "nohz_full", .read = parameter, .what = "nohz_full=" },
	{ .key = "rcu_nocbs", .read = parameter, .what = "rcu_nocbs=" },
	{ .key = "microcode", .file = "/proc/cpuinfo", .name = "microcode" },
	{ .key = "smt", .file = CPU "smt/control", .optional = true },
	{ .key = "smt_siblings", .read = siblings_of_cores, .what = CPU "online" },
	{ .key = "mitigations", .read = mitigations, .what = CPU "vulnerabilities" },
	{ .key = "idle_driver", .file = CPU "cpuidle/current_driver", .optional = true },
	{ .key = "idle_states_us", .of_cpus = cpu_idle_states },
	{ .key = "governor", .of_cpus = cpu_governor },
	{ .key = "frequency_khz", .of_cpus = cpu_frequency },
	{ .key = "boost", .read = boost, .what = CPU "cpufreq/boost" },
	{ .key = "rt_runtime_us", .file = "/proc/sys/kernel/sched_rt_runtime_us" },
	{ .key = "rt_period_us", .file = "/proc/sys/kernel/sched_rt_period_us" },
	{ .key = "cgroup", .read = cgroup, .what = "/proc/self/cgroup" },
	{ .key = "tuned_profile", .file = "/etc/tuned/active_profile", .optional = true },
	{ .key = "hypervisor", .file = "/sys/hypervisor/type", .read = hypervisor, .what = HYPERVISOR },
	{ .key = "container", .file = "/run/systemd/container", .read = container, .what = "/run/.containerenv" },
};

void sysinfo_read(struct machine *machine)
{
	for (int i = 0; i < SYSINFO_FACTS; i++) {
		struct sysinfo_fact *fact = &machine->fact[i];
		const char *file = sources[i].file, *name = sources[i].name ? sources[i].name : "";

		*fact = (struct sysinfo_fact){ .key = sources[i].key };
		if (sources[i].of_cpus)
			cpu_facts(NULL, sources[i].of_cpus, fact->value, sizeof(fact->value));
		else if (!(file && sysfile_value(file, name, fact->value, sizeof(fact->value))) && sources[i].read)
			sources[i].read(fact->value, sizeof(fact->value), sources[i].what);
		if (!*fact->value)
			strcpy(fact->value, sources[i].optional && is_absent(file) ? "none" : "unknown");
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
