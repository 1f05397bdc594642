/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says in files of /proc and /sys: a line, a value, a number. */
#ifndef HOST_SYSFILE_H
#define HOST_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>

/* A path, as printf makes it: good until the next one is made. */
const char *sysfile_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a file that is held open can be named by. The same holds. */
const char *sysfile_held(int fd);

/*
 * Hold the folder that a path leads into, seen from a folder that is held or
 * AT_FDCWD; it need not be readable. Returns a descriptor, or -1 with errno.
 */
int sysfile_hold_folder(int from, const char *path);

/*
 * A file in the directory of an RTC, that of a device or, where the device is
 * none of the kernel's RTCs or NULL, the first one. The same holds.
 */
const char *sysfile_of_rtc(const char *device, const char *file);

/* The first line, without its end. Returns false, with text "", when there is none. */
bool sysfile_line(const char *path, char *text, size_t size);

/* What follows the key that a line begins with, and a colon. Returns false, with text "", when there is none. */
bool sysfile_value(const char *path, const char *key, char *text, size_t size);

/* The decimal number at the start of the file. Returns false, and leaves it alone, when there is none. */
bool sysfile_number(const char *path, long long *number);

#endif
