// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another machine for tests, which LD_PRELOAD puts between a program and the C
 * library. The environment says what is other on it:
 *
 * FAKE_ROOT		a directory: a path that exists below it is opened there, all others where they are;
 *			but the list of processes is always the machine's
 * FAKE_CPUS		so many CPUs: whoever is bound to one of them is bound to the CPU whose turn it is of those he had
 * FAKE_PERF_BLIND	perf itself records and counts no tracepoint of the kernel's
 * FAKE_SWITCH_BLIND	nor sched_switch alone: the tracepoint whose format was read last
 * FAKE_BPF_ERRNO	why no program can be loaded into the kernel
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *next(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort();
	return function;
}

static long setting(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 0) : 0;
}

/* The path below the root, when it is there, else the path itself. */
static const char *find(const char *path, char below[PATH_MAX])
{
	const char *root = getenv("FAKE_ROOT");
	int cause = errno;

	if (!root || *path != '/')
		return path;
	snprintf(below, PATH_MAX, "%s%s", root, path);
	if (syscall(SYS_faccessat, AT_FDCWD, below, F_OK))
		below = NULL;
	errno = cause;
	return below ? below : path;
}

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*open_file)(const char *, const char *);
	char below[PATH_MAX];

	*(void **)&open_file = next("fopen");
	return open_file(find(path, below), mode);
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

static int is_switch;			/* the tracepoint whose format was read last */

int openat(int folder, const char *path, int flags, ...)
{
	int (*open_path)(int, const char *, int, ...);
	char below[PATH_MAX];
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, int);
	va_end(args);
	if (strstr(path, "/format"))
		is_switch = !strcmp(path, "events/sched/sched_switch/format");
	*(void **)&open_path = next("openat");
	return open_path(folder, find(path, below), flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));

int open(const char *path, int flags, ...)
{
	int (*open_path)(const char *, int, ...);
	char below[PATH_MAX];
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, int);
	va_end(args);
	*(void **)&open_path = next("open");
	return open_path(find(path, below), flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* What _FORTIFY_SOURCE makes of flags that are not constant. */
int __open_2(const char *path, int flags)
{
	return open(path, flags, 0);
}

int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));

int __openat_2(int folder, const char *path, int flags)
{
	return openat(folder, path, flags, 0);
}

int __openat64_2(int folder, const char *path, int flags) __attribute__((alias("__openat_2")));

/* A tracepoint in the kernel, as all are, is one that is excluded. */
static void blind(long number, void *attributes)
{
	struct perf_event_attr *attr = attributes;

	if (number != SYS_perf_event_open || attr->type != PERF_TYPE_TRACEPOINT)
		return;
	if (setting("FAKE_PERF_BLIND") || (setting("FAKE_SWITCH_BLIND") && is_switch))
		attr->exclude_kernel = 1;
}

/* What the C library has no function for; more arguments than a call has do no harm. */
long syscall(long number, ...)
{
	long (*call)(long, ...), argument[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	*(void **)&call = next("syscall");
	blind(number, (void *)argument[0]);
	if (number != SYS_bpf || !setting("FAKE_BPF_ERRNO"))
		return call(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
	errno = setting("FAKE_BPF_ERRNO");
	return -1;
}

int scandir64(const char *path, struct dirent64 ***entries, int (*filter)(const struct dirent64 *),
	      int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	int (*scan)(const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
		    int (*)(const struct dirent64 **, const struct dirent64 **));
	char below[PATH_MAX];

	*(void **)&scan = next("scandir64");
	return scan(strcmp(path, "/proc") ? find(path, below) : path, entries, filter, compare);
}

static cpu_set_t had;

__attribute__((constructor))
static void see_cpus(void)
{
	sched_getaffinity(0, sizeof(had), &had);
}

/* The n-th of those that we had, from the first again behind the last. */
static int real_cpu(int n)
{
	int cpu = 0;

	n %= CPU_COUNT(&had);
	for (;; cpu++)
		if (CPU_ISSET(cpu, &had) && n-- == 0)
			return cpu;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *wanted)
{
	int (*set)(pid_t, size_t, const cpu_set_t *);
	cpu_set_t cpus;

	*(void **)&set = next("sched_setaffinity");
	CPU_ZERO(&cpus);
	for (int cpu = 0; cpu < setting("FAKE_CPUS"); cpu++)
		if (CPU_ISSET_S(cpu, size, wanted))
			CPU_SET(real_cpu(cpu), &cpus);
	return set(pid, size, CPU_COUNT(&cpus) ? &cpus : wanted);
}
