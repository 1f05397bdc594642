// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "host/environment.h"
#include "host/idle_latency.h"
#include "host/process.h"
#include "host/sysfile.h"

#define CPUS_ONLINE "/sys/devices/system/cpu/online"
#define NO_TURBO "/sys/devices/system/cpu/intel_pstate/no_turbo"
#define CLOCKSOURCES "/sys/devices/system/clocksource/clocksource0/available_clocksource"

static bool is_there(const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	fclose(file);
	return true;
}

/* Is there no such file, in a file system that is mounted? */
static bool is_absent(const char *path)
{
	bool mounted = strncmp(path, "/sys/", 5) || is_there(CPUS_ONLINE);

	return !is_there(path) && errno == ENOENT && mounted;
}

void environment_line(char *value, size_t size, const char *path)
{
	if (is_absent(path))
		snprintf(value, size, "none");
	else
		sysfile_line(path, value, size);
}

/* Quotes and backslashes are resolved as a shell would: os-release(5). */
void environment_distribution(char *value, size_t size, const char *path)
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

void environment_board(char *value, size_t size, const char *directory)
{
	append_dmi(value, size, " ", directory, "sys_vendor");
	append_dmi(value, size, " ", directory, "product_name");
	append_dmi(value, size, ", ", directory, "board_vendor");
	append_dmi(value, size, " ", directory, "board_name");
	if (!*value && !sysfile_line("/proc/device-tree/model", value, size) && is_absent(directory))
		snprintf(value, size, "none");
}

void environment_bios(char *value, size_t size, const char *directory)
{
	append_dmi(value, size, " ", directory, "bios_vendor");
	append_dmi(value, size, " ", directory, "bios_version");
	append_dmi(value, size, " ", directory, "bios_date");
	if (!*value && is_absent(directory))
		snprintf(value, size, "none");
}

static int is_name(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

void environment_mitigations(char *value, size_t size, const char *directory)
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

/* A run of CPUs that are alike. */
struct alike {
	int first, last;
	char text[512];
};

static void append_run(char *value, size_t size, const struct alike *run)
{
	text_append(value, size, *value ? ", CPU %d" : "CPU %d", run->first);
	if (run->last != run->first)
		text_append(value, size, "-%d", run->last);
	text_append(value, size, ": %s", run->text);
}

/* Only these CPUs, or all (NULL). A CPU without a text, such as one that is offline, is passed over. */
static void describe_cpus(char *value, size_t size, const struct cpus *only, const char *where,
			  void (*describe)(char *text, size_t size, const char *directory))
{
	struct alike run = { .text = "" };
	char directory[96], text[sizeof(run.text)];

	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		if (only && !cpus_include(only, cpu))
			continue;
		*text = '\0';
		snprintf(directory, sizeof(directory), "/sys/devices/system/cpu/cpu%d/%s", cpu, where);
		describe(text, sizeof(text), directory);
		if (!*text)
			continue;
		if (strcmp(text, run.text)) {
			if (*run.text)
				append_run(value, size, &run);
			run.first = cpu;
			strcpy(run.text, text);
		}
		run.last = cpu;
	}
	if (*value)
		append_run(value, size, &run);
	else if (*run.text)
		text_append(value, size, "%s", run.text);
	else if (is_there(CPUS_ONLINE))
		snprintf(value, size, "none");
}

/* "POLL 0, C1 2, C6 133 disabled" */
static void idle_states(char *text, size_t size, const char *directory)
{
	for (int i = 0; ; i++) {
		long long us, disabled = 0;
		char name[64];

		if (!sysfile_number(sysfile_path("%s/state%d/latency", directory, i), &us))
			return;
		sysfile_number(sysfile_path("%s/state%d/disable", directory, i), &disabled);
		sysfile_line(sysfile_path("%s/state%d/name", directory, i), name, sizeof(name));
		text_append(text, size, "%s%s %lld%s", i ? ", " : "", *name ? name : "unknown", us,
			    disabled ? " disabled" : "");
	}
}

static void idle_latency(char *text, size_t size, const char *directory)
{
	long long us;

	if (!idle_latency_read(sysfile_path("%s/" IDLE_LATENCY_FILE, directory), &us))
		return;
	if (us == IDLE_LATENCY_OFF)
		snprintf(text, size, "off");
	else
		snprintf(text, size, "%lld", us);
}

static void governor(char *text, size_t size, const char *directory)
{
	sysfile_line(sysfile_path("%s/scaling_governor", directory), text, size);
}

static void frequency(char *text, size_t size, const char *directory)
{
	long long least, most;

	if (sysfile_number(sysfile_path("%s/scaling_min_freq", directory), &least) &&
	    sysfile_number(sysfile_path("%s/scaling_max_freq", directory), &most))
		snprintf(text, size, "%lld to %lld", least, most);
}

void environment_idle_states(char *value, size_t size, const char *where)
{
	describe_cpus(value, size, NULL, where, idle_states);
}

void environment_idle_states_of(const struct cpus *cpus, char *value, size_t size)
{
	*value = '\0';
	describe_cpus(value, size, cpus, "cpuidle", idle_states);
}

void environment_idle_latency_of(const struct cpus *cpus, char *value, size_t size)
{
	*value = '\0';
	describe_cpus(value, size, cpus->count ? cpus : NULL, "power", idle_latency);
	if (!*value)
		snprintf(value, size, "unknown");
}

void environment_governor(char *value, size_t size, const char *where)
{
	describe_cpus(value, size, NULL, where, governor);
}

void environment_governor_of(const struct cpus *cpus, char *value, size_t size)
{
	*value = '\0';
	describe_cpus(value, size, cpus, "cpufreq", governor);
}

void environment_frequency(char *value, size_t size, const char *where)
{
	describe_cpus(value, size, NULL, where, frequency);
}

/* Intel's own driver says the opposite: 1 is off. */
void environment_boost(char *value, size_t size, const char *path)
{
	long long on;

	if (sysfile_number(path, &on))
		snprintf(value, size, on ? "on" : "off");
	else if (sysfile_number(NO_TURBO, &on))
		snprintf(value, size, on ? "off" : "on");
	else if (is_absent(path) && is_absent(NO_TURBO))
		snprintf(value, size, "none");
}

/* A scheduler that comes or goes has no name; a kernel without the directory can load none. */
void environment_sched_ext(char *value, size_t size, const char *directory)
{
	char state[32];

	if (sysfile_line(sysfile_path("%s/root/ops", directory), value, size))
		return;
	sysfile_line(sysfile_path("%s/state", directory), state, sizeof(state));
	if (!strcmp(state, "disabled") || is_absent(directory))
		snprintf(value, size, "none");
}

void environment_cgroup(char *value, size_t size, const char *path)
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
void environment_hypervisor(char *value, size_t size, const char *path)
{
	char flags[8192] = " ", clocks[128];

	if (sysfile_line(path, value, size) || sysfile_line("/proc/device-tree/hypervisor/compatible", value, size))
		return;
	if (!sysfile_value("/proc/cpuinfo", "flags", flags + 1, sizeof(flags) - 1))
		return;
	sysfile_line(CLOCKSOURCES, clocks, sizeof(clocks));
	if (!strstr(flags, " hypervisor"))
		snprintf(value, size, "none");
	else if (strstr(clocks, "kvm-clock"))
		snprintf(value, size, "kvm");
	else if (strstr(clocks, "hyperv"))
		snprintf(value, size, "hyperv");
	else if (!sysfile_line("/sys/class/dmi/id/sys_vendor", value, size))
		snprintf(value, size, "of unknown kind");
}

void environment_container(char *value, size_t size, const char *path)
{
	int renumbered = process_is_renumbered();

	if (sysfile_line(path, value, size))
		return;
	if (is_there("/.dockerenv"))
		snprintf(value, size, "docker");
	else if (is_there("/run/.containerenv"))
		snprintf(value, size, "podman");
	else if (renumbered >= 0)
		snprintf(value, size, renumbered ? "of unknown kind" : "none");
}
