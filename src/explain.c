// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "explain.h"
#include "sysfile.h"

#define TRIALS 1000

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

/* A perf counter of all that happens on the CPU. Returns a descriptor, or -1 when the machine has none for us. */
static int open_counter(long type, long config, int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = type, .config = config };

	if (type < 0 || config < 0 || cpu < 0)
		return -1;
	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t measure_cost(const struct explain *explain)
{
	struct counters counters;
	uint64_t start = monotonic_ns();

	for (int i = 0; i < TRIALS; i++)
		explain_read(explain, &counters);
	return (monotonic_ns() - start) / TRIALS;
}

int explain_open(struct explain *explain, int cpu)
{
	explain->schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
	if (explain->schedstat < 0) {
		warn("--explain: open /proc/self/schedstat: %m; leave it out, or use a kernel with SCHED_INFO");
		return -1;
	}
	explain->interrupts = open_counter(PERF_TYPE_TRACEPOINT,
		read_number("/sys/kernel/tracing/events/irq/irq_handler_entry/id"), cpu);
	explain->smis = open_counter(read_number("/sys/bus/event_source/devices/msr/type"),
		read_number("/sys/bus/event_source/devices/msr/events/smi"), cpu);
	explain->cost_ns = measure_cost(explain);
	explain->on = true;
	return 0;
}

static int64_t read_counter(int fd)
{
	int64_t count;

	return fd >= 0 && read(fd, &count, sizeof(count)) == sizeof(count) ? count : EVENTS_UNKNOWN;
}

/* The second of three numbers: ns run, ns waited, times run. */
static int64_t read_run_delay(int fd)
{
	char text[80], *second;
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);

	if (length <= 0)
		return EVENTS_UNKNOWN;
	text[length] = '\0';
	strtoull(text, &second, 10);
	return strtoull(second, NULL, 10);
}

void explain_read(const struct explain *explain, struct counters *counters)
{
	struct rusage usage;

	counters->run_delay_ns = read_run_delay(explain->schedstat);
	getrusage(RUSAGE_THREAD, &usage);
	counters->switches = usage.ru_nvcsw + usage.ru_nivcsw;
	counters->faults = usage.ru_minflt + usage.ru_majflt;
	counters->interrupts = read_counter(explain->interrupts);
	counters->smis = read_counter(explain->smis);
}
