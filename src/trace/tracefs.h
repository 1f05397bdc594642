/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefs, in which the kernel describes its tracepoints; it need not be mounted. */
#ifndef TRACE_TRACEFS_H
#define TRACE_TRACEFS_H

#include <stddef.h>

#define TRACEFS_MOUNTS 2

/* Its usual mount points, in the order to try. */
extern const char *const tracefs_mounts[TRACEFS_MOUNTS];

struct tracefs {
	const char *path;		/* the mount point; NULL: a private mount, which no path reaches */
	int folder;			/* descriptor; -1: not open */
};

/* Where a field is in a tracepoint's record, in bytes. size 0: the record has no such field. */
struct trace_field {
	unsigned short offset, size;
};

/*
 * Open tracefs where it is mounted, or mount it for this process alone. Returns
 * 0, or -1 with errno: EPERM, EACCES without the right or in a kernel that is
 * locked down, ENODEV where the kernel has no tracefs, ENOSYS where it cannot
 * mount it privately. After an error, path is the mount point that could not be
 * opened; NULL: tracefs could not be mounted.
 */
int tracefs_open(struct tracefs *tracefs);
void tracefs_close(struct tracefs *tracefs);

/*
 * Read how the tracepoint ("sched/sched_switch") is recorded: find count fields
 * by their names. A field that the record does not have, or whose name is NULL,
 * is all 0. Returns the tracepoint's id for perf_event_open(); or -1 with errno:
 * ENOENT when this kernel has no such tracepoint.
 */
int tracefs_read_format(const struct tracefs *tracefs, const char *tracepoint, const char *const names[],
			unsigned count, struct trace_field *fields);

#endif
