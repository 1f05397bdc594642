// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "trace/ftrace.h"
#include "trace/record.h"

static int open_in(const char *folder, const char *name, int flags)
{
	return open(sysfile_path("%s/%s", folder, name), flags | O_CLOEXEC);
}

void ftrace_open(struct ftrace *ftrace)
{
	*ftrace = (struct ftrace){ .marker = -1, .on = -1 };
	for (unsigned i = 0; i < TRACEFS_MOUNTS && ftrace->on < 0; i++) {
		ftrace->folder = tracefs_mounts[i];
		ftrace->on = open_in(ftrace->folder, "tracing_on", O_RDWR);
		if (ftrace->on < 0 && errno != ENOENT)
			break;
	}
	ftrace->error = errno;
	if (ftrace->on >= 0)
		ftrace->marker = open_in(ftrace->folder, "trace_marker", O_WRONLY);
}

/* The trace is of use without the mark, so a missing marker or a failed write is ignored. */
static void leave_mark(const struct ftrace *ftrace, int64_t late_ns)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "realfeel: %.3f us late\n", late_ns / 1e3);

	if (ftrace->marker >= 0 && write(ftrace->marker, text, length) < 0)
		return;
}

void ftrace_stop(const struct ftrace *ftrace, int64_t late_ns, char *outcome, size_t size)
{
	char was_on = '?';
	int error = ftrace->error;

	if (ftrace->on >= 0) {
		leave_mark(ftrace, late_ns);
		error = pread(ftrace->on, &was_on, 1, 0) == 1 && pwrite(ftrace->on, "0", 1, 0) == 1 ? 0 : errno;
	}
	if (error)
		snprintf(outcome, size, "not stopped: %s/tracing_on: %s", ftrace->folder, strerror(error));
	else if (was_on == '0')
		snprintf(outcome, size, "not stopped: it was off; switch it on before the run: "
			 "echo 1 > %s/tracing_on", ftrace->folder);
	else
		snprintf(outcome, size, "%s/trace", ftrace->folder);
}
