// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the small files of /proc and /sys, and finding and mounting their file systems. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/sysfile.h"

/* From Linux 5.2; the headers may be older. */
enum { FSOPEN_CLOEXEC = 1, FSMOUNT_CLOEXEC = 1, FSCONFIG_CMD_CREATE = 6 };
#ifndef SYS_fsopen
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#endif

const char *sysfile_path(const char *format, ...)
{
	static char path[PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	return path;
}

/* /dev/rtc is another name for one of them; it may not show which one. */
const char *sysfile_of_rtc(const char *device, const char *file)
{
	char real[PATH_MAX] = "";
	const char *name;
	unsigned number = 0;

	if (device && !realpath(device, real))
		snprintf(real, sizeof(real), "%s", device);
	name = strrchr(real, '/');
	if (name)
		sscanf(name, "/rtc%u", &number);
	return sysfile_path("/sys/class/rtc/rtc%u/%s", number, file);
}

int sysfile_hold_folder(int from, const char *path)
{
	const char *slash = strrchr(path, '/');

	return openat(from, sysfile_path("%.*s.", slash ? (int)(slash + 1 - path) : 0, path),
		      O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int sysfile_mount(const char *filesystem)
{
	int context = syscall(SYS_fsopen, filesystem, FSOPEN_CLOEXEC), folder = -1, error;

	if (context < 0)
		return -1;
	if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		folder = syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	error = errno;
	close(context);
	errno = error;
	return folder;
}

char *sysfile_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &room, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/* Reads only as far as needed: /proc/cpuinfo is long on a machine with many CPUs. */
bool sysfile_value(const char *path, const char *key, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t length = strlen(key), room = 0;
	char *line = NULL;

	*text = '\0';
	while (file && !*text && getline(&line, &room, file) > 0) {
		const char *value = line + length;

		if (strncmp(line, key, length))
			continue;
		if (length)
			value += strspn(value, " \t:");
		snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
	}
	free(line);
	if (file)
		fclose(file);
	return *text;
}

bool sysfile_line(const char *path, char *text, size_t size)
{
	return sysfile_value(path, "", text, size);
}

bool sysfile_number(const char *path, long long *number)
{
	char text[32], *end;
	long long value;

	sysfile_line(path, text, sizeof(text));
	value = strtoll(text, &end, 10);
	if (end != text)
		*number = value;
	return end != text;
}

long long sysfile_count(const char *path, const char *key)
{
	char text[32];

	return sysfile_value(path, key, text, sizeof(text)) ? strtoll(text, NULL, 10) : 0;
}
