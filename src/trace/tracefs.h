/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder in which the kernel describes its tracepoints, whether it is mounted or not. */
#ifndef TRACE_TRACEFS_H
#define TRACE_TRACEFS_H

#include <stddef.h>

#define TRACEFS_MOUNTS 2

/* Where it is usually mounted, to be looked for in this order. */
extern const char *const tracefs_mounts[TRACEFS_MOUNTS];

struct tracefs {
	const char *path;		/* where it is mounted; NULL: nowhere, and folder is a mount that nobody sees */
	int folder;			/* descriptor; -1: not open */
};

/* Where a field is in what a tracepoint says, in bytes. size 0: it has no such field. */
struct trace_field {
	unsigned short offset, size;
};

/*
 * Returns 0, or -1 with errno: EPERM, EACCES without the rights for it or in
 * a kernel that is locked down, ENODEV, ENOSYS where the kernel has none or
 * cannot mount it for us alone. What it is mounted on is then "path".
 */
int tracefs_open(struct tracefs *tracefs);
void tracefs_close(struct tracefs *tracefs);

/* Of "sched/sched_switch", for perf_event_open. Returns -1 with errno; ENOENT: the machine has no such tracepoint. */
int tracefs_id(const struct tracefs *tracefs, const char *event);

/*
 * Find the fields of the tracepoint by their names; one that it does not have,
 * or that has no name here, is all 0. Returns 0, or -1 with errno.
 */
int tracefs_fields(const struct tracefs *tracefs, const char *event, const char *const names[], unsigned count,
		   struct trace_field *fields);

#endif
