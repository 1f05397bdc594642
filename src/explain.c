// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "explain.h"
#include "sysfile.h"

/* The number in a file that holds nothing else, or after "event=" as in sysfs; -1 when it is not there. */
static long read_number(const char *path)
{
	char text[64];
	const char *event;

	if (!sysfile_line(path, text, sizeof(text)))
		return -1;
	event = strchr(text, '=');
	return strtol(event ? event + 1 : text, NULL, 0);
}

/* Returns a descriptor, or -1 when the machine does not count them, or not for us. */
static int open_smis(int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	long type = read_number("/sys/bus/event_source/devices/msr/type");
	long config = read_number("/sys/bus/event_source/devices/msr/events/smi");

	if (type < 0 || config < 0)
		return -1;
	attr.type = type;
	attr.config = config;
	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

void explain_open(struct explain *explain, enum explain_level level, int cpu, struct wakelog *log)
{
	*explain = (struct explain){ .level = level, .log = log, .smis = open_smis(cpu) };
}

int64_t explain_smis(const struct explain *explain)
{
	int64_t count;

	if (explain->smis >= 0 && read(explain->smis, &count, sizeof(count)) == sizeof(count))
		return count;
	return EVENTS_UNKNOWN;
}

int64_t explain_smis_since(const struct explain *explain, int64_t before)
{
	int64_t now = before == EVENTS_UNKNOWN ? EVENTS_UNKNOWN : explain_smis(explain);

	return now == EVENTS_UNKNOWN ? EVENTS_UNKNOWN : now - before;
}
