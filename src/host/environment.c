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
#include "host/process.h"
#include "host/sysfile.h"

static bool is_there(const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	fclose(file);
	return true;
}

/* Not to be found, in a file system that is there? */
static bool is_absent(const char *path)
{
	bool mounted = strncmp(path, "/sys/", 5) || is_there("/sys/devices/system/cpu/online");

	return !is_there(path) && errno == ENOENT && mounted;
}

void environment_line(char *value, size_t size, const char *path)
{
	if (is_absent(path))
		snprintf(value, size, "none");
	else
		sysfile_line(path, value, size);
}

/* What a shell would make of the word: os-release(5). */
static void unquote(char *text)
{
	char quote = *text == '"' || *text == '\'' ? *text : '\0';
	char *to = text;

	for (const char *from = text + !!quote; *from && *from != quote; from++) {
		if (*from == '\\' && quote == '"' && from[1])
			from++;
		*to++ = *from;
	}
	*to = '\0';
}

void environment_distribution(char *value, size_t size, const char *path)
{
	sysfile_value(path, "PRETTY_NAME=", value, size);
	unquote(value);
}

/* One behind the other, without the blanks that firmware leaves at the end. */
static void append_dmi(char *value, size_t size, const char *separator, const char *directory, const char *name)
{
	char line[128];
	size_t length;

	sysfile_line(sysfile_path("%s/%s", directory, name), line, sizeof(line));
	length = strlen(line);
	while (length && line[length - 1] == ' ')
		line[--length] = '\0';
	if (length)
		text_append(value, size, "%s%s", *value ? separator : "", line);
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
	if (*value)
		text_append(value, size, ", ");
	text_append(value, size, run->first == run->last ? "CPU %d: " : "CPU %d-%d: ", run->first, run->last);
	text_append(value, size, "%s", run->text);
}

/* Those without, as they are offline, are passed over. */
static void all_cpus(char *value, size_t size, const char *where,
		     void (*read)(char *text, size_t size, const char *directory))
{
	struct alike run = { .first = -1 };
	char directory[96], text[sizeof(run.text)];
	bool absent = false;

	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		*text = '\0';
		snprintf(directory, sizeof(directory), "/sys/devices/system/cpu/cpu%d/%s", cpu, where);
		read(text, sizeof(text), directory);
		absent = absent || !*text;
		if (*text && run.first >= 0 && strcmp(text, run.text)) {
			append_run(value, size, &run);
			run.first = -1;
		}
		if (!*text)
			continue;
		if (run.first < 0)
			run.first = cpu;
		run.last = cpu;
		strcpy(run.text, text);
	}
	if (*value)
		append_run(value, size, &run);
	else if (run.first >= 0)
		text_append(value, size, "%s", run.text);
	else if (absent && is_there("/sys/devices/system/cpu/online"))
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
	all_cpus(value, size, where, idle_states);
}

void environment_governor(char *value, size_t size, const char *where)
{
	all_cpus(value, size, where, governor);
}

void environment_frequency(char *value, size_t size, const char *where)
{
	all_cpus(value, size, where, frequency);
}

/* Intel's own driver says the opposite. */
void environment_boost(char *value, size_t size, const char *path)
{
	static const char opposite[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
	long long on;

	if (sysfile_number(path, &on))
		snprintf(value, size, on ? "on" : "off");
	else if (sysfile_number(opposite, &on))
		snprintf(value, size, on ? "off" : "on");
	else if (is_absent(path) && is_absent(opposite))
		snprintf(value, size, "none");
}

void environment_cgroup(char *value, size_t size, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		text_append(value, size, "%s%.*s", *value ? ", " : "", (int)strcspn(line, "\n"), line);
	if (file)
		fclose(file);
}

/* Which one is best told by the clock that it offers, or by what it calls the machine. */
static void name_hypervisor(char *value, size_t size)
{
	char clocks[128];

	sysfile_line("/sys/devices/system/clocksource/clocksource0/available_clocksource", clocks, sizeof(clocks));
	if (strstr(clocks, "kvm-clock"))
		snprintf(value, size, "kvm");
	else if (strstr(clocks, "hyperv"))
		snprintf(value, size, "hyperv");
	else if (!sysfile_line("/sys/class/dmi/id/sys_vendor", value, size))
		snprintf(value, size, "of unknown kind");
}

/* The flags of an x86 CPU say whether there is one. */
void environment_hypervisor(char *value, size_t size, const char *path)
{
	char flags[8192] = " ";

	if (sysfile_line(path, value, size))
		return;
	if (sysfile_line("/proc/device-tree/hypervisor/compatible", value, size))
		return;
	if (!sysfile_value("/proc/cpuinfo", "flags", flags + 1, sizeof(flags) - 1))
		return;
	if (strstr(flags, " hypervisor"))
		name_hypervisor(value, size);
	else
		snprintf(value, size, "none");
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
