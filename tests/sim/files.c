// SPDX-License-Identifier: GPL-2.0-or-later
/* Files: those of the machine are looked for where it has them, all others are real. Any call may be made to fail. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim.h"

static struct descriptor descriptors[DESCRIPTORS];

struct descriptor descriptor_get(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS ? descriptors[fd] : (struct descriptor){ PLAIN };
}

int descriptor_set(int fd, enum kind kind, pid_t pid)
{
	if (fd >= DESCRIPTORS && kind)
		world_abort("%s has more than %d descriptors", self->name, DESCRIPTORS);
	if (fd >= 0 && fd < DESCRIPTORS)
		descriptors[fd] = (struct descriptor){ kind, pid, world ? world->group_events : 0 };
	return fd;
}

/* Another file stands for the one that says what the world knows of a process. */
static int open_stat(const struct process *process, int flags)
{
	return descriptor_set(raw(SYS_openat, AT_FDCWD, "/dev/null", flags), STAT, process->pid);
}

static char state_of(const struct process *process)
{
	if (process->dead)
		return 'Z';
	return process->stopped ? 'T' : process == self ? 'R' : 'S';
}

/* They began one after the other. Of a process that is gone nothing is left to be read. */
static ssize_t read_stat(pid_t pid, char *text, size_t size)
{
	const struct process *process = process_of(pid);

	if (!process) {
		errno = ESRCH;
		return -1;
	}
	return snprintf(text, size, "%d (%s) %c %d 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 %u 0", pid, process->name,
			state_of(process), process_look(pid).parent, process->born);
}

/* The lines that the program reads. */
static FILE *open_status(void)
{
	FILE *file = fmemopen(NULL, 8192, "w+");

	fprintf(file, "CapEff:\t%016llx\nVmLck:\t%8d kB\nCpus_allowed_list:\t%s\n", (unsigned long long)world->capabilities,
		self->locked ? 4096 : 0, machine_list_cpus(&self->cpus));
	rewind(file);
	return file;
}

FILE *fopen(const char *path, const char *mode)
{
	char below[PATH_MAX];

	if (self && !strcmp(path, "/proc/self/status"))
		return open_status();
	return NEXT(fopen, machine_path(path, below), mode);
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

static int open_file(int folder, const char *path, int flags, mode_t mode)
{
	struct process *process;
	char below[PATH_MAX];
	const char *rest;

	if (!self)
		return raw(SYS_openat, folder, path, flags, mode);
	if (script_fails("open"))
		return -1;
	if (rtc_names(path))
		return rtc_open();
	rest = machine_split(path, &process);
	if (rest && process && !strcmp(rest, "/stat"))
		return open_stat(process, flags);
	return descriptor_set(raw(SYS_openat, folder, machine_path(path, below), flags, mode),
			      machine_is_group(path) ? GROUP : PLAIN, 0);
}

#define OPENS(name, parameters, folder) \
	int name parameters \
	{ \
		va_list args; \
		mode_t mode; \
		va_start(args, flags); \
		mode = flags & O_CREAT ? va_arg(args, mode_t) : 0; \
		va_end(args); \
		return open_file(folder, path, flags, mode); \
	}

#define PLAIN (const char *path, int flags, ...)
#define AT (int folder, const char *path, int flags, ...)

OPENS(open, PLAIN, AT_FDCWD)
OPENS(open64, PLAIN, AT_FDCWD)
OPENS(__open_2, PLAIN, AT_FDCWD)	/* which _FORTIFY_SOURCE makes of flags that are not constant */
OPENS(__open64_2, PLAIN, AT_FDCWD)
OPENS(openat, AT, folder)
OPENS(openat64, AT, folder)
OPENS(__openat_2, AT, folder)
OPENS(__openat64_2, AT, folder)

ssize_t pread(int fd, void *buffer, size_t size, off_t at)
{
	if (descriptor_get(fd).kind == STAT)
		return read_stat(descriptor_get(fd).pid, buffer, size);
	if (descriptor_get(fd).kind == GROUP)
		descriptor_set(fd, GROUP, 0);
	return raw(SYS_pread64, fd, buffer, size, at);
}

ssize_t pread64(int fd, void *buffer, size_t size, off64_t at) __attribute__((alias("pread")));

int access(const char *path, int mode)
{
	char below[PATH_MAX];

	return raw(SYS_faccessat, AT_FDCWD, machine_path(path, below), mode);
}

int stat(const char *path, struct stat *found)
{
	char below[PATH_MAX];

	return NEXT(stat, machine_path(path, below), found);
}

int stat64(const char *path, struct stat64 *found) __attribute__((alias("stat")));

ssize_t readlink(const char *path, char *text, size_t size)
{
	char below[PATH_MAX];

	return raw(SYS_readlinkat, AT_FDCWD, machine_path(path, below), text, size);
}

static struct dirent64 *entry_of(pid_t pid)
{
	struct dirent64 *entry = calloc(1, sizeof(*entry));

	if (!entry)
		abort();
	snprintf(entry->d_name, sizeof(entry->d_name), "%d", pid);
	return entry;
}

/* The processes are ours alone. */
int scandir64(const char *path, struct dirent64 ***entries, int (*filter)(const struct dirent64 *),
	      int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	char below[PATH_MAX];
	int count = 0;

	if (!self || strcmp(path, "/proc"))
		return NEXT(scandir64, machine_path(path, below), entries, filter, compare);
	*entries = calloc(PROCESSES, sizeof(**entries));
	if (!*entries)
		return -1;
	for_each_process(process)
		if (!process->dead)
			(*entries)[count++] = entry_of(process->pid);
	qsort(*entries, count, sizeof(**entries), (int (*)(const void *, const void *))compare);
	return count;
}

/* The C library's own streams would read and write by calls that nobody sees. */
static ssize_t get(void *cookie, char *bytes, size_t size)
{
	return read((int)(intptr_t)cookie, bytes, size);
}

static ssize_t put(void *cookie, const char *bytes, size_t size)
{
	return write((int)(intptr_t)cookie, bytes, size);
}

static int shut(void *cookie)
{
	return close((int)(intptr_t)cookie);
}

FILE *fdopen(int fd, const char *mode)
{
	const cookie_io_functions_t functions = { .read = get, .write = put, .close = shut };

	if (!self)
		return NEXT(fdopen, fd, mode);
	return script_fails("fdopen") ? NULL : fopencookie((void *)(intptr_t)fd, mode, functions);
}

/* Standard output and standard error may be a terminal. */
int isatty(int fd)
{
	return self ? world->columns && (fd == STDOUT_FILENO || fd == STDERR_FILENO) : NEXT(isatty, fd);
}

/* Power does not fail here. */
int fsync(int fd)
{
	return script_fails("fsync") ? -1 : self ? 0 : raw(SYS_fsync, fd);
}

/* A call that may fail, and is real. */
#define REAL(type, name, parameters, ...) \
	type name parameters \
	{ \
		return script_fails(#name) ? -1 : NEXT(name, __VA_ARGS__); \
	}

REAL(int, linkat, (int from, const char *path, int to, const char *name, int flags), from, path, to, name, flags)
REAL(int, renameat, (int from, const char *path, int to, const char *name), from, path, to, name)
REAL(int, fstatat64, (int folder, const char *path, struct stat64 *found, int flags), folder, path, found, flags)
REAL(int, faccessat, (int folder, const char *path, int mode, int flags), folder, path, mode, flags)
REAL(int, unlinkat, (int folder, const char *path, int flags), folder, path, flags)
REAL(int, fallocate64, (int fd, int mode, off64_t at, off64_t size), fd, mode, at, size)
REAL(int, ftruncate64, (int fd, off64_t size), fd, size)
REAL(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), fd, bytes, size, at)
REAL(int, socketpair, (int domain, int type, int protocol, int ends[2]), domain, type, protocol, ends)
REAL(int, pipe2, (int ends[2], int flags), ends, flags)
