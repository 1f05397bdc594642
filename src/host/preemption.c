// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/preemption.h"
#include "host/sysfile.h"

/* In the order of the lines in a configuration. The last one there counts. */
static const struct model {
	const char *name;
	const char *line;	/* of the configuration */
	bool preempts;		/* and the kernel's version has the word PREEMPT */
} models[] = {
	{ "none", "CONFIG_PREEMPT_NONE=y", false },
	{ "voluntary", "CONFIG_PREEMPT_VOLUNTARY=y", false },
	{ "full", "CONFIG_PREEMPT=y", true },
	{ "lazy", "CONFIG_PREEMPT_LAZY=y", true },
	{ "unknown (PREEMPT_DYNAMIC)", "CONFIG_PREEMPT_DYNAMIC=y", true },
};

#define MODELS (sizeof(models) / sizeof(*models))

static struct preemption {
	char model[300], from[192];
} first, last;

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

static void set(struct preemption *preemption, const char *from, const char *model)
{
	snprintf(preemption->from, sizeof(preemption->from), "%s", from);
	snprintf(preemption->model, sizeof(preemption->model), "%s", model);
}

/*
 * The file has all models, and the one in force in parentheses: "none voluntary
 * (full)". Where it is not there, it is read in a mount of our own.
 */
static bool take_chosen(struct preemption *preemption, const char *path)
{
	char line[256], *chosen;
	int debugfs = -1;

	errno = 0;
	if (!sysfile_line(path, line, sizeof(line)) && errno == ENOENT)
		debugfs = sysfile_mount("debugfs");
	if (debugfs >= 0) {
		path = "debugfs";
		sysfile_line(sysfile_path("/proc/self/fd/%d/sched/preempt", debugfs), line, sizeof(line));
		close(debugfs);
	}
	chosen = strchr(line, '(');
	if (!chosen)
		return false;
	chosen[strcspn(chosen, ")")] = '\0';
	set(preemption, path, chosen + 1);
	strcat(preemption->model, " (PREEMPT_DYNAMIC)");
	return true;
}

/* Another build may have left its file under this kernel's name. One that contradicts the version is not believed. */
static bool take_config(struct preemption *preemption, const struct utsname *kernel)
{
	const char *path = sysfile_path("/boot/config-%s", kernel->release);
	FILE *file = fopen(path, "re");
	const struct model *found = NULL;
	char line[256];

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < MODELS; i++)
			if (!strcmp(line, models[i].line))
				found = &models[i];
	}
	fclose(file);
	if (!found || found->preempts != !!strstr(kernel->version, "PREEMPT"))
		return false;
	set(preemption, path, found->name);
	return true;
}

/* The version distinguishes only some of the models: with PREEMPT_LAZY it says PREEMPT, too. */
static void derive(struct preemption *preemption, const char *path)
{
	struct utsname kernel;

	uname(&kernel);
	if (kernel_is_rt())
		set(preemption, "kernel_version", "PREEMPT_RT");
	else if (take_chosen(preemption, path))
		return;
	else if (strstr(kernel.version, "PREEMPT_DYNAMIC"))
		set(preemption, "unknown", "unknown (PREEMPT_DYNAMIC)");
	else if (!take_config(preemption, &kernel))
		set(preemption, "kernel_version", !strstr(kernel.version, "PREEMPT") ? "none or voluntary" :
		    kernel_is_since(6, 13) ? "full or lazy" : "full");
}

/* If the model is now known from another source than at first, the two cannot be compared: it becomes unknown. */
void preemption_model(char *value, size_t size, const char *where)
{
	derive(&last, where);
	if (!*first.from)
		first = last;
	if (strcmp(first.from, last.from))
		set(&last, "unknown", "unknown");
	snprintf(value, size, "%s", last.model);
}

void preemption_from(char *value, size_t size, const char *where)
{
	(void)where;
	snprintf(value, size, "%s", last.from);
}
