// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of the kernel can be preempted, from debugfs, its configuration or its version. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "host/sysinfo.h"

/* In the order of the lines in a configuration. The last one there counts. */
static const struct model {
	const char *name;
	const char *option;	/* of the configuration */
	bool preempts;		/* and the kernel's version has the word PREEMPT */
} models[] = {
	{ "none", "CONFIG_PREEMPT_NONE=", false },
	{ "voluntary", "CONFIG_PREEMPT_VOLUNTARY=", false },
	{ "full", "CONFIG_PREEMPT=", true },
	{ "lazy", "CONFIG_PREEMPT_LAZY=", true },
	{ "unknown (PREEMPT_DYNAMIC)", "CONFIG_PREEMPT_DYNAMIC=", true },
};

/* As last known, and where from. */
static char model[300], from[192];

bool kernel_is_since(unsigned major, unsigned minor)
{
	unsigned own_major = 0, own_minor = 0;
	struct utsname kernel;

	uname(&kernel);
	sscanf(kernel.release, "%u.%u", &own_major, &own_minor);
	return own_major > major || (own_major == major && own_minor >= minor);
}

bool kernel_is_rt(void)
{
	struct utsname kernel;

	uname(&kernel);
	return strstr(kernel.version, "PREEMPT_RT") || strstr(kernel.version, "PREEMPT RT");
}

static void set(const char *new_from, const char *new_model)
{
	snprintf(from, sizeof(from), "%s", new_from);
	snprintf(model, sizeof(model), "%s", new_model);
}

/* The file has all models, the one in force in parentheses. If its file system is not mounted, we mount it. */
static bool take_chosen(const char *path)
{
	char line[256], *chosen;
	int debugfs;

	errno = 0;
	if (!sysfile_line(path, line, sizeof(line)) && errno == ENOENT && (debugfs = sysfile_mount("debugfs")) >= 0) {
		path = "debugfs";
		sysfile_line(sysfile_path("/proc/self/fd/%d/sched/preempt", debugfs), line, sizeof(line));
		close(debugfs);
	}
	chosen = strchr(line, '(');
	if (!chosen)
		return false;
	chosen[strcspn(chosen, ")")] = '\0';
	set(path, chosen + 1);
	strcat(model, " (PREEMPT_DYNAMIC)");
	return true;
}

/* Another build may have left its file under this kernel's name. One that contradicts the version is not believed. */
static bool take_config(const struct utsname *kernel)
{
	const char *path = sysfile_path("/boot/config-%s", kernel->release);
	const struct model *found = NULL, *end = models + sizeof(models) / sizeof(*models);
	char value[8];

	for (const struct model *each = models; each < end; each++)
		if (sysfile_value(path, each->option, value, sizeof(value)))
			found = each;
	if (!found || found->preempts != !!strstr(kernel->version, "PREEMPT"))
		return false;
	set(path, found->name);
	return true;
}

/* With PREEMPT_LAZY the version says PREEMPT, too. A model from a different source than at first is not compared. */
void preemption_model(char *value, size_t size, const char *where)
{
	static char first_from[sizeof(from)];
	struct utsname kernel;

	uname(&kernel);
	if (kernel_is_rt())
		set("kernel_version", "PREEMPT_RT");
	else if (take_chosen(where))
		;
	else if (strstr(kernel.version, "PREEMPT_DYNAMIC"))
		set("unknown", "unknown (PREEMPT_DYNAMIC)");
	else if (!take_config(&kernel))
		set("kernel_version", !strstr(kernel.version, "PREEMPT") ? "none or voluntary" :
		    kernel_is_since(6, 13) ? "full or lazy" : "full");
	if (!*first_from)
		strcpy(first_from, from);
	if (strcmp(first_from, from))
		set("unknown", "unknown");
	snprintf(value, size, "%s", model);
}

void preemption_from(char *value, size_t size, const char *where)
{
	(void)where;
	snprintf(value, size, "%s", from);
}
