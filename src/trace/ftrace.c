// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "host/sysfile.h"
#include "trace/ftrace.h"
#include "trace/tracefs.h"

static int open_in(const char *folder, const char *name, int flags)
{
	return open(sysfile_path("%s/%s", folder, name), flags | O_CLOEXEC);
}

void ftrace_open(struct ftrace *ftrace)
{
	*ftrace = (struct ftrace){ .marker = -1, .on = -1, .tracer = -1, .events = -1 };
	for (unsigned i = 0; i < TRACEFS_MOUNTS && ftrace->on < 0; i++) {
		ftrace->folder = tracefs_mounts[i];
		ftrace->on = open_in(ftrace->folder, "tracing_on", O_RDWR);
		if (ftrace->on < 0 && errno != ENOENT)
			break;
	}
	ftrace->error = errno;
	if (ftrace->on < 0)
		return;
	ftrace->marker = open_in(ftrace->folder, "trace_marker", O_WRONLY);
	ftrace->tracer = open_in(ftrace->folder, "current_tracer", O_RDONLY);
	ftrace->events = open_in(ftrace->folder, "set_event", O_RDONLY);
}

void ftrace_close(struct ftrace *ftrace)
{
	const int all[] = { ftrace->marker, ftrace->on, ftrace->tracer, ftrace->events };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i] >= 0)
			close(all[i]);
}

bool ftrace_is_on(const struct ftrace *ftrace)
{
	char on = '0';

	return ftrace->on >= 0 && pread(ftrace->on, &on, 1, 0) == 1 && on != '0';
}

/* The trace is of use without the mark, so a missing marker or a failed write is ignored. */
static void leave_mark(const struct ftrace *ftrace, int64_t late_ns)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "realfeel: %.3f us late\n", late_ns / 1e3);

	if (ftrace->marker >= 0 && write(ftrace->marker, text, length) < 0)
		return;
}

void ftrace_stop(const struct ftrace *ftrace, int64_t late_ns, char *told, size_t size)
{
	char was_on = '?';
	int error = ftrace->error;

	if (ftrace->on >= 0) {
		leave_mark(ftrace, late_ns);
		error = pread(ftrace->on, &was_on, 1, 0) == 1 && pwrite(ftrace->on, "0", 1, 0) == 1 ? 0 : errno;
	}
	if (error)
		snprintf(told, size, "not stopped: %s/tracing_on: %s", ftrace->folder, strerror(error));
	else if (was_on == '0')
		snprintf(told, size, "not stopped: it was off; switch it on before the run: "
			 "echo 1 > %s/tracing_on", ftrace->folder);
	else
		snprintf(told, size, "%s/trace", ftrace->folder);
}

/* Consecutive lines of set_event that name events of one subsystem. */
struct group {
	char first[128];		/* "sched:sched_switch" */
	unsigned count;
};

static void end_group(struct group *group, char *text, size_t size)
{
	const char *comma = *text ? ", " : "";

	if (group->count == 1)
		text_append(text, size, "%s%s", comma, group->first);
	else if (group->count)
		text_append(text, size, "%s%.*s (%u)", comma, (int)strcspn(group->first, ":"), group->first,
			    group->count);
	group->count = 0;
}

/* Returns false when the events could not be read. */
static bool describe_events(int fd, char *text, size_t size)
{
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	struct group group = { .count = 0 };
	char line[sizeof(group.first)];
	bool failed;

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line)
			continue;
		if (group.count && strncmp(line, group.first, strcspn(group.first, ":") + 1))
			end_group(&group, text, size);
		if (!group.count++)
			strcpy(group.first, line);
	}
	end_group(&group, text, size);
	failed = ferror(file);
	fclose(file);
	return !failed;
}

void ftrace_describe(const struct ftrace *ftrace, char *text, size_t size)
{
	char tracer[64] = "";
	bool known;

	*text = '\0';
	if (ftrace->tracer >= 0 && pread(ftrace->tracer, tracer, sizeof(tracer) - 1, 0) > 0)
		tracer[strcspn(tracer, "\n")] = '\0';
	if (*tracer && strcmp(tracer, "nop"))
		text_append(text, size, "%s", tracer);
	known = describe_events(dup(ftrace->events), text, size) && *tracer;
	if (!*text)
		text_append(text, size, "%s", known ? "nothing" : "unknown");
}
