// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sysinfo.h"

/* Each reads one value and may leave it empty. */
typedef void reader(char *value, size_t size, const char *where);

static void first_line(char *value, size_t size, const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return;
	if (fgets(value, size, file))
		value[strcspn(value, "\n")] = '\0';
	fclose(file);
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

static void cpu_model(char *value, size_t size, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[1024];

	while (file && !*value && fgets(line, sizeof(line), file))
		if (!strncmp(line, "model name", 10) && strchr(line, ':'))
			snprintf(value, size, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
				 strchr(line, ':') + 2);
	if (file)
		fclose(file);
}

/* debugfs shows the model chosen at boot or since in parentheses: "none voluntary (full)". */
static void dynamic_model(char *value, size_t size, const char *path)
{
	char models[256] = "", *open;

	first_line(models, sizeof(models), path);
	open = strchr(models, '(');
	if (open)
		snprintf(value, size, "%.*s (PREEMPT_DYNAMIC)", (int)strcspn(open + 1, ")"), open + 1);
	else
		snprintf(value, size, "PREEMPT_DYNAMIC");
}

static void preemption(char *value, size_t size, const char *debugfs)
{
	struct utsname name;

	uname(&name);
	if (strstr(name.version, "PREEMPT_RT"))
		snprintf(value, size, "PREEMPT_RT");
	else if (strstr(name.version, "PREEMPT_DYNAMIC"))
		dynamic_model(value, size, debugfs);
	else if (strstr(name.version, "PREEMPT"))
		snprintf(value, size, "full");
	else
		snprintf(value, size, "none or voluntary");
}

static const struct {
	const char *key;
	reader *read;
	const char *where;
} sources[SYSINFO_FACTS] = {
	{ "hostname", from_uname, "nodename" },
	{ "kernel_release", from_uname, "release" },
	{ "kernel_version", from_uname, "version" },
	{ "machine", from_uname, "machine" },
	{ "preemption", preemption, "/sys/kernel/debug/sched/preempt" },
	{ "kernel_command_line", first_line, "/proc/cmdline" },
	{ "cpu_model", cpu_model, "/proc/cpuinfo" },
	{ "cpus_online", first_line, "/sys/devices/system/cpu/online" },
	{ "clocksource", first_line, "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "governor", first_line, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor" },
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
