// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "trace/tracefs.h"

/* Kernels before 4.1 have only the second. */
const char *const tracefs_mounts[TRACEFS_MOUNTS] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* Where tracefs is not mounted, the folder exists, but is empty. */
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
	tracefs->folder = sysfile_mount("tracefs");
	return tracefs->folder < 0 ? -1 : 0;
}

void tracefs_close(struct tracefs *tracefs)
{
	if (tracefs->folder >= 0)
		close(tracefs->folder);
	tracefs->folder = -1;
}

/* Returns whether "char prev_comm[16]" declares that name, which may be NULL. */
static bool declares(const char *declaration, const char *name)
{
	const char *last = strrchr(declaration, ' ');

	if (!name || !last)
		return false;
	last++;
	return strcspn(last, "[") == strlen(name) && !strncmp(last, name, strlen(name));
}

/* The line of a field is "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;". */
static void read_field(const char *line, const char *const names[], unsigned count, struct trace_field *fields)
{
	struct trace_field field;
	char declaration[128];

	if (sscanf(line, " field:%127[^;]; offset:%hu; size:%hu;", declaration, &field.offset, &field.size) != 3)
		return;
	for (unsigned i = 0; i < count; i++)
		if (declares(declaration, names[i]))
			fields[i] = field;
}

int tracefs_read_format(const struct tracefs *tracefs, const char *tracepoint, const char *const names[],
			unsigned count, struct trace_field *fields)
{
	int fd = openat(tracefs->folder, sysfile_path("events/%s/format", tracepoint), O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	int id = -1;

	if (!file)
		return -1;
	for (unsigned i = 0; i < count; i++)
		fields[i] = (struct trace_field){ .offset = 0 };
	while (getline(&line, &room, file) > 0) {
		sscanf(line, "ID: %d", &id);
		read_field(line, names, count, fields);
	}
	free(line);
	fclose(file);
	if (id < 0)
		errno = EPROTO;
	return id;
}
