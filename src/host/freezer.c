// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/freezer.h"
#include "host/sysfile.h"

static void read_groups(pid_t pid, char *groups, size_t size)
{
	FILE *file = fopen(sysfile_path("/proc/%d/cgroup", pid), "re");

	groups[file ? fread(groups, 1, size - 1, file) : 0] = '\0';
	if (file)
		fclose(file);
}

/* It has something to tell until it is read for the first time. */
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

/* The root group of each version has no such file, and cannot be frozen. */
static void find_files(struct freezer *freezer)
{
	char path[CGROUP_FILE];

	if (freezer->events >= 0)
		close(freezer->events);
	freezer->events = -1;
	switch (cgroup_find_file(freezer->pid, "", "cgroup.events", path)) {
	case CGROUP_FOUND:
		freezer->events = open_events(path);
		freezer->hidden |= freezer->events < 0;
		break;
	case CGROUP_HIDDEN:
		freezer->hidden = true;
		break;
	case CGROUP_NONE:
		break;
	}
	*freezer->state = '\0';
	freezer->hidden |= cgroup_find_file(freezer->pid, "freezer", "freezer.state", freezer->state) != CGROUP_NONE;
}

/* An event of a group that has processes, as it has while ours is in it, is that it was frozen or thawed. */
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

static void look_at_state(struct freezer *freezer)
{
	char state[32];

	if (!sysfile_line(freezer->state, state, sizeof(state)) || !strcmp(state, "THAWED"))
		return;
	freezer->frozen = freezer->was_frozen = true;
}

void freezer_look(struct freezer *freezer)
{
	char groups[sizeof(freezer->groups)];

	freezer->frozen = false;
	if (freezer->events >= 0)
		look_at_events(freezer);
	read_groups(freezer->pid, groups, sizeof(groups));
	if (*groups && strcmp(groups, freezer->groups)) {
		strcpy(freezer->groups, groups);
		find_files(freezer);
		if (freezer->events >= 0)
			look_at_events(freezer);
	}
	if (*freezer->state)
		look_at_state(freezer);
}

void freezer_watch(struct freezer *freezer, pid_t pid)
{
	*freezer = (struct freezer){ .pid = pid, .events = -1 };
	freezer_look(freezer);
}
