// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trace.h"

/* The second name is where kernels had it before 4.1. */
static const char *const folders[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static int open_in(const char *folder, const char *name, int flags)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, flags | O_CLOEXEC);
}

void trace_open(struct trace *trace)
{
	*trace = (struct trace){ .marker = -1, .on = -1 };
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders) && trace->on < 0; i++) {
		trace->folder = folders[i];
		trace->on = open_in(trace->folder, "tracing_on", O_RDWR);
		if (trace->on < 0 && errno != ENOENT)
			break;
	}
	trace->error = errno;
	if (trace->on >= 0)
		trace->marker = open_in(trace->folder, "trace_marker", O_WRONLY);
}

/* A kernel may be built without the marker; the trace is of use all the same. */
static void leave_mark(const struct trace *trace, int64_t late_ns)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "realfeel: %.3f us late\n", late_ns / 1e3);

	if (trace->marker >= 0 && write(trace->marker, text, length) < 0)
		return;
}

void trace_stop(const struct trace *trace, int64_t late_ns, char *told, size_t size)
{
	char was_on = '?';
	int error = trace->error;

	if (trace->on >= 0) {
		leave_mark(trace, late_ns);
		error = pread(trace->on, &was_on, 1, 0) == 1 && pwrite(trace->on, "0", 1, 0) == 1 ? 0 : errno;
	}
	if (error)
		snprintf(told, size, "not stopped: %s/tracing_on: %s", trace->folder, strerror(error));
	else if (was_on == '0')
		snprintf(told, size, "not stopped: it was off; switch it on before the run: "
			 "echo 1 > %s/tracing_on", trace->folder);
	else
		snprintf(told, size, "%s/trace", trace->folder);
}
