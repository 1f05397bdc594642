// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "trace/tracefs.h"

/* The second name is where kernels had it before 4.1. */
const char *const tracefs_mounts[TRACEFS_MOUNTS] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* The folder may be there and empty, with nothing mounted on it. */
static int open_mounted(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (folder >= 0 && faccessat(folder, "events", F_OK, 0) < 0) {
		close(folder);
		errno = ENOENT;
		return -1;
	}
	return folder;
}

/* A mount without a place: it goes when its last descriptor does. */
static int open_detached(void)
{
	int context = syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), folder = -1, error;

	if (context < 0)
		return -1;
	if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		folder = syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	error = errno;
	close(context);
	errno = error;
	return folder;
}

int tracefs_open(struct tracefs *tracefs)
{
	tracefs->folder = -1;
	for (unsigned i = 0; i < TRACEFS_MOUNTS; i++) {
		tracefs->path = tracefs_mounts[i];
		tracefs->folder = open_mounted(tracefs_mounts[i]);
		if (tracefs->folder >= 0)
			return 0;
		if (errno != ENOENT)
			return -1;
	}
	tracefs->path = NULL;
	tracefs->folder = open_detached();
	return tracefs->folder < 0 ? -1 : 0;
}

void tracefs_close(struct tracefs *tracefs)
{
	if (tracefs->folder >= 0)
		close(tracefs->folder);
	tracefs->folder = -1;
}

static FILE *open_file(const struct tracefs *tracefs, const char *event, const char *name)
{
	int fd = openat(tracefs->folder, sysfile_path("events/%s/%s", event, name), O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

int tracefs_id(const struct tracefs *tracefs, const char *event)
{
	FILE *file = open_file(tracefs, event, "id");
	int id;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &id) != 1) {
		id = -1;
		errno = EPROTO;
	}
	fclose(file);
	return id;
}

/* Does "char prev_comm[16]" declare that name? */
static bool declares(const char *declaration, const char *name)
{
	const char *last = strrchr(declaration, ' ');

	if (!name || !last)
		return false;
	last++;
	return strcspn(last, "[") == strlen(name) && !strncmp(last, name, strlen(name));
}

int tracefs_fields(const struct tracefs *tracefs, const char *event, const char *const names[], unsigned count,
		   struct trace_field *fields)
{
	FILE *file = open_file(tracefs, event, "format");
	char *line = NULL, declaration[128];
	struct trace_field field;
	size_t room = 0;

	if (!file)
		return -1;
	memset(fields, 0, count * sizeof(*fields));
	while (getline(&line, &room, file) > 0) {
		if (sscanf(line, " field:%127[^;]; offset:%hu; size:%hu;", declaration, &field.offset,
			   &field.size) != 3)
			continue;
		for (unsigned i = 0; i < count; i++)
			if (declares(declaration, names[i]))
				fields[i] = field;
	}
	free(line);
	fclose(file);
	return 0;
}
