// SPDX-License-Identifier: GPL-2.0-or-later
/* What has each CPU is recorded on those that are online. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "explain/flights.h"
#include "tap.h"

#define ALL 3				/* CPUs */

static int error_of[ALL];		/* with which a CPU refuses to be recorded; 0: it does not */

const char *const tracefs_mounts[TRACEFS_MOUNTS] = { "", "" };

/* Why a CPU refuses is looked for in files, of which there are none: errno is not what it was. */
FILE *fopen(const char *path, const char *mode)
{
	(void)path;
	(void)mode;
	errno = ENODEV;
	return NULL;
}

/* The kernel's part, and what it says of tracepoints. */

int tracefs_open(struct tracefs *tracefs)
{
	*tracefs = (struct tracefs){ .folder = -1 };
	return 0;
}

void tracefs_close(struct tracefs *tracefs)
{
	(void)tracefs;
}

int tracefs_read_format(const struct tracefs *tracefs, const char *tracepoint, const char *const names[],
			unsigned count, struct trace_field *fields)
{
	(void)tracefs;
	(void)tracepoint;
	for (unsigned i = 0; i < count; i++)
		fields[i] = (struct trace_field){ 8, names[i] ? 4 : 0 };
	return 1;
}

long sysconf(int name)
{
	return name == _SC_NPROCESSORS_CONF ? ALL : name == _SC_PAGESIZE ? 4096 : 65536;
}

/* perf_event_open(). */
long syscall(long number, ...)
{
	va_list arguments;
	int cpu;

	va_start(arguments, number);
	(void)va_arg(arguments, void *);
	(void)va_arg(arguments, int);
	cpu = va_arg(arguments, int);
	va_end(arguments);
	errno = number == SYS_perf_event_open ? error_of[cpu] : ENOSYS;
	return errno ? -1 : dup(STDOUT_FILENO);
}

int ioctl(int event, unsigned long request, ...)
{
	(void)event;
	(void)request;
	return 0;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
	(void)at;
	(void)protection;
	(void)flags;
	(void)file;
	(void)offset;
	return calloc(1, size);
}

int munmap(void *at, size_t size)
{
	(void)size;
	free(at);
	return 0;
}

static int open_with(int first, int second, int third, struct flights *flights, struct refusal *refusal)
{
	const struct tap_plan plan = { .level = EXPLAIN_BLAME, .asked = true };

	error_of[0] = first;
	error_of[1] = second;
	error_of[2] = third;
	*flights = (struct flights){ .count = 0 };
	return flights_open(flights, &plan, &(struct cpus){ .count = 0 }, refusal);
}

int main(void)
{
	struct flights flights;
	struct refusal refusal;

	is(open_with(0, ENODEV, 0, &flights, &refusal), 0, "a CPU that is offline is left out");
	ok(flights_of(&flights, 0) && flights_of(&flights, 2), "the others are recorded");
	ok(!flights_of(&flights, 1), "it is not");
	is(open_with(0, 0, EACCES, &flights, &refusal), -1, "a refusal is one");
	ok(strstr(refusal.what, "sched/sched_switch"), "with its tracepoint");
	return done();
}
