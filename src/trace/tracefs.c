// SPDX-License-Identifier: GPL-2.0-or-later
/* What tracefs says about the tracepoints, which of them are read and how; and ftrace's on/off switch. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "measure/hist.h"
#include "trace/record.h"

/* Its usual mount points, in the order to try. Kernels before 4.1 have only the second. */
static const char *const mounts[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

#define MOUNTS (sizeof(mounts) / sizeof(*mounts))

struct tracefs tracefs = { .folder = -1 };

/* Where tracefs is not mounted, the folder exists, but is empty. */
int tracefs_open(void)
{
	for (unsigned i = 0; i < MOUNTS && tracefs.folder < 0; i++) {
		tracefs.path = mounts[i];
		tracefs.folder = open(mounts[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (tracefs.folder < 0 && errno != ENOENT)
			return -1;
		if (tracefs.folder >= 0 && faccessat(tracefs.folder, "events", F_OK, 0) < 0) {
			close(tracefs.folder);
			tracefs.folder = -1;
		}
	}
	if (tracefs.folder >= 0)
		return 0;
	tracefs.path = NULL;
	tracefs.folder = sysfile_mount("tracefs");
	return tracefs.folder < 0 ? -1 : 0;
}

/* The line of a field is "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;". */
static void read_field(const char *line, const char *const names[], struct trace_field *fields)
{
	struct trace_field field;
	char declaration[128], *name;

	if (sscanf(line, " field:%127[^;]; offset:%hu; size:%hu;", declaration, &field.offset, &field.size) != 3)
		return;
	name = strrchr(declaration, ' ');
	if (!name)
		return;
	name[strcspn(name, "[")] = '\0';
	for (unsigned i = 0; i <= RECORD_FIELDS; i++)
		if (names[i] && !strcmp(names[i], name + 1))
			fields[i] = field;
}

static int read_format(const char *tracepoint, const char *const names[RECORD_FIELDS + 1],
		       struct trace_field fields[RECORD_FIELDS + 1])
{
	int fd = openat(tracefs.folder, sysfile_path("events/%s/format", tracepoint), O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	int id = -1;

	if (!file)
		return -1;
	while (getline(&line, &room, file) > 0) {
		sscanf(line, "ID: %d", &id);
		read_field(line, names, fields);
	}
	free(line);
	fclose(file);
	if (id < 0)
		errno = EPROTO;
	return id;
}

/* For each known tracepoint: what its records hold, and where the kernel puts it. */
#define TASK(which, prefix) \
	[which##_COMM] = prefix "comm", [which##_PID] = prefix "pid", [which##_PRIO] = prefix "prio"

#define AT_WORK [CURRENT] = "common_pid", [FLAGS] = "common_flags"
#define A_TIMER AT_WORK, [TIMER] = "hrtimer"

#define VECTOR(tracepoint, name) \
	{ tracepoint "_entry", TRACE_VECTOR_ENTRY, name, { NULL } }, \
	{ tracepoint "_exit", TRACE_VECTOR_EXIT, name, { NULL } }

static const struct description {
	const char *tracepoint;
	enum trace_kind kind;
	const char *name;		/* of a vector */
	const char *field[RECORD_FIELDS];
} descriptions[] = {
	{ "timer/hrtimer_expire_entry", TRACE_EXPIRE, "", { A_TIMER, [EXPIRES] = "now" } },
	{ "timer/hrtimer_expire_exit", TRACE_EXPIRED, "", { A_TIMER } },
	{ "timer/hrtimer_start", TRACE_TIMER_START, "",
	  { A_TIMER, [EXPIRES] = "softexpires", [LATEST] = "expires" } },
	{ "timer/hrtimer_cancel", TRACE_TIMER_CANCEL, "", { A_TIMER } },
	{ "sched/sched_waking", TRACE_WAKING, "", { TASK(NEXT, ""), AT_WORK } },
	{ "sched/sched_switch", TRACE_SWITCH, "",
	  { TASK(PREV, "prev_"), [PREV_STATE] = "prev_state", TASK(NEXT, "next_") } },
	{ "irq/irq_handler_entry", TRACE_IRQ_ENTRY, "", { [NUMBER] = "irq", [NAME] = "name" } },
	{ "irq/irq_handler_exit", TRACE_IRQ_EXIT, "", { [NUMBER] = "irq" } },
	{ "irq/softirq_entry", TRACE_SOFTIRQ_ENTRY, "", { [NUMBER] = "vec" } },
	{ "irq/softirq_exit", TRACE_SOFTIRQ_EXIT, "", { [NUMBER] = "vec" } },
	VECTOR("irq_vectors/local_timer", "timer interrupt"),
	VECTOR("irq_vectors/reschedule", "reschedule IPI"),
	VECTOR("irq_vectors/call_function", "function call IPI"),
	VECTOR("irq_vectors/call_function_single", "function call IPI"),
	VECTOR("ipi/ipi", "IPI"),
	{ "workqueue/workqueue_queue_work", TRACE_QUEUED, "", { [WORK] = "work" } },
	{ "workqueue/workqueue_execute_start", TRACE_EXECUTED, "", { [WORK] = "work" } },
	{ "irq/softirq_raise", TRACE_QUEUED, "", { [NUMBER] = "vec" } },
	{ "irq/tasklet_entry", TRACE_EXECUTED, "", { NULL } },
};

int trace_layout_add(struct trace_layout *layout, const char *tracepoint, enum trace_detail detail,
		     const char *filtered)
{
	const struct description *description = descriptions, *end = descriptions + sizeof(descriptions) / sizeof(*end);
	struct trace_format *format = &layout->format[layout->count];
	const char *names[RECORD_FIELDS + 1];
	int id;

	while (description < end && strcmp(description->tracepoint, tracepoint))
		description++;
	if (description == end || layout->count == TRACE_FORMATS) {
		errno = EINVAL;
		return -1;
	}
	*format = (struct trace_format){ .kind = description->kind, .detail = detail };
	strcpy(format->name, description->name);
	memcpy(names, description->field, sizeof(description->field));
	names[FILTERED] = filtered;
	id = read_format(tracepoint, names, format->field);
	for (unsigned i = detail >= TRACE_FIELDS ? 0 : FILTERED; id >= 0 && i <= FILTERED; i++)
		if (names[i] && !format->field[i].size) {
			errno = ENOMSG;
			return -1;
		}
	layout->count += id >= 0;
	return id;
}

/* Reads only as much of a text after the fields as struct trace_record has room for. */
unsigned trace_format_size(const struct trace_format *format)
{
	unsigned size = 8;

	for (unsigned i = 0; format->detail >= TRACE_FIELDS && i < RECORD_FIELDS; i++) {
		const struct trace_field *field = &format->field[i];
		unsigned more = i == NAME && field->size ? sizeof(((struct trace_record *)NULL)->name) : 0;

		size = greater(size, field->offset + field->size + more);
	}
	return (size + 7) / 8 * 8;
}

static const char *ftrace_folder;	/* where tracefs is mounted */
static int ftrace_marker = -1, ftrace_on = -1;	/* descriptors of trace_marker and tracing_on; -1: not open */
static int ftrace_error;		/* why tracing_on is not open */

void ftrace_open(void)
{
	for (unsigned i = 0; i < MOUNTS && ftrace_on < 0; i++) {
		ftrace_folder = mounts[i];
		ftrace_on = open(sysfile_path("%s/tracing_on", ftrace_folder), O_RDWR | O_CLOEXEC);
		ftrace_error = errno;
		if (ftrace_on < 0 && errno != ENOENT)
			break;
	}
	if (ftrace_on >= 0)
		ftrace_marker = open(sysfile_path("%s/trace_marker", ftrace_folder), O_WRONLY | O_CLOEXEC);
}

/* The trace is of use without the mark, so a missing marker or a failed write is ignored. */
void ftrace_stop(int64_t late_ns, char *outcome, size_t size)
{
	char mark[64], was_on = '?';
	int length = snprintf(mark, sizeof(mark), "realfeel: %.3f us late\n", late_ns / 1e3), error = ftrace_error;

	if (ftrace_on >= 0) {
		ssize_t marked = write(ftrace_marker, mark, length);

		(void)marked;
		error = pread(ftrace_on, &was_on, 1, 0) == 1 && pwrite(ftrace_on, "0", 1, 0) == 1 ? 0 : errno;
	}
	if (error)
		snprintf(outcome, size, "not stopped: %s/tracing_on: %s", ftrace_folder, strerror(error));
	else if (was_on == '0')
		snprintf(outcome, size, "not stopped: it was off; switch it on before the run: "
			 "echo 1 > %s/tracing_on", ftrace_folder);
	else
		snprintf(outcome, size, "%s/trace", ftrace_folder);
}
