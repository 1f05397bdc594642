// SPDX-License-Identifier: GPL-2.0-or-later
/* Control groups of both versions: where a process is, and what its group bounds, throttles, kills and freezes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cgroup.h"
#include "host/sysfile.h"

struct place {
	char group[CGROUP_PATH], mount[CGROUP_PATH];
	char directory[2 * CGROUP_PATH];
};

/* Is the word in the comma-separated list? An empty list has the empty word. */
static bool lists(const char *list, const char *word)
{
	for (;; list = strchr(list, ',') + 1) {
		if (strcspn(list, ",") == strlen(word) && !strncmp(list, word, strlen(word)))
			return true;
		if (!strchr(list, ','))
			return false;
	}
}

/* Lines "number:controllers:path". False if the process (0: ours) is in no group of the controller ("": version 2). */
static bool find_group(pid_t pid, const char *controller, char group[CGROUP_PATH])
{
	char *text = sysfile_text(pid ? sysfile_path("/proc/%d/cgroup", pid) : "/proc/self/cgroup");
	char *rest = text, *line;

	*group = '\0';
	while (!*group && (line = strsep(&rest, "\n"))) {
		const char *controllers;

		strsep(&line, ":");
		controllers = strsep(&line, ":");
		if (line && lists(controllers, controller))
			snprintf(group, CGROUP_PATH, "%s", line);
	}
	free(text);
	return *group;
}

/* Find where the file system of that type and option ("": any) is mounted. */
static bool find_mount(const char *type, const char *option, char mount[CGROUP_PATH])
{
	char *text = sysfile_text("/proc/self/mounts"), *rest = text, *line;
	char found_type[32], options[512];
	bool found = false;

	while (!found && (line = strsep(&rest, "\n")))
		found = sscanf(line, "%*s %255s %31s %511s", mount, found_type, options) == 3 &&
			!strcmp(found_type, type) && (!*option || lists(options, option));
	free(text);
	return found;
}

/* In a container the group may be listed by its name on the host, while the mount is the group itself. */
static bool find(pid_t pid, const char *controller, struct place *place)
{
	if (!find_group(pid, controller, place->group) ||
	    !find_mount(*controller ? "cgroup" : "cgroup2", controller, place->mount))
		return false;
	snprintf(place->directory, sizeof(place->directory), "%s%s", place->mount,
		 strcmp(place->group, "/") ? place->group : "");
	if (access(place->directory, F_OK) < 0)
		strcpy(place->directory, place->mount);
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

/* The kernel does not check the group if real-time processes have no limit as a whole. */
bool cgroup_read_runtime(struct cgroup_runtime *runtime)
{
	struct place place;

	if ((cgroup_read_global_runtime(runtime) && runtime->runtime_us < 0) || !find(0, "cpu", &place))
		return false;
	strcpy(runtime->group, place.group);
	return read_bound(runtime, place.directory, "cpu.");
}

bool cgroup_denies(struct refusal *refusal, bool nothing_else)
{
	char group[CGROUP_PATH], mount[CGROUP_PATH];
	struct cgroup_runtime runtime;

	if (cgroup_read_runtime(&runtime) && !runtime.runtime_us) {
		refusal_reason(refusal, "the control group %s has no real-time runtime", runtime.group);
		refusal_remedy(refusal, "write one, such as 100000, to %s and to the same file of each parent group, "
			       "or start in another group", runtime.file);
		return true;
	}
	if (!nothing_else || !find_group(0, "", group) || !strcmp(group, "/") || !find_mount("cgroup2", "rw", mount))
		return false;
	refusal_reason(refusal, "the control group %s may be the reason: it is not the root group", group);
	refusal_remedy(refusal, "leave it (echo $$ >%s/cgroup.procs), or boot a kernel with CONFIG_RT_GROUP_SCHED "
		       "with rt_group_sched=0", mount);
	return true;
}

/* For the group and each above it, up to the mount. */
static uint64_t sum_throttled(const struct place *place, const char *key)
{
	char path[CGROUP_PATH];
	uint64_t sum = 0;

	strcpy(path, strcmp(place->group, "/") ? place->group : "");
	for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
		*end = '\0';
		sum += sysfile_count(sysfile_path("%s%s/cpu.stat", place->mount, path), key);
	}
	return sum;
}

uint64_t cgroup_throttled_look(struct cgroup_throttled *throttled, pid_t pid)
{
	const struct cgroup_throttled before = *throttled;
	struct place place;

	throttled->us = 0;
	if (find(pid, "", &place))
		throttled->us += sum_throttled(&place, "throttled_usec");
	strcpy(throttled->group[0], place.group);
	if (find(pid, "cpu", &place))
		throttled->us += sum_throttled(&place, "throttled_time") / 1000;
	strcpy(throttled->group[1], place.group);
	if (memcmp(before.group, throttled->group, sizeof(before.group)) || throttled->us < before.us)
		return 0;
	return throttled->us - before.us;
}

/* Version 1 does not distinguish a process that was killed because the machine had no memory left. */
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

static long long reached[LIMITS];	/* by the last cgroup_note_limits() */

/* How often our group has reached the limit. */
static long long count_reached(const struct limit *limit, struct place *place)
{
	return find(0, limit->controller, place) ?
	       sysfile_count(sysfile_path("%s/%s", place->directory, limit->file), limit->key) : 0;
}

void cgroup_note_limits(void)
{
	struct place place;

	for (unsigned i = 0; i < LIMITS; i++)
		reached[i] = count_reached(&limits[i], &place);
}

/* A fork that such a limit refuses fails with EAGAIN. */
const char *cgroup_limit_remedy(bool killed, const char *usual)
{
	static char remedy[CGROUP_PATH + 128];
	struct place place;
	int cause = errno;

	for (unsigned i = 0; i < LIMITS && usual != remedy && (killed || cause == EAGAIN); i++) {
		if (limits[i].kills != killed || count_reached(&limits[i], &place) <= reached[i])
			continue;
		snprintf(remedy, sizeof(remedy), "raise %s of the control group %s, which was reached", limits[i].name,
			 place.group);
		usual = remedy;
	}
	errno = cause;
	return usual;
}

/* While we are in the group it stays populated, so an event is a freeze or a thaw, unless the file was never read. */
static void look_at_events(struct freezer *freezer, bool read_before)
{
	struct pollfd event = { .fd = freezer->events, .events = POLLPRI };
	bool came = read_before && poll(&event, 1, 0) == 1;
	char text[128] = "";

	freezer->frozen = pread(freezer->events, text, sizeof(text) - 1, 0) > 0 && strstr(text, "frozen 1");
	freezer->was_frozen |= freezer->frozen || (came && strstr(text, "populated 1"));
}

/* The root group has no such file. */
void freezer_look(struct freezer *freezer)
{
	struct place place;

	look_at_events(freezer, true);
	if (!find_group(freezer->pid, "", place.group) || !strcmp(place.group, freezer->group))
		return;
	strcpy(freezer->group, place.group);
	if (freezer->events >= 0)
		close(freezer->events);
	freezer->events = find(freezer->pid, "", &place) ?
		open(sysfile_path("%s/cgroup.events", place.directory), O_RDONLY | O_CLOEXEC) : -1;
	look_at_events(freezer, false);
}
