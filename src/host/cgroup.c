// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cgroup.h"
#include "host/sysfile.h"

typedef char directory_path[2 * CGROUP_PATH];

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
 * Lines "number:controllers:path"; version 2 has the number 0 and no controllers. Returns false when the process
 * (0: this one) is in no group of that controller ("": of version 2).
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

/*
 * The directory of the group of that controller ("": of version 2). In a container the
 * group may be listed by its name on the host, while the mount is the group itself.
 */
static bool find_directory(const char *controller, const char *group, directory_path directory)
{
	char mount[CGROUP_PATH];

	if (!find_mount(*controller ? "cgroup" : "cgroup2", *controller ? controller : NULL, mount))
		return false;
	snprintf(directory, sizeof(directory_path), "%s%s", mount, strcmp(group, "/") ? group : "");
	if (access(directory, F_OK) < 0)
		strcpy(directory, mount);
	return true;
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

/* The kernel does not ask the group if there is no bound of all real-time processes. */
bool cgroup_read_runtime(struct cgroup_runtime *runtime)
{
	directory_path directory;

	if (cgroup_read_global_runtime(runtime) && runtime->runtime_us < 0)
		return false;
	return find_group(0, "cpu", runtime->group) && find_directory("cpu", runtime->group, directory) &&
	       read_bound(runtime, directory, "cpu.");
}

bool cgroup_denies(struct refusal *refusal, bool nothing_else)
{
	char group[CGROUP_PATH], mount[CGROUP_PATH];
	struct cgroup_runtime runtime;

	if (cgroup_read_runtime(&runtime) && !runtime.runtime_us) {
		refusal_reason(refusal, "the control group %s has no real-time runtime", runtime.group);
		refusal_remedy(refusal, "write one, such as 100000, to %s and to that of each parent group, or start "
			       "in another group", runtime.file);
		return true;
	}
	if (!nothing_else || !find_group(0, "", group) || !strcmp(group, "/") || !find_mount("cgroup2", "rw", mount))
		return false;
	refusal_reason(refusal, "the control group %s may be the reason: it is not the root group", group);
	refusal_remedy(refusal, "leave it (echo $$ >%s/cgroup.procs), or boot a kernel with CONFIG_RT_GROUP_SCHED "
		       "with rt_group_sched=0", mount);
	return true;
}

/* Of the group and of each above it, up to the mount. */
static uint64_t sum_throttled(const char *mount, const char *group, const char *key)
{
	char path[CGROUP_PATH];
	uint64_t sum = 0;

	strcpy(path, strcmp(group, "/") ? group : "");
	for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
		char time[32];

		*end = '\0';
		if (sysfile_value(sysfile_path("%s%s/cpu.stat", mount, path), key, time, sizeof(time)))
			sum += strtoull(time, NULL, 10);
	}
	return sum;
}

uint64_t cgroup_throttled_look(struct cgroup_throttled *throttled, pid_t pid)
{
	static const struct {
		const char *controller, *type, *option, *key;
		unsigned per_us;
	} versions[] = {
		{ "", "cgroup2", NULL, "throttled_usec", 1 },
		{ "cpu", "cgroup", "cpu", "throttled_time", 1000 },
	};
	const struct cgroup_throttled before = *throttled;
	char mount[CGROUP_PATH];

	throttled->us = 0;
	for (int i = 0; i < 2; i++)
		if (find_group(pid, versions[i].controller, throttled->group[i]) &&
		    find_mount(versions[i].type, versions[i].option, mount))
			throttled->us += sum_throttled(mount, throttled->group[i], versions[i].key) /
					 versions[i].per_us;
	if (memcmp(before.group, throttled->group, sizeof(before.group)) || throttled->us < before.us)
		return 0;
	return throttled->us - before.us;
}

/* Version 1 does not tell apart a process that was killed because the machine had no memory left. */
static const struct limit {
	bool kills;
	const char *controller, *file, *key, *name;
} limits[] = {
	{ true, "", "memory.events", "oom ", "memory.max" },
	{ true, "memory", "memory.oom_control", "oom_kill ", "memory.limit_in_bytes" },
	{ false, "", "pids.events", "max ", "pids.max" },
	{ false, "pids", "pids.events", "max ", "pids.max" },
};

#define LIMITS (sizeof(limits) / sizeof(*limits))

static uint64_t reached[LIMITS];	/* by the last cgroup_note_limits() */

/* How often our group has reached the limit. */
static uint64_t count_reached(const struct limit *limit, char group[CGROUP_PATH])
{
	directory_path directory;
	char count[32];

	if (!find_group(0, limit->controller, group) || !find_directory(limit->controller, group, directory))
		return 0;
	sysfile_value(sysfile_path("%s/%s", directory, limit->file), limit->key, count, sizeof(count));
	return strtoull(count, NULL, 10);
}

void cgroup_note_limits(void)
{
	char group[CGROUP_PATH];

	for (unsigned i = 0; i < LIMITS; i++)
		reached[i] = count_reached(&limits[i], group);
}

/* A fork that such a limit refuses fails with EAGAIN. */
const char *cgroup_limit_remedy(bool killed, const char *usual)
{
	static char remedy[CGROUP_PATH + 128];
	char group[CGROUP_PATH];
	int cause = errno;

	for (unsigned i = 0; i < LIMITS && usual != remedy && (killed || cause == EAGAIN); i++) {
		if (limits[i].kills != killed || count_reached(&limits[i], group) <= reached[i])
			continue;
		snprintf(remedy, sizeof(remedy), "raise %s of the control group %s, which was reached", limits[i].name,
			 group);
		usual = remedy;
	}
	errno = cause;
	return usual;
}

/* The root group has no such file, which is read once, because poll() reports an event until then. */
static int open_events(const char *group)
{
	directory_path directory;
	char text[128];
	int fd;

	if (!find_directory("", group, directory))
		return -1;
	fd = open(sysfile_path("%s/cgroup.events", directory), O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, text, sizeof(text), 0) >= 0)
		return fd;
	close(fd);
	return -1;
}

/* While our process is in the group, this stays populated, so an event means that it was frozen or thawed. */
static void look_at_events(struct freezer *freezer)
{
	struct pollfd event = { .fd = freezer->events, .events = POLLPRI };
	bool came = poll(&event, 1, 0) == 1;
	char text[128] = "";

	freezer->frozen = pread(freezer->events, text, sizeof(text) - 1, 0) > 0 && strstr(text, "frozen 1");
	freezer->was_frozen |= freezer->frozen || (came && strstr(text, "populated 1"));
}

void freezer_look(struct freezer *freezer)
{
	char group[CGROUP_PATH];

	look_at_events(freezer);
	if (!find_group(freezer->pid, "", group) || !strcmp(group, freezer->group))
		return;
	strcpy(freezer->group, group);
	if (freezer->events >= 0)
		close(freezer->events);
	freezer->events = open_events(group);
	look_at_events(freezer);
}
