// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cgroup.h"
#include "host/sysfile.h"

/* Is the word in the comma-separated list? */
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
 * controllers. Returns false when the process (0: this one) is in no group of
 * that controller ("": of version 2).
 */
static bool find_group(pid_t pid, const char *controller, char group[CGROUP_PATH])
{
	char *text = sysfile_text(pid ? sysfile_path("/proc/%d/cgroup", pid) : "/proc/self/cgroup");
	char *rest = text, *line;

	*group = '\0';
	while (!*group && (line = strsep(&rest, "\n"))) {
		const char *controllers;

		strsep(&line, ":");
		controllers = strsep(&line, ":");
		if (line && (lists(controllers, controller) || (!*controller && !*controllers)))
			snprintf(group, CGROUP_PATH, "%s", line);
	}
	free(text);
	return *group;
}

/* Find where the file system of that type and option (NULL: any) is mounted. */
static bool find_mount(const char *type, const char *option, char mount[CGROUP_PATH])
{
	char *text = sysfile_text("/proc/self/mounts"), *rest = text, *line;
	char found_type[32], options[512];
	bool found = false;

	while (!found && (line = strsep(&rest, "\n")))
		found = sscanf(line, "%*s %255s %31s %511s", mount, found_type, options) == 3 &&
			!strcmp(found_type, type) && (!option || lists(options, option));
	free(text);
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

/*
 * The kernel does not ask the group if there is no bound of all real-time processes.
 * In a container the group may be listed by its name on the host, while the mount
 * is the group itself.
 */
bool cgroup_read_runtime(struct cgroup_runtime *runtime)
{
	char mount[CGROUP_PATH], directory[2 * CGROUP_PATH];

	if (cgroup_read_global_runtime(runtime) && runtime->runtime_us < 0)
		return false;
	if (!find_group(0, "cpu", runtime->group) || !find_mount("cgroup", "cpu", mount))
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

	if (!find_group(0, "", group) || !strcmp(group, "/") || !find_mount("cgroup2", "rw", mount))
		return false;
	refusal_reason(refusal, "the control group %s may be the reason: it is not the root group", group);
	refusal_remedy(refusal, "leave it (echo $$ >%s/cgroup.procs), or boot a kernel with CONFIG_RT_GROUP_SCHED "
		       "with rt_group_sched=0", mount);
	return true;
}

/*
 * Find a file in the group of the process; controller "" is version 2. The mount
 * may be the group itself, as above. Writes the path, or "". Returns false if
 * the group may have such a file that we cannot see; the root group has none.
 */
static bool find_file(pid_t pid, const char *controller, const char *name, char path[CGROUP_FILE])
{
	char group[CGROUP_PATH], mount[CGROUP_PATH];
	bool mounted;

	*path = '\0';
	if (!find_group(pid, controller, group))
		return true;
	mounted = *controller ? find_mount("cgroup", controller, mount) : find_mount("cgroup2", NULL, mount);
	if (!mounted)
		return false;
	snprintf(path, CGROUP_FILE, "%s%s/%s", mount, group, name);
	if (access(path, F_OK) == 0)
		return true;
	snprintf(path, CGROUP_FILE, "%s/%s", mount, name);
	if (access(path, F_OK) == 0)
		return true;
	*path = '\0';
	return !strcmp(group, "/");
}

/* The file stays open for poll(), which reports an event until the file is read for the first time. */
static int open_events(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[128];

	if (fd >= 0 && pread(fd, text, sizeof(text), 0) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* If the group has a freezer of version 1, the process may be frozen unseen between two looks. */
static void find_files(struct freezer *freezer)
{
	char path[CGROUP_FILE];

	if (freezer->events >= 0)
		close(freezer->events);
	freezer->hidden |= !find_file(freezer->pid, "", "cgroup.events", path);
	freezer->events = *path ? open_events(path) : -1;
	freezer->hidden |= *path && freezer->events < 0;
	freezer->hidden |= !find_file(freezer->pid, "freezer", "freezer.state", freezer->state) || *freezer->state;
}

/*
 * While our process is in the group, the group stays populated, so an event means
 * that it was frozen or thawed.
 */
static void look_at_events(struct freezer *freezer)
{
	struct pollfd event = { .fd = freezer->events, .events = POLLPRI };
	bool came = poll(&event, 1, 0) == 1;
	char text[128] = "";

	if (pread(freezer->events, text, sizeof(text) - 1, 0) < 0)
		return;
	freezer->frozen = strstr(text, "frozen 1");
	freezer->was_frozen |= freezer->frozen || (came && strstr(text, "populated 1"));
}

/* Has the process moved to other groups? */
static bool has_moved(struct freezer *freezer)
{
	char *groups = sysfile_text(sysfile_path("/proc/%d/cgroup", freezer->pid));
	bool moved = groups && strncmp(groups, freezer->groups, sizeof(freezer->groups) - 1);

	if (moved)
		snprintf(freezer->groups, sizeof(freezer->groups), "%s", groups);
	free(groups);
	return moved;
}

void freezer_look(struct freezer *freezer)
{
	char state[32];

	freezer->frozen = false;
	if (freezer->events >= 0)
		look_at_events(freezer);
	if (has_moved(freezer)) {
		find_files(freezer);
		if (freezer->events >= 0)
			look_at_events(freezer);
	}
	if (*freezer->state && sysfile_line(freezer->state, state, sizeof(state)) && strcmp(state, "THAWED"))
		freezer->frozen = freezer->was_frozen = true;
}

void freezer_watch(struct freezer *freezer, pid_t pid)
{
	*freezer = (struct freezer){ .pid = pid, .events = -1 };
	freezer_look(freezer);
}
