/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files of /proc and /sys: the text, a line, a value, a number. */
#ifndef HOST_SYSFILE_H
#define HOST_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>

/* A path, formatted as by printf. Valid until the next call of any function here that returns a path. */
const char *sysfile_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A file in the directory of an RTC: the device's or, if the device is NULL or no RTC, the first one's. */
const char *sysfile_of_rtc(const char *device, const char *file);

/* Hold the folder of a path relative to a held one or to AT_FDCWD. Returns a descriptor, or -1 with errno. */
int sysfile_hold_folder(int from, const char *path);

/* Mount a file system for this process alone. Returns its top folder, which keeps it mounted; -1 with errno. */
int sysfile_mount(const char *filesystem);

/* The whole text, to be freed; NULL if it is empty or cannot be read. */
char *sysfile_text(const char *path);

/*
 * The first line that is not empty, without its end; or what follows a key at the start of a line, after blanks or
 * colons; truncated to size. Returns false, with text "", if there is none.
 */
bool sysfile_line(const char *path, char *text, size_t size);
bool sysfile_value(const char *path, const char *key, char *text, size_t size);

/* The number at the start of the file, or false, with *number unchanged; the number that follows a key, or 0. */
bool sysfile_number(const char *path, long long *number);
long long sysfile_count(const char *path, const char *key);

#endif
