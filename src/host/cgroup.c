// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/cgroup.h"
#include "host/sysfile.h"

/* Is the word in the list, which has commas between? */
static bool lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && !strncmp(list, word, length))
			return true;
	return false;
}

/*
 * Lines "number:controllers:path". Version 2 has the number 0 and no
 * controllers. Returns false when the process is in no group of that controller.
 */
static bool find_group(const char *process, const char *controller, char group[CGROUP_PATH])
{
	FILE *file = fopen(sysfile_path("/proc/%s/cgroup", process), "re");
	char line[1024];

	*group = '\0';
	while (file && !*group && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(++controllers, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (lists(controllers, controller) || (!*controller && !*controllers))
			snprintf(group, CGROUP_PATH, "%.*s", (int)strcspn(path, "\n"), path);
	}
	if (file)
		fclose(file);
	return *group;
}

/* Where the file system of that type and option (NULL: any) is mounted. */
static bool find_mount(const char *type, const char *option, char mount[CGROUP_PATH])
{
	FILE *file = fopen("/proc/self/mounts", "re");
	char line[1024], found_type[32], options[512];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%*s %255s %31s %511s", mount, found_type, options) == 3 &&
			!strcmp(found_type, type) && (!option || lists(options, option));
	if (file)
		fclose(file);
	return found;
}

static bool read_bound(struct cgroup_runtime *runtime, const char *directory, const char *prefix)
{
	snprintf(runtime->file, sizeof(runtime->file), "%s/%srt_runtime_us", directory, prefix);
	return sysfile_number(runtime->file, &runtime->runtime_us) &&
	       sysfile_number(sysfile_path("%s/%srt_period_us", directory, prefix), &runtime->period_us);
}

bool cgroup_read_global_runtime(struct cgroup_runtime *runtime)
{
	*runtime = (struct cgroup_runtime){ .group = "" };
	return read_bound(runtime, "/proc/sys/kernel", "sched_");
}

/* In a container the group may have its name on the machine, and what is mounted be the group itself. */
bool cgroup_read_runtime(struct cgroup_runtime *runtime)
{
	char mount[CGROUP_PATH], directory[2 * CGROUP_PATH];

	/* A machine without a bound for all real-time processes does not ask the group. */
	if (cgroup_read_global_runtime(runtime) && runtime->runtime_us < 0)
		return false;
	if (!find_group("self", "cpu", runtime->group) || !find_mount("cgroup", "cpu", mount))
		return false;
	snprintf(directory, sizeof(directory), "%s%s", mount, strcmp(runtime->group, "/") ? runtime->group : "");
	return read_bound(runtime, directory, "cpu.") || read_bound(runtime, mount, "cpu.");
}

bool cgroup_denies(struct refusal *refusal)
{
	struct cgroup_runtime runtime;

	if (!cgroup_read_runtime(&runtime) || runtime.runtime_us)
		return false;
	refusal_reason(refusal, "the control group %s has no real-time runtime", runtime.group);
	refusal_remedy(refusal, "write one, such as 100000, to %s and to that of each parent group, or start in "
		       "another group", runtime.file);
	return true;
}

bool cgroup_may_deny(struct refusal *refusal)
{
	char group[CGROUP_PATH], mount[CGROUP_PATH];

	if (!find_group("self", "", group) || !strcmp(group, "/") || !find_mount("cgroup2", "rw", mount))
		return false;
	refusal_reason(refusal, "the control group may be why: %s is not the root group", group);
	refusal_remedy(refusal, "leave it (echo $$ >%s/cgroup.procs), or boot a kernel with CONFIG_RT_GROUP_SCHED "
		       "with rt_group_sched=0", mount);
	return true;
}

/* What is mounted may be the group itself, as above. The root group does not have every file. */
enum cgroup_sight cgroup_find_file(pid_t pid, const char *controller, const char *name, char path[CGROUP_FILE])
{
	bool second = !*controller;
	char group[CGROUP_PATH], mount[CGROUP_PATH], process[16];

	*path = '\0';
	snprintf(process, sizeof(process), "%d", pid);
	if (!find_group(process, controller, group))
		return CGROUP_NONE;
	if (!find_mount(second ? "cgroup2" : "cgroup", second ? NULL : controller, mount))
		return CGROUP_HIDDEN;
	snprintf(path, CGROUP_FILE, "%s%s/%s", mount, group, name);
	if (access(path, F_OK) == 0)
		return CGROUP_FOUND;
	snprintf(path, CGROUP_FILE, "%s/%s", mount, name);
	if (access(path, F_OK) == 0)
		return CGROUP_FOUND;
	*path = '\0';
	return strcmp(group, "/") ? CGROUP_HIDDEN : CGROUP_NONE;
}
